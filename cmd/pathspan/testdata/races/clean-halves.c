int a[200];
int main(void) {
  for (int i = 100; i < 200; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[i] = a[i + 100] + 1;
  return a[3] == 9;
}
