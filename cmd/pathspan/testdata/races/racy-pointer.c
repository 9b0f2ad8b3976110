static char a[8 * 40];
int main(void) {
  char *p = a; // race: p, which goes on and on from itself
#pragma omp parallel for
  for (int i = 0; i < 40; i++) {
    *p++ = 1;
    *p++ = 2;
    *p++ = 3;
    *p++ = 4;
    *p++ = 5;
    *p++ = 6;
    *p++ = 7;
    *p++ = 8;
  }
  return p != a + sizeof a;
}
