// race: total
#include <stdio.h>
int a[64], total;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 1; i < 64; i++) {
#pragma omp task depend(in : a[i - 1]) depend(out : a[i]) shared(total)
    a[i] = a[i - 1] + 1;
#pragma omp task depend(in : a[i]) shared(total)
    total += a[i]; // those of two iterations wait for the chain, not for each other
  }
  printf("%d\n", total);
  return 0;
}
