int scratch[8], out[300]; // race: scratch
static void work(int i) {
  for (int k = 0; k < 8; k++) scratch[k] = i + k;
  for (int k = 0; k < 8; k++) out[i] += scratch[k];
}
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 300; i++) work(i);
  return out[3] == 1;
}
