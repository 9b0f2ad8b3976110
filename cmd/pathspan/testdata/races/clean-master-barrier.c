#include <stdio.h>
static int factor, out[300], seen;
int main(int argc, char **argv) {
  (void)argv;
#pragma omp parallel
  {
#pragma omp master
    factor = argc + 4;
#pragma omp barrier
#pragma omp for nowait
    for (int i = 0; i < 300; i++) out[i] = i * factor;
#pragma omp barrier
#pragma omp single nowait
    seen = out[9];
  }
  printf("%d %d\n", out[7], seen);
}
