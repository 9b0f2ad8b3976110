double a[20][20], b[20][20], c[20][20];
int main(void) {
  for (int i = 0; i < 400; i++) a[i / 20][i % 20] = b[i % 20][i / 20] = i;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 20; j++)
      for (int k = 0; k < 20; k++) c[i][j] += a[i][k] * b[k][j];
  return c[3][4] < 0;
}
