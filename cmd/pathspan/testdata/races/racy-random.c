unsigned state = 1; // race: state
int out[200];
static unsigned next(void) { return state = state * 1103515245u + 12345u; }
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 200; i++) out[i] = (int)(next() >> 16);
  return out[5] == 1;
}
