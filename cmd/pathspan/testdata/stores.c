/* A loop that writes as much as it reads, and sections that write little: where stores wait for nothing, they do not wait alike. */
#include <stdio.h>
enum { N = 256 };
static int image[N][N], out[N][N];
static long histogram[2][256];

static void count(int half) {
  for (int i = half * N / 2; i < (half + 1) * N / 2; i++)
    for (int j = 0; j < N; j++) histogram[half][out[i][j] & 255]++;
}

int main(void) {
  unsigned state = 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) image[i][j] = (state = state * 1103515245u + 12345u) >> 24;
  for (int round = 0; round < 4; round++) {
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) out[i][j] = (image[i - 1][j] + image[i + 1][j] + image[i][j - 1] + image[i][j + 1]) / 4;
#pragma omp parallel sections
    {
#pragma omp section
      count(0);
#pragma omp section
      count(1);
    }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) image[i][j] = out[i][j];
  }
  long sum = 0;
  for (int i = 0; i < 256; i++) sum += i * (histogram[0][i] + histogram[1][i]);
  printf("%ld\n", sum);
  return 0;
}
