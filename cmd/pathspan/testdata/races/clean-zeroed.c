// Loops of which the compiler makes one call each.
int a[4000], b[4000];
int main(void) {
  for (int round = 0; round < 3; round++) {
#pragma omp parallel for
    for (int i = 0; i < 4000; i++) a[i] = 0;
#pragma omp parallel for
    for (int i = 0; i < 4000; i++) b[i] = a[i];
    a[round] = b[9] + round;
  }
  return b[0];
}
