int n, order[100];
int main(void) {
#pragma omp parallel for ordered
  for (int i = 0; i < 100; i++) {
    int x = i * i % 17;
#pragma omp ordered
    order[n++] = x;
  }
  return n != 100;
}
