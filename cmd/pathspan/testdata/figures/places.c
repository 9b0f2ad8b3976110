// Tasks of two places, of which one is better kept to a processor where they differ.
#include <stdio.h>
static long out[16];
__attribute__((noinline)) static long integers(int n) { long s = 1; for (int i = 1; i < n; i++) s = s * 5 + i % 3; return s; }
__attribute__((noinline)) static double reals(int n) { double s = 1; for (int i = 1; i < n; i++) s = s * 0.75 + 1.0 / i; return s; }
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 5; i++) {
#pragma omp task firstprivate(i)
    out[i] = integers(200 + 90 * i);
#pragma omp task firstprivate(i)
    out[8 + i] = (long)reals(150 + 60 * i);
  }
  long s = 0;
  for (int i = 0; i < 16; i++) s += out[i] % 1000;
  printf("%ld\n", s);
  return 0;
}
