#include <stdio.h>
#include <stdlib.h>
// race: total
static double total;
__attribute__((noinline)) static void note(double by) { total = total * 0.5 + by; }
int main(void) {
#pragma omp parallel
  note(3);
  printf("%g\n", total);
}
