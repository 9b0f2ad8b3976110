#include <omp.h>
#include <stdio.h>
static omp_lock_t locks[8];
static long all = 1; // race: all
int main(void) {
  for (int l = 0; l < 8; l++) omp_init_lock(&locks[l]);
#pragma omp parallel for
  for (int i = 0; i < 80000; i++) {
    omp_set_lock(&locks[i % 8]);
    all += i * (all & 3);
    omp_unset_lock(&locks[i % 8]);
  }
  printf("%d\n", all != 0);
}
