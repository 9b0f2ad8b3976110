double a[1000];
int main(void) {
  double sum = 0;
  int most = 0;
#pragma omp parallel for reduction(+ : sum) reduction(max : most)
  for (int i = 0; i < 1000; i++) {
    a[i] = i * 7 % 31;
    sum += a[i];
    if (a[i] > most) most = (int)a[i];
  }
  return sum < most;
}
