#include <omp.h>
#include <stdio.h>
static struct { omp_lock_t lock; long sum; } cells[8];
static void add(int at, long x) {
  omp_set_lock(&cells[at].lock);
  cells[at].sum += x * (cells[at].sum & 3);
  omp_unset_lock(&cells[at].lock);
}
static void halve(int at) {
  omp_set_lock(&cells[at].lock);
  cells[at].sum /= 2;
  omp_unset_lock(&cells[at].lock);
}
int main(void) {
  for (int c = 0; c < 8; c++) omp_init_lock(&cells[c].lock), cells[c].sum = c;
#pragma omp parallel for
  for (int i = 0; i < 8000; i++) {
    add(i % 8, i);
    halve(i * 3 % 8);
    omp_set_lock(&cells[0].lock);
    cells[0].sum++;
    omp_unset_lock(&cells[0].lock);
  }
  printf("%d\n", cells[1].sum > 0);
}
