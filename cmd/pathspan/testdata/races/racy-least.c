#include <stdio.h>
int a[600];
int main(void) {
  int least = 1 << 30; // known where the loop begins
  for (int i = 0; i < 600; i++) a[i] = i * 37 % 601;
#pragma omp parallel for
  for (int i = 0; i < 600; i++)
    if (a[i] < least) least = a[i]; // race: least
  printf("%d\n", least);
}
