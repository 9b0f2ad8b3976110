/* Many constructs over a few lines. */
#include <stdio.h>
static int v[64], w[64];
int main(void) {
  int s = 0;
  for (int i = 0; i < 64; i++) v[i] = i;
  for (int r = 0; r < 3000; r++) {
#pragma omp parallel sections
    {
#pragma omp section
      for (int i = 0; i < 64; i++) w[i] = v[i] * 3 + r;
#pragma omp section
      for (int k = 0; k < 20; k++) s += k * r;
    }
    for (int i = 0; i < 64; i++) v[i] = (w[i] ^ s) & 1023;
  }
  printf("%d %d\n", s, v[9]);
  return 0;
}
