int a[200]; // race: a
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 199; i++) a[i] = a[i + 1] + 1;
  return a[3] == 9;
}
