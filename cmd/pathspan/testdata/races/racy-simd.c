// race: a
#include <stdio.h>
float a[1000];
int main(void) {
  for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp simd
  for (int i = 2; i < 1000; i++) a[i] = a[i - 2] * 0.5f + a[i];
  printf("%g\n", a[999]);
  return 0;
}
