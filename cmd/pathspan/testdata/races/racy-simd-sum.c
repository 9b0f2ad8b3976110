// race: sum
#include <stdio.h>
int sum, a[1000];
int main(void) {
  for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp simd
  for (int i = 0; i < 1000; i++) sum += a[i] * a[i]; // no reduction
  printf("%d\n", sum);
  return 0;
}
