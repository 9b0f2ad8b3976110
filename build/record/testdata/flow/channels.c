/* Tokens that are read in order or not, once or more often. */
#ifndef REVERSED
#define REVERSED 0
#endif
#ifndef MULTIPLE
#define MULTIPLE 0
#endif
enum { N = 5 };
int in[N]; /* which other code might have filled */
static int a[N], b[N][N], out[N][N];

static int producer(int v) { return v + 1; }
static int consumer(int v) { return 3 * v; }
static void sink(int v, int *to) { *to = v; }

int main(void) {
  for (int i = 0; i < N; i++) a[i] = producer(in[i]);
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= (MULTIPLE ? i : 0); j++) b[i][j] = consumer(a[REVERSED ? N - 1 - i : i]);
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= (MULTIPLE ? i : 0); j++) sink(b[i][j], &out[i][j]);
  return 0;
}
