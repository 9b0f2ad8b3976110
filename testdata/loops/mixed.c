/* A triangular loop, one that is even, and sections, all in one region. */
double a[300], b[300];
int main(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 300; i++)
      for (int j = 0; j <= i; j++)
        a[i] += j * 0.5 / (i + 1);
#pragma omp for schedule(dynamic, 8)
    for (int i = 0; i < 200; i++)
      for (int j = 0; j < 50; j++)
        b[i] += a[i] * 0.5 / (j + 1);
#pragma omp sections
    {
#pragma omp section
      for (int i = 0; i < 300; i++) a[i] += b[i] / 3;
#pragma omp section
      for (int i = 0; i < 200; i++) b[i] += i / 3.0;
    }
  }
  return a[7] < 0;
}
