static int fib(int n) {
  if (n < 2) return n;
  int x, y;
#pragma omp task shared(x)
  x = fib(n - 1);
  y = fib(n - 2);
#pragma omp taskwait
  return x + y;
}
int main(void) {
  int r = 0;
#pragma omp parallel
#pragma omp single
  r = fib(12);
  return r != 144;
}
