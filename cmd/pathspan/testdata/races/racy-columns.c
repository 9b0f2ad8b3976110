double m[40][40]; // race: m
int main(void) {
  for (int i = 0; i < 40; i++) m[0][i] = m[i][0] = i;
#pragma omp parallel for
  for (int r = 1; r < 40; r++)
    for (int c = 1; c < 40; c++) m[r][c] = m[r - 1][c] + m[r][c - 1];
  return m[5][5] < 0;
}
