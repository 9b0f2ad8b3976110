/* Tasks, and sections, that each fill a table of their own, on the stack. */
#include <stdio.h>

enum { SIZE = 4096, WORDS = 512, PIECES = 12 };
static unsigned char data[PIECES][WORDS];
static int found[PIECES + 2];

static __attribute__((noinline)) int look(const unsigned char *p) {
  unsigned short at[SIZE] = {0};
  int sum = 0;
  for (int i = 0; i + 2 < WORDS; i++) {
    unsigned h = (p[i] | p[i + 1] << 8 | p[i + 2] << 16) * 2654435761u >> 20;
    sum += at[h];
    at[h] = (unsigned short)i;
  }
  return sum;
}

int main(void) {
  unsigned x = 1;
  for (int i = 0; i < PIECES * WORDS; i++) data[0][i] = (unsigned char)((x = x * 1664525u + 1013904223u) >> 28);
  for (int r = 0; r < 2; r++) {
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < PIECES; k++)
#pragma omp task
      found[k] += look(data[k]);
#pragma omp parallel sections
    {
#pragma omp section
      found[PIECES] += look(data[r]);
#pragma omp section
      found[PIECES + 1] += look(data[r + 1]);
    }
  }
  int sum = 0;
  for (int k = 0; k < PIECES + 2; k++) sum += found[k];
  printf("%d\n", sum);
  return 0;
}
