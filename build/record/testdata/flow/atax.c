/* y = A'(A x), element by element. */
enum { N = 32 };
double in[N][N], x[N]; /* which other code might have filled */
static double a[N][N], y[N], tmp[N], out[N];

static void source(double v, double *to) { *to = v; }
static double y_init(void) { return 0; }
static double tmp_init(void) { return 0; }
static double tmp_update(double sum, double v, double w) { return sum + v * w; }
static double y_update(double sum, double v, double w) { return sum + v * w; }
static void sink(double v, double *to) { *to = v; }

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) source(in[i][j], &a[i][j]);
  for (int i = 0; i < N; i++) y[i] = y_init();
  for (int i = 0; i < N; i++) {
    tmp[i] = tmp_init();
    for (int j = 0; j < N; j++) tmp[i] = tmp_update(tmp[i], a[i][j], x[j]);
    for (int j = 0; j < N; j++) y[j] = y_update(y[j], a[i][j], tmp[i]);
  }
  for (int i = 0; i < N; i++) sink(y[i], &out[i]);
  return 0;
}
