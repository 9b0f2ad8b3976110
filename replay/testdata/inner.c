/* Rows and columns by turns, by threads of a loop of which each meets a loop of its own, which it executes alone. */
#include <stdio.h>

enum { N = 64, ROUNDS = 4 };
static float a[N][N], b[N][N];

static __attribute__((noinline)) void sums(const float *x, long step, float *out) {
#pragma omp parallel for
  for (int k = 0; k < 4; k++)
    for (int i = k; i < N; i += 4) out[i] = (i > 3 ? out[i - 4] * 0.5f : 1) + x[i * step];
}

int main(void) {
  for (int i = 0; i < N * N; i++) a[0][i] = (float)(i % 7);
  for (int r = 0; r < ROUNDS; r++) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) sums(a[i], 1, b[i]);
#pragma omp parallel for
    for (int i = 0; i < N; i++) sums(&b[0][i], N, a[i]);
  }
  printf("%g\n", a[3][5]);
  return 0;
}
