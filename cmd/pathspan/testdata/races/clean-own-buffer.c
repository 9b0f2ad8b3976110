#include <stdlib.h>
int out[300];
int main(void) {
#pragma omp parallel
  {
    int *scratch = malloc(8 * sizeof *scratch);
#pragma omp for
    for (int i = 0; i < 300; i++) {
      for (int k = 0; k < 8; k++) scratch[k] = i + k;
      for (int k = 0; k < 8; k++) out[i] += scratch[(k + i) % 8];
    }
    free(scratch);
  }
  return out[3] == 1;
}
