#include <stdio.h>
int a[256];
int main(void) {
  int s = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskloop nogroup grainsize(16)
    for (int i = 0; i < 256; i++) a[i] = i;
#pragma omp taskwait
    for (int i = 0; i < 256; i++) s += a[i];
  }
  printf("%d\n", s);
  return 0;
}
