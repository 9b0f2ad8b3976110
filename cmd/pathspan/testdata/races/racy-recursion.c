// race: depth
#include <stdio.h>
static int depth[64];
static void go(int n, int at) {
  if (n == 0) {
    depth[at & 63]++;
    return;
  }
#pragma omp task
  go(n - 1, 2 * at);
#pragma omp task
  go(n - 1, 2 * at + 1);
}
static int sum(void) {
  int s = 0;
  for (int i = 0; i < 64; i++) s += depth[i];
  return s;
}
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task
    go(6, 1);
#pragma omp taskwait
    printf("%d\n", sum()); // of the tasks' children nobody knows
  }
  return 0;
}
