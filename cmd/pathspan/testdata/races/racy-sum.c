double a[1000], sum; // race: sum
int main(void) {
  for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp parallel for
  for (int i = 0; i < 1000; i++) sum += a[i];
  return sum < 0;
}
