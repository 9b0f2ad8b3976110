#include <stdio.h>
float a[1000], b[1000], last;
int main(void) {
  float s = 0;
  for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < 1000; i++) {
    b[i] = a[i] * 0.5f;
    s += b[i];
  }
#pragma omp simd lastprivate(last)
  for (int i = 0; i < 1000; i++) {
    last = a[i];
    a[i] = last + b[i];
  }
  for (int i = 1; i < 1000; i++) a[i] += a[i - 1]; // no simd
  printf("%g %g %g\n", a[999], s, last);
  return 0;
}
