/* Edges of an image, as J. Canny finds them ("A Computational Approach to Edge Detection", IEEE
 * Trans. PAMI 8(6), 1986): smoothed, derived, thinned, and followed from strong edges to weak
 * ones. Each step is a function that reads what others wrote, so that what crosses between them
 * is known from the size of the image. Usage: canny [ROWS COLUMNS] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CENTRE = 7, TAPS = 2 * CENTRE + 1, WEAK = 1, STRONG = 2, LOW = 40, HIGH = 90 };

typedef unsigned char byte;

static void *allocate(size_t n, size_t size) {
  void *p = malloc(n * size);
  if (!p) {
    fputs("canny: out of memory\n", stderr);
    exit(1);
  }
  return p;
}

/* A rectangle that becomes brighter from row to row. */
static byte *make_image(int rows, int columns) {
  byte *image = allocate((size_t)rows * columns, sizeof *image);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      int inside = r >= rows / 4 && r < rows - rows / 4 && c >= columns / 4 && c < columns - columns / 4;
      image[r * columns + c] = (byte)(inside ? 20 + 200 * r / rows : 20);
    }
  return image;
}

static float *make_gaussian_kernel(float sigma) {
  float *kernel = allocate(TAPS, sizeof *kernel), sum = 0;
  for (int i = 0; i < TAPS; i++) {
    float x = (float)(i - CENTRE) / sigma;
    kernel[i] = expf(-0.5f * x * x);
    sum += kernel[i];
  }
  for (int i = 0; i < TAPS; i++) kernel[i] /= sum;
  return kernel;
}

/* Along rows, then along columns; outside of the image there is nothing to weigh. */
static short *gaussian_smooth(const byte *image, int rows, int columns, float sigma) {
  float *kernel = make_gaussian_kernel(sigma);
  float *tempim = allocate((size_t)rows * columns, sizeof *tempim);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      float dot = 0, sum = 0;
      for (int k = -CENTRE; k <= CENTRE; k++)
        if (c + k >= 0 && c + k < columns) {
          dot += image[r * columns + c + k] * kernel[CENTRE + k];
          sum += kernel[CENTRE + k];
        }
      tempim[r * columns + c] = dot / sum;
    }
  short *smoothedim = allocate((size_t)rows * columns, sizeof *smoothedim);
  for (int c = 0; c < columns; c++)
    for (int r = 0; r < rows; r++) {
      float dot = 0, sum = 0;
      for (int k = -CENTRE; k <= CENTRE; k++)
        if (r + k >= 0 && r + k < rows) {
          dot += tempim[(r + k) * columns + c] * kernel[CENTRE + k];
          sum += kernel[CENTRE + k];
        }
      smoothedim[r * columns + c] = (short)(dot * 4 / sum + 0.5f);
    }
  free(tempim);
  free(kernel);
  return smoothedim;
}

/* Two loops that share what they read. Pixels at the rim have no neighbour on one side. */
static void derivative_x_y(const short *smoothedim, int rows, int columns, short **delta_x, short **delta_y) {
  short *dx = allocate((size_t)rows * columns, sizeof *dx), *dy = allocate((size_t)rows * columns, sizeof *dy);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      int left = c > 0 ? c - 1 : 0, right = c + 1 < columns ? c + 1 : c;
      dx[r * columns + c] = (short)(smoothedim[r * columns + right] - smoothedim[r * columns + left]);
    }
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      int above = r > 0 ? r - 1 : 0, below = r + 1 < rows ? r + 1 : r;
      dy[r * columns + c] = (short)(smoothedim[below * columns + c] - smoothedim[above * columns + c]);
    }
  *delta_x = dx;
  *delta_y = dy;
}

static short *magnitude_x_y(const short *delta_x, const short *delta_y, int n) {
  short *magnitude = allocate((size_t)n, sizeof *magnitude);
  for (int i = 0; i < n; i++) {
    float x = delta_x[i], y = delta_y[i];
    magnitude[i] = (short)(sqrtf(x * x + y * y) + 0.5f);
  }
  return magnitude;
}

/* What is larger than its neighbours across the edge stays. */
static byte *non_max_supp(const short *magnitude, const short *delta_x, const short *delta_y, int rows, int columns) {
  byte *edge = allocate((size_t)rows * columns, sizeof *edge);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      if (r == 0 || r == rows - 1 || c == 0 || c == columns - 1) {
        edge[r * columns + c] = 0;
        continue;
      }
      int at = r * columns + c, x = delta_x[at], y = delta_y[at];
      int across = abs(x) > 2 * abs(y) ? 1 : abs(y) > 2 * abs(x) ? columns : (x > 0) == (y > 0) ? columns + 1 : columns - 1;
      int m = magnitude[at], before = magnitude[at - across], behind = magnitude[at + across];
      int most = (m > before) & (m >= behind);
      edge[at] = (byte)(most * ((m >= LOW) * WEAK + (m >= HIGH) * (STRONG - WEAK)));
    }
  return edge;
}

/* Weak edges that touch strong ones become strong. Returns how many there are; first tells how
 * many were strong before. */
static int apply_hysteresis(byte *edge, int rows, int columns, int *first) {
  int *stack = allocate((size_t)rows * columns, sizeof *stack), top = 0, strong = 0;
  for (int i = 0; i < rows * columns; i++)
    if (edge[i] == STRONG) stack[top++] = i;
  *first = top;
  while (top > 0) {
    int at = stack[--top];
    for (int dr = -1; dr <= 1; dr++)
      for (int dc = -1; dc <= 1; dc++) {
        int next = at + dr * columns + dc;
        if (edge[next] == WEAK) {
          edge[next] = STRONG;
          stack[top++] = next;
        }
      }
  }
  for (int i = 0; i < rows * columns; i++) strong += edge[i] == STRONG;
  free(stack);
  return strong;
}

int main(int argc, char **argv) {
  int rows = argc > 2 ? atoi(argv[1]) : 48, columns = argc > 2 ? atoi(argv[2]) : 64;
  if (rows < 3 || columns < 3 || rows > 4096 || columns > 4096) {
    fputs("usage: canny [ROWS COLUMNS], each of 3 to 4096\n", stderr);
    return 2;
  }
  byte *image = make_image(rows, columns);
  short *smoothedim = gaussian_smooth(image, rows, columns, 2.5f), *delta_x, *delta_y;
  derivative_x_y(smoothedim, rows, columns, &delta_x, &delta_y);
  short *magnitude = magnitude_x_y(delta_x, delta_y, rows * columns);
  byte *edge = non_max_supp(magnitude, delta_x, delta_y, rows, columns);
  int first, strong = apply_hysteresis(edge, rows, columns, &first);
  printf("%d by %d pixels: %d on strong edges, %d with what touches them\n", rows, columns, first, strong);
  free(edge);
  free(magnitude);
  free(delta_y);
  free(delta_x);
  free(smoothedim);
  free(image);
  return 0;
}
