// race: last
#include <stdio.h>
int last, done[64];
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 64; i++) {
#pragma omp task shared(last)
    {
      done[i] = i;
      last = i;
    }
    if (i % 8 == 7) {
#pragma omp taskwait
    }
  }
  printf("%d %d\n", last, done[5]);
  return 0;
}
