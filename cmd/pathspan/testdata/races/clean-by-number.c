#include <omp.h>
#include <stdio.h>
static int first, slots[256], others;
int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me == 0) first = 7;
    if (omp_get_thread_num() == 1) others = 3;
    slots[me] = me + 1;
    int *mine = &slots[me];
    (*mine)++;
  }
  printf("%d %d\n", first, slots[0] + others);
}
