// A loop passes through two arrays again and again, which together do not fit into the first level of a
// processor, and half of which does: under chunks shorter than a line each thread brings in all of them.
#include <stdio.h>

#define N 4000

static double x[N], y[N];

int main(void) {
  for (int i = 0; i < N; i++) x[i] = i, y[i] = 2 * i;
  double sum = 0;
  for (int pass = 0; pass < 50; pass++) {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += x[i] * y[i];
  }
  printf("%g\n", sum);
}
