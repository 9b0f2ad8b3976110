/* One section fills a buffer while another works off the other one, by turns. */
#include <stdio.h>
enum { N = 3000 };
static float buf[2][N];
static double hist[64], acc;
static void fill(float *b, int round) { for (int i = 0; i < N; i++) b[i] = (i * 7 + round * 13) % 1001 * 0.25f; }
static void drain(float *b) { for (int i = 0; i < N; i++) { hist[(int)b[i] & 63] += b[i]; b[i] = 0; } }
static void stats(void) { for (int i = 0; i < 64; i++) acc += hist[i] * i; }
int main(void) {
  fill(buf[0], 0);
  for (int r = 1; r < 40; r++) {
#pragma omp parallel sections
    {
#pragma omp section
      fill(buf[r & 1], r);
#pragma omp section
      drain(buf[~r & 1]);
    }
    stats();
  }
  printf("%g\n", acc);
  return 0;
}
