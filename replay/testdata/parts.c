/* Each of four sections, or threads of a loop, works on its part of an array again and again, in two constructs by turns. */
#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 4, MOST = 400, SIDE = 48 };

static struct {
  double place, speed, force;
} bodies[PARTS][MOST];

static double pull(int part, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += bodies[part][i].force = -bodies[part][i].place * 0.01;
  return sum;
}

static void move(int part, int n) {
  for (int i = 0; i < n; i++) bodies[part][i].place += bodies[part][i].speed += bodies[part][i].force;
}

static double by_sections(int n, int rounds) {
  double sum[PARTS] = {0};
  for (int r = 0; r < rounds; r++) {
#pragma omp parallel
    {
#pragma omp sections
      {
#pragma omp section
        sum[0] = pull(0, n);
#pragma omp section
        sum[1] = pull(1, n);
#pragma omp section
        sum[2] = pull(2, n);
#pragma omp section
        sum[3] = pull(3, n);
      }
#pragma omp sections
      {
#pragma omp section
        move(0, n);
#pragma omp section
        move(1, n);
#pragma omp section
        move(2, n);
#pragma omp section
        move(3, n);
      }
    }
  }
  return sum[0] + sum[1] + sum[2] + sum[3];
}

static double by_loops(double *from, double *to, int rounds) {
  for (int r = 0; r < rounds; r++) {
#pragma omp parallel for schedule(static)
    for (int y = 1; y < SIDE - 1; y++)
      for (int x = 1; x < SIDE - 1; x++)
        to[y * SIDE + x] = 0.25 * (from[y * SIDE + x - 1] + from[y * SIDE + x + 1] + from[(y - 1) * SIDE + x] + from[(y + 1) * SIDE + x]);
#pragma omp parallel for schedule(static)
    for (int y = 1; y < SIDE - 1; y++)
      for (int x = 1; x < SIDE - 1; x++) from[y * SIDE + x] = to[y * SIDE + x];
  }
  return from[SIDE + 1];
}

int main(int argc, char **argv) {
  int loops = argc > 1;
  (void)argv;
  for (int part = 0; part < PARTS; part++)
    for (int i = 0; i < MOST; i++) bodies[part][i].place = part + i;
  double *from = calloc(SIDE * SIDE, sizeof *from), *to = calloc(SIDE * SIDE, sizeof *to);
  for (int i = 0; i < SIDE; i++) from[i] = to[i] = 100;
  printf("%.6f\n", loops ? by_loops(from, to, 60) : by_sections(150, 80));
  return 0;
}
