#include <stdio.h>
#include <stdlib.h>
int a[200];
int main(void) {
  unsigned seed = 3; // race: seed
#pragma omp parallel for
  for (int i = 0; i < 200; i++) a[i] = rand_r(&seed) % 10;
  printf("%d\n", a[5]);
}
