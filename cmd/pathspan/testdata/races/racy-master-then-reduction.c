#include <stdio.h>
// race: sum
int main(void) {
  int sum = 5;
#pragma omp parallel shared(sum)
  {
#pragma omp master
    sum = 0;
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 50; i++) sum += i * i;
  }
  printf("%d\n", sum);
}
