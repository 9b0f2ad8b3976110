int a[100], to[300]; // race: a
int main(void) {
  for (int i = 0; i < 300; i++) to[i] = i * i % 100;
#pragma omp parallel for
  for (int i = 0; i < 300; i++) a[to[i]] = i;
  return a[4] == 1;
}
