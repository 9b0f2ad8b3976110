unsigned char data[500];
int main(void) {
  int histogram[7] = {0};
  for (int i = 0; i < 500; i++) data[i] = (unsigned char)(i * 31 % 7);
#pragma omp parallel for reduction(+ : histogram[:7])
  for (int i = 0; i < 500; i++) histogram[data[i]]++;
  return histogram[2] == 0;
}
