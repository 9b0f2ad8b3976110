int a[100], total; // race: total
int main(void) {
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(10)
  for (int i = 0; i < 100; i++) total += a[i];
  return total == 3;
}
