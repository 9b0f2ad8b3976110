#include <stdlib.h>
int out[80];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 80; i++) {
    int *p = calloc((size_t)i + 1, sizeof *p);
    for (int k = 0; k < i; k++) p[k + 1] = p[k] + k;
    out[i] = p[i];
    free(p);
  }
  return out[3] == 0;
}
