double a[500]; // race: a
int main(void) {
  for (int i = 0; i < 500; i++) a[i] = i % 9;
#pragma omp parallel for schedule(static, 4)
  for (int i = 1; i < 499; i++) a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
  return a[7] < 0;
}
