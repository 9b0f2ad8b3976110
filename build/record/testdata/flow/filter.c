/* Two filters of one source, whose results meet. */
enum { N = 4 };
static int a[N], x[N], y[N];

static int source(void) { return 7; }
static int foo(int v) { return v + 1; }
static int bar(int v) { return 2 * v; }
static void sink(int v, int w) { (void)v, (void)w; }

int main(void) {
  for (int i = 0; i < N; i++) a[i] = source();
  for (int i = 0; i < N; i++) {
    x[i] = foo(a[i]);
    y[i] = bar(a[i]);
  }
  for (int i = 0; i < N; i++) sink(x[i], y[i]);
  return 0;
}
