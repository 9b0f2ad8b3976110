int shared, copy[100]; // race: shared
static void add(int i) {
#pragma omp critical(one)
  shared += i;
}
static void take(int i) {
#pragma omp critical(two)
  copy[i] = shared++;
}
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) {
    add(i);
    take(i);
  }
  return copy[3] == 77;
}
