int n, seen[400]; // race: n
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 400; i++) {
#pragma omp atomic
    n += i & 1;
    seen[i] = n;
  }
  return seen[9] == 77;
}
