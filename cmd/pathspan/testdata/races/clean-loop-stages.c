#include <stdio.h>
int a[64], b[64], total;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 1; i < 64; i++) {
#pragma omp task depend(in : a[i - 1]) depend(out : a[i])
    a[i] = a[i - 1] + 1;
#pragma omp task depend(in : a[i]) depend(out : b[i])
    b[i] = 2 * a[i];
#pragma omp task depend(in : b[i]) depend(inout : total)
    total += b[i];
  }
  printf("%d\n", total);
  return 0;
}
