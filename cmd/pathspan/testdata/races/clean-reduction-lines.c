#include <stdio.h>
int main(void) {
  long sum = 0, most = -1;
  double mean = 0;
#pragma omp parallel for schedule(static)      \
    reduction(+ : sum)                         \
    reduction(max : most)
  for (long i = 0; i < 500; i++) {
    sum += i * i % 7;
    if (i % 11 > most) most = i % 11;
  }
#pragma omp parallel \
    reduction(+ : mean)
  {
    mean += 2;
  }
  printf("%ld %ld %d\n", sum, most, mean > 0);
}
