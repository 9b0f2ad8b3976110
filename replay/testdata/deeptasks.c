// Tasks that a recursion makes, and serial code, call the same function: with lines that are near, and far.
#include <stdio.h>
static long far[1 << 16], near[64];
__attribute__((noinline)) static long walk(const long *a, int n, int step) {
  long s = 0;
  for (int i = 0; i < n; i++) s = s * 3 + a[(unsigned)(i * step) & (n > 64 ? (1 << 16) - 1 : 63)];
  return s;
}
static long split(int depth) {
  long a, b;
  if (depth == 0) {
    long s = 0;
    for (int i = 0; i < 40; i++) s += walk(near, 64, 5);
    return s;
  }
#pragma omp task shared(a)
  a = split(depth - 1);
#pragma omp task shared(b)
  b = split(depth - 1);
#pragma omp taskwait
  return a + b;
}
int main(void) {
  long s = walk(far, 1 << 15, 8), t = 0;
#pragma omp parallel
#pragma omp single
  t = split(6);
  printf("%ld %ld\n", s, t);
}
