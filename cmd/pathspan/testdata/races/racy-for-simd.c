// race: a
#include <stdio.h>
float a[1000];
int main(void) {
  for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp parallel for simd num_threads(4)
  for (int i = 0; i < 999; i++) a[i] = a[i + 1] * 0.5f + 1;
  printf("%g\n", a[997]);
  return 0;
}
