int in[300], out[300], n; // race: n
int main(void) {
  for (int i = 0; i < 300; i++) in[i] = i * 7 % 11;
#pragma omp parallel for
  for (int i = 0; i < 300; i++)
    if (in[i] > 5) out[n++] = in[i];
  return n == 2;
}
