#include <stdio.h>
float a[1000];
int main(void) {
  for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp simd safelen(4)
  for (int i = 4; i < 1000; i++) a[i] = a[i - 4] * 0.5f + a[i];
  printf("%g\n", a[999]);
  return 0;
}
