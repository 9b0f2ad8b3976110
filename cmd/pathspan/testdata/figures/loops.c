// Worksharing loops of several schedules beside sections: a triangle, a loop whose iterations
// differ by what the data say, and one that is called with different lengths.
#include <stdio.h>

static int data[600];
static double rows[600];

static int collatz(int n) {
  int steps = 0;
  for (; n > 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

__attribute__((noinline)) static long sum(int n) {
  long s = 0;
#pragma omp parallel for schedule(static, 7) reduction(+ : s)
  for (int i = 0; i < n; i++) s += data[i] % 13 ? data[i] : collatz(i);
  return s;
}

int main(void) {
  long a = 0, b = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 4)
    for (int i = 0; i < 600; i++) data[i] = collatz(i + 1);
#pragma omp for
    for (int i = 0; i < 600; i++) {
      double t = 0;
      for (int j = 0; j <= i; j++) t += data[j] * 0.5;
      rows[i] = t;
    }
#pragma omp sections
    {
#pragma omp section
      for (int i = 0; i < 400; i++) a += data[i];
#pragma omp section
      for (int i = 0; i < 600; i++) b += rows[i] > 100;
    }
  }
  for (int n = 100; n <= 600; n += 250) a += sum(n);
  printf("%ld %ld\n", a, b);
  return 0;
}
