int a[100], total; // race: a
static void fill(void) {
  for (int i = 0; i < 100; i++) a[i] = i;
}
static void add(void) {
  int s = 0;
  for (int i = 0; i < 100; i++) s += a[i];
  total = s;
}
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    fill();
#pragma omp section
    add();
  }
  return total < 0;
}
