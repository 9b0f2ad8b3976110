/* Lines of a picture are looked up in a table that changes with each picture, and its columns are smoothed. */
#include <stdio.h>

enum { W = 160, H = 90, T = 4096 };
static unsigned short picture[H][W], out[H][W], table[T];

int main(void) {
  unsigned seed = 4;
  long sum = 0;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) picture[y][x] = ((seed = seed * 1664525u + 1013904223u) >> 16) % T;
  for (int frame = 0; frame < 8; frame++) {
    for (int i = 0; i < T; i++) table[i] = (i * (frame + 2) + i * i / 64) & 0xfff;
#pragma omp parallel for
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) out[y][x] = table[picture[y][x]];
#pragma omp parallel for
    for (int x = 0; x < W; x++) {
      unsigned mean = 0;
      for (int y = 0; y < H; y++) {
        mean = (mean + out[y][x]) / 2;
        picture[y][x] = (picture[y][x] + mean) % T;
      }
    }
    sum += picture[3][frame];
  }
  printf("%ld\n", sum);
  return 0;
}
