int a[100], b[100];
static void fill(int *p, int k) {
  for (int i = 0; i < 100; i++) p[i] = i * k;
}
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    fill(a, 3);
#pragma omp section
    fill(b, 5);
  }
  return a[4] != 12 || b[4] != 20;
}
