int n, largest;
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 400; i++) {
#pragma omp critical
    {
      n++;
      if (i * 7 % 100 > largest) largest = i * 7 % 100;
    }
  }
  return n != 400;
}
