/* Loops of which the optimiser makes one call each: all iterations fill and copy in it. */
#include <stdio.h>
enum { N = 60000 };
static double a[N], b[N];
int main(void) {
  double s = 0;
  for (int r = 0; r < 5; r++) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) b[i] = a[i];
    for (int i = 0; i < N; i += 1000) { s += b[i]; a[i] += r; }
  }
  printf("%g\n", s);
  return 0;
}
