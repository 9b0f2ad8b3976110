#include <stdio.h>
int main(void) {
  int total = 0, end = 0;
#pragma omp parallel
  {
    int value;
#pragma omp single copyprivate(value)
    value = 41;
#pragma omp for lastprivate(end) nowait
    for (int i = 0; i < 40; i++) end = i + value;
#pragma omp critical
    total += value;
  }
  printf("%d %d\n", total > 0, end);
}
