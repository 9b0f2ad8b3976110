int histogram[7]; // race: histogram
unsigned char data[500];
int main(void) {
  for (int i = 0; i < 500; i++) data[i] = (unsigned char)(i * 31 % 7);
#pragma omp parallel for
  for (int i = 0; i < 500; i++) histogram[data[i]]++;
  return histogram[2] == 0;
}
