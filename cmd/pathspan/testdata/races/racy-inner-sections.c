// race: edge
#include <omp.h>
#include <stdio.h>
int edge, a[100], b[100];
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
#pragma omp parallel sections num_threads(2)
      {
#pragma omp section
        for (int i = 0; i < 50; i++) edge = a[i] = i;
#pragma omp section
        for (int i = 50; i < 100; i++) a[i] = edge + i;
      }
    }
#pragma omp section
    for (int i = 0; i < 100; i++) b[i] = i;
  }
  printf("%d %d\n", a[70], b[70]);
  return 0;
}
