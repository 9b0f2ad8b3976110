/* A matrix is transposed block by block, and the rows of the result are smoothed into the columns' place. */
#include <stdio.h>

enum { N = 96, BLOCK = 8 };
static double a[N][N], t[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i * N + j;
  for (int step = 0; step < 6; step++) {
#pragma omp parallel for
    for (int row = 0; row < N; row += BLOCK)
      for (int column = 0; column < N; column += BLOCK)
        for (int i = row; i < row + BLOCK; i++)
          for (int j = column; j < column + BLOCK; j++) t[j][i] = a[i][j];
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
      double x = 0;
      for (int j = 0; j < N; j++) a[i][j] = x = 0.5 * x + t[i][j];
    }
  }
  printf("%f\n", a[5][7]);
  return 0;
}
