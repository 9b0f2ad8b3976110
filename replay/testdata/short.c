/* A short section and a long one use one line: the long one loses it to the short one while that is under way. */
#include <stdio.h>
static volatile unsigned seed, out[2], table[64] __attribute__((aligned(64)));

__attribute__((noinline)) static void draw(int which, int n) {
  seed = which;
  for (int i = 0; i < n; i++) seed = seed * 1103515245u + table[i % 64];
  out[which] = n;
}

int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    draw(0, 100);
#pragma omp section
    draw(1, 100000);
  }
  printf("%u\n", out[0] + out[1]);
  return 0;
}
