// Tasks that iterations of worksharing loops make, of which some wait for others, for locks or
// for those of the same thread that they depend on, one loop with more than a queue holds; and a region inside of a task.
#include <stdio.h>

static int cell[60];
static long sum, most;

static int collatz(int n) {
  int steps = 0;
  for (; n > 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

static void add(long n) {
#pragma omp critical(sum)
  {
    sum += n;
    if (n > most) most = n;
  }
}

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 2) nowait
    for (int i = 0; i < 23; i++)
      for (int j = 0; j <= i % 5; j++) {
#pragma omp task firstprivate(i, j)
        add(collatz(27 + 13 * i + j));
      }
#pragma omp for
    for (int i = 1; i < 60; i++) {
#pragma omp task depend(in : cell[i - 1]) depend(out : cell[i])
      cell[i] = collatz(i) + cell[i - 1] % 3;
    }
#pragma omp for schedule(guided)
    for (int i = 0; i < 40; i++) {
      int a;
#pragma omp task shared(a)
      a = collatz(1000 + i);
      int b = collatz(2000 + 7 * i);
#pragma omp taskwait
      add(a + b);
    }
  }
#pragma omp parallel for schedule(static, 30)
  for (int i = 0; i < 90; i++)
    for (int j = 0; j < 12; j++) {
#pragma omp task firstprivate(i, j)
      if (collatz(i * 12 + j) > 140) add(1);
    }
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 6; i++) {
#pragma omp task firstprivate(i)
    {
#pragma omp parallel for
      for (int j = 0; j < 4; j++) add(collatz(300 * i + j));
    }
  }
  printf("%ld %ld %d\n", sum, most, cell[59]);
  return 0;
}
