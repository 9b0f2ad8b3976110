char text[64];
int main(void) {
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 64; i++) text[i] = (char)('a' + i % 26);
  return text[0] == 'z';
}
