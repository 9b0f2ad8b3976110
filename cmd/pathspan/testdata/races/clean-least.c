#include <stdio.h>
int a[600], each[600];
int main(void) {
  int least = 1 << 30;
  for (int i = 0; i < 600; i++) a[i] = i * 37 % 601;
#pragma omp parallel for reduction(min : least)
  for (int i = 0; i < 600; i++) {
    int most = 0; // of an iteration
    for (int k = 0; k < 20; k++)
      if (a[(i + k) % 600] > most) most = a[(i + k) % 600];
    each[i] = most;
    if (a[i] < least) least = a[i];
  }
  printf("%d %d\n", least, each[3]);
}
