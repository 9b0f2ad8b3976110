// Tasks: a recursion with an if clause, a front of blocks that wait by dependences, and a
// taskloop inside of a group, beside sections of which one makes tasks.
#include <stdio.h>

enum { SIDE = 8 };
static int cell[SIDE + 1][SIDE + 1];
static double row[200];

static int collatz(int n) {
  int steps = 0;
  for (; n > 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

static long sum(int from, int to) {
  long a, b;
  if (to - from < 8) {
    for (a = 0; from < to; from++) a += collatz(from + 1);
    return a;
  }
#pragma omp task shared(a) if (to - from > 30)
  a = sum(from, (from + to) / 2);
#pragma omp task shared(b)
  b = sum((from + to) / 2, to);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  long s = 0, t = 0;
#pragma omp parallel
  {
#pragma omp single
    s = sum(0, 500);
#pragma omp single
    for (int i = 1; i <= SIDE; i++)
      for (int j = 1; j <= SIDE; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j])
        for (int k = 0; k < 40 * (i + j); k++) cell[i][j] += (cell[i - 1][j] ^ cell[i][j - 1]) % 7 + k;
      }
  }
#pragma omp parallel master
#pragma omp taskloop grainsize(10)
  for (int i = 0; i < 200; i++) {
    row[i] = 0;
    for (int j = 0; j < i; j++) row[i] += j * 0.25;
  }
#pragma omp parallel sections
  {
#pragma omp section
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(t)
      {
        int n = collatz(97 + i);
#pragma omp atomic
        t += n;
      }
    }
#pragma omp section
    for (int i = 0; i < 200; i++) s += row[i] > 100;
  }
  printf("%ld %ld %d\n", s, t, cell[SIDE][SIDE]);
  return 0;
}
