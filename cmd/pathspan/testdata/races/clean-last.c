double a[400];
int main(void) {
  double x = 3, last = 0;
#pragma omp parallel for firstprivate(x) lastprivate(last)
  for (int i = 0; i < 400; i++) {
    a[i] = i * x;
    last = a[i];
  }
  return last < 0;
}
