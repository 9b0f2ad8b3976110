int out[300];
int main(void) {
  int scratch[8];
#pragma omp parallel for private(scratch)
  for (int i = 0; i < 300; i++) {
    for (int k = 0; k < 8; k++) scratch[k] = i + k;
    for (int k = 0; k < 8; k++) out[i] += scratch[(k + i) % 8];
  }
  return out[3] == 1;
}
