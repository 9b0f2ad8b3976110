int result[2], last; // race: last
static int sum(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += i * i % 7;
  last = s;
  return s;
}
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    result[0] = sum(100);
#pragma omp task
    result[1] = sum(200);
  }
  return result[0] == result[1] + last;
}
