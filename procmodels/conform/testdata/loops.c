// Integer code for the conformance kit: loops, branches, a switch, memory.
unsigned checksum(const unsigned char *p, int n) {
  unsigned s = 1;
  for (int i = 0; i < n; i++)
    s = (s << 5 | s >> 27) ^ p[i];
  return s;
}

int classify(int x) {
  switch (x) {
  case 1: return 7;
  case 2: return 1;
  case 3: return x / 3;
  case 9: return 4;
  default: return x % 10 ? -x : x * x;
  }
}

long matrix(int a[8][8], const int b[8][8]) {
  long sum = 0;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      a[i][j] += b[j][i];
      if (a[i][j] > 100)
        sum += a[i][j];
    }
  return sum;
}

int both(const unsigned char *p, int n) { return classify(n) + (int)checksum(p, n); }
