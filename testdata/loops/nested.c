/* A loop whose iterations reach a region of sections. */
double a[400], b[400];
__attribute__((noinline)) void two(int i) {
#pragma omp parallel sections
  {
#pragma omp section
    for (int k = 0; k < 30; k++) a[i] += k / (i + 1.0);
#pragma omp section
    for (int k = 0; k < 40; k++) b[i] += k / (i + 2.0);
  }
}
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 50; i++)
    two(i);
  return a[7] < 0;
}
