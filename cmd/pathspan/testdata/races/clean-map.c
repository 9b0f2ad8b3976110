double a[1000], b[1000];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 1; i < 999; i++) b[i] = a[i - 1] + a[i + 1];
  return b[3] < 0;
}
