// race: x
#include <stdio.h>
int x, y;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : y) shared(x, y)
    {
#pragma omp task shared(x)
      x = 3; // is no part of what depends on y
      y = 1;
    }
#pragma omp task depend(in : y) shared(x, y)
    printf("%d\n", x + y);
  }
  return 0;
}
