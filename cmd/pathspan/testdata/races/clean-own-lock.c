#include <stdatomic.h>
#include <stdio.h>
static atomic_flag busy = ATOMIC_FLAG_INIT;
static long visits;
int main(void) {
#pragma omp parallel
  {
    while (atomic_flag_test_and_set(&busy)) continue;
    visits++;
    atomic_flag_clear(&busy);
  }
  printf("%d\n", visits > 0);
}
