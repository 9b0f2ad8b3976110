// race: sum
#include <stdio.h>
int a[256], sum;
int main(void) {
  for (int i = 0; i < 256; i++) a[i] = i;
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop grainsize(8)
  for (int i = 0; i < 256; i++) sum += a[i];
  printf("%d\n", sum);
  return 0;
}
