#include <stdio.h>
static int round_, sum[64];
int main(void) {
#pragma omp parallel
  for (int k = 0; k < 5; k++) {
#pragma omp single
    round_ = k;
#pragma omp for
    for (int i = 0; i < 64; i++) sum[i] += i * round_;
  }
  printf("%d\n", sum[3]);
}
