#include <stdio.h>
int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(mutexinoutset : sum) shared(sum)
      sum += i;
    }
#pragma omp taskwait
    printf("%d\n", sum);
  }
  return 0;
}
