#include <stdio.h>
int x, y;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task shared(x)
      {
#pragma omp task shared(x)
        x = 7;
      }
    } // waits for children of children
#pragma omp task shared(x, y)
    {
#pragma omp task shared(y)
      y = x + 1;
#pragma omp taskwait
    }
#pragma omp taskwait
    printf("%d %d\n", x, y);
  }
  return 0;
}
