// race: count
#include <stdio.h>
int count[16], key[1000];
int main(void) {
  for (int i = 0; i < 1000; i++) key[i] = i * 7 % 16 / 2;
#pragma omp simd
  for (int i = 0; i < 1000; i++) count[key[i]]++;
  printf("%d\n", count[3]);
  return 0;
}
