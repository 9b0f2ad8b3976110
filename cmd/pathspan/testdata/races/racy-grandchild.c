// race: x
#include <stdio.h>
int x;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task shared(x)
    {
#pragma omp task shared(x)
      x = 7; // the taskwait below waits for the task that makes this one, not for this one
    }
#pragma omp taskwait
    printf("%d\n", x);
  }
  return 0;
}
