#include <stdio.h>
// race: visits
static long visits;
int main(void) {
#pragma omp parallel
  {
    visits++;
#pragma omp critical
    puts("here");
  }
  printf("%ld\n", visits);
}
