int a[600], most; // race: most
int main(void) {
  for (int i = 0; i < 600; i++) a[i] = i * 37 % 601;
#pragma omp parallel for
  for (int i = 0; i < 600; i++)
    if (a[i] > most) most = a[i];
  return most == 3;
}
