#include <omp.h>
#include <stdio.h>
int a[100], b[100], x, y;
static void inner(int *to, int *edge, int k) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    for (int i = 0; i < 50; i++) to[i] = i * k;
#pragma omp section
    for (int i = 50; i < 100; i++) to[i] = i + k;
  }
  *edge = to[49] + to[50];
}
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    inner(a, &x, 2);
#pragma omp section
    inner(b, &y, 3);
  }
  printf("%d %d %d\n", a[3], x, y);
  return 0;
}
