static int depth(int n) {
  int local[16];
  for (int i = 0; i < 16; i++) local[i] = n + i;
  return n > 0 ? depth(n - 1) + local[n % 16] : local[3];
}
int out[50];
int main(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 50; i++) out[i] = depth(i);
  return out[3] == 0;
}
