// A pipeline, which stages.yaml makes of a loop: what its stages take varies from item to item, one
// of them keeps nothing, one meets a region, and the loop runs several times.
#include <stdio.h>

static int in[8], mid[8], row[4], sum;
static unsigned seed = 5;

__attribute__((noinline)) static void get(int *to, int n) {
  for (int i = 0; i < 20 + n * 7 % 50; i++) seed = seed * 1664525u + 1013904223u;
  *to = (int)(seed >> 22);
}

__attribute__((noinline)) static void shape(int *to, int from) {
  int x = from;
  for (int i = 0; i < 30 + from % 90; i++) x = x * 5 / 4 % 1009 + i;
  *to = x;
}

__attribute__((noinline)) static void put(int from) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 4; i++) row[i] = from / (i + 1);
  for (int i = 0; i < from % 60; i++) sum = sum * 3 % 10007 + row[i % 4];
}

int main(void) {
  for (int round = 1; round < 5; round++)
    for (int n = 0; n < 6 * round; n++) {
      get(&in[n % 8], n);
      shape(&mid[n % 8], in[n % 8]);
      put(mid[n % 8]);
    }
  printf("%d\n", sum);
  return 0;
}
