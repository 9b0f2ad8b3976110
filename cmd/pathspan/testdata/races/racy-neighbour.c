#include <stdlib.h>
// race: heap
int main(int n, char **v) {
  (void)v;
  int *a = malloc((n + 99) * sizeof *a);
  for (int i = 0; i < n + 99; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 1; i < n + 99; i++) a[i] = a[i - 1] * 3 + 1;
  n = a[50];
  free(a);
  return n == 7;
}
