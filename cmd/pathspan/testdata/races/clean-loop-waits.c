int a[100], total;
static void add(int i) { total += a[i]; }
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(i)
    add(i);
#pragma omp taskwait
  }
  return total == 3;
}
