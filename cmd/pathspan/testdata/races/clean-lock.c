#include <omp.h>
int n;
int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel for
  for (int i = 0; i < 100; i++) {
    omp_set_lock(&lock);
    n += i;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return n < 0;
}
