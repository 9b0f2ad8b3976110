/* What a receiver does with a block of samples, four things beside each other. */
#define N 4096
#define TAPS 32
#define EVERY 8
float in[N + TAPS], taps[TAPS], filtered[N / EVERY], gain[N], level[N], out[N];
int order[N], bits[N];

static void filter(void)
{
  for (int i = 0; i < N / EVERY; i++) {
    float sum = 0;
#pragma clang loop unroll(disable) vectorize(disable)
    for (int k = 0; k < TAPS; k++)
      sum += in[i * EVERY + k] * taps[k];
    filtered[i] = sum;
  }
}

static void normalise(float by)
{
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 0; i < N; i++)
    out[i] = in[i] / by * gain[i];
}

static void integrate(void)
{
  float sum = 0;
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 0; i < N; i++)
    level[i] = sum = sum + gain[i];
}

static void decide(void)
{
  unsigned state = 1;
  for (int i = 0; i < N; i++) {
    state = state * 1103515245u + (unsigned)bits[i];
    if (state >> 16 & 1)
      order[state >> 20] = i;
    else
      order[i] ^= (int)(state >> 8);
  }
}

int main(void)
{
  for (int i = 0; i < N + TAPS; i++)
    in[i] = i % 17;
  for (int i = 0; i < N; i++)
    gain[i] = i % 5, bits[i] = i;
  for (int block = 0; block < 4; block++) {
#pragma omp parallel sections
    {
#pragma omp section
      filter();
#pragma omp section
      normalise(3 + block);
#pragma omp section
      integrate();
#pragma omp section
      decide();
    }
  }
  return 0;
}
