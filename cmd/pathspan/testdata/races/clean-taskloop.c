int a[100], b[100];
int main(void) {
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(10)
  for (int i = 0; i < 100; i++) b[i] = a[99 - i];
  return b[3] == 1;
}
