// race: x
#include <omp.h>
#include <stdio.h>
int x, a[100], b[100];
static void inner(int *to, int k) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    for (int i = 0; i < 50; i++) to[i] = i * k;
#pragma omp section
    {
      for (int i = 50; i < 100; i++) to[i] = i + k;
      x += to[60]; // by both of the outer sections
    }
  }
}
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    inner(a, 2);
#pragma omp section
    inner(b, 3);
  }
  printf("%d %d %d\n", a[3], b[70], x);
  return 0;
}
