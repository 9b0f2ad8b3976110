#include <stdio.h>
// race: table
static int table[400], seen;
int main(void) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 400; i++) table[i] = 3 * i;
#pragma omp single
    seen = table[77];
  }
  printf("%d\n", seen);
}
