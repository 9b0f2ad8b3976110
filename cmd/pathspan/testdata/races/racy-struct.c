struct pair { // race: p
  short low, high;
} p;
static void one(int n) {
  for (int i = 0; i < n; i++) p.low = (short)i;
}
static void two(int n) {
  for (int i = 0; i < n; i++) p = (struct pair){(short)i, (short)-i};
}
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    one(50);
#pragma omp section
    two(60);
  }
  return p.low == 5;
}
