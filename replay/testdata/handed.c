/* A loop makes an array of which each of two sections reads all, and by dynamic chunks another loop reads tables that nobody writes. */
#include <stdio.h>
enum { N = 6000, ROWS = 1500, WIDE = 16 };
static double made[N], table[ROWS][WIDE], sums[ROWS];
int main(void) {
  double low = 0, high = 0;
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < WIDE; k++) table[i][k] = i + k;
  for (int r = 0; r < 16; r++) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) made[i] = i * 0.5 + r;
#pragma omp parallel sections
    {
#pragma omp section
      { double s = 0; for (int i = 0; i < N; i++) s += made[i]; low += s; }
#pragma omp section
      { double s = 0; for (int i = 0; i < N; i++) s += made[i] * made[i]; high += s; }
    }
#pragma omp parallel for schedule(dynamic, 8)
    for (int i = 0; i < ROWS; i++) { double s = 0; for (int k = 0; k < WIDE; k++) s += table[i][k]; sums[i] = s; }
  }
  printf("%g %g %g\n", low, high, sums[7]);
  return 0;
}
