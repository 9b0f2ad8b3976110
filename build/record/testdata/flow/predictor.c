/* Each element is predicted from those above and left of it. */
enum { X = 5, Y = 5 };
int data_in[X][Y]; /* which other code might have filled */
static int data_out[X][Y];

static void source(int *to, int v) { *to = v + 1; }
static void transformer(int *to, int above, int left) { *to = above + left; }
static void sink(int v, int *to) { *to = v; }

static void predictor(int in[X][Y], int out[X][Y]) {
  int a[X][Y];
  for (int i = 0; i < X; i++)
    for (int j = 0; j < Y; j++) source(&a[i][j], in[i][j]);
  for (int i = 1; i < X; i++)
    for (int j = 1; j < Y; j++) transformer(&a[i][j], a[i - 1][j], a[i][j - 1]);
  for (int i = 1; i < X; i++)
    for (int j = 1; j < Y; j++) sink(a[i][j], &out[i][j]);
}

int main(void) {
  predictor(data_in, data_out);
  return 0;
}
