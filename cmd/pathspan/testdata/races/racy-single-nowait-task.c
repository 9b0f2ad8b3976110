// race: x
#include <stdio.h>
int x, seen[64];
int main(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp single nowait
    {
#pragma omp task shared(x)
      x = 5;
    }
#pragma omp for
    for (int i = 0; i < 64; i++) seen[i] = x + i;
  }
  printf("%d\n", seen[9]);
  return 0;
}
