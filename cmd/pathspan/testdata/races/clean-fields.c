struct pair {
  int low, high;
} p;
static void one(int n) {
  for (int i = 0; i < n; i++) p.low += i;
}
static void two(int n) {
  for (int i = 0; i < n; i++) p.high -= i;
}
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    one(50);
#pragma omp section
    two(60);
  }
  return p.low == p.high;
}
