#include <stdio.h>
// race: factors
static int factors[8];
static int out[300];
int main(int argc, char **argv) {
  (void)argv;
#pragma omp parallel
  {
#pragma omp master
    for (int k = 0; k < 8; k++) factors[k] = argc + k * k;
#pragma omp for
    for (int i = 0; i < 300; i++) out[i] = i * factors[i % 5];
  }
  printf("%d\n", out[7]);
}
