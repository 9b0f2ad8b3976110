#include <stdio.h>
#include <stdlib.h>
double a[200];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 200; i++) {
    unsigned short own[3] = {1, 2, (unsigned short)i};
    unsigned seed = i;
    a[i] = erand48(own) + rand_r(&seed) % 10;
  }
  printf("%g\n", a[5]);
}
