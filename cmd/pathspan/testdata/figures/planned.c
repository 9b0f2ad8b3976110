// A program without pragmas, which planned.yaml makes parallel: statements and calls as sections,
// one inside another, and loops whose iterations differ.
#include <stdio.h>

enum { SIZE = 300 };

static int data[SIZE];
static long sums[4];

static int collatz(int n) {
  int steps = 0;
  for (; n > 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

__attribute__((noinline)) static void fill(int from) {
  for (int i = 0; i < SIZE; i++) data[i] = collatz(from + i);
}

__attribute__((noinline)) static void low(int n) {
  for (int i = 0; i < n; i++) sums[0] += data[i];
}

__attribute__((noinline)) static void high(int n) {
  for (int i = n; i < SIZE; i++) sums[1] += data[i] % 7;
  if (n % 2) {
    for (int i = 0; i < n; i++) sums[2] += data[i] / 3;
    for (int i = 0; i < SIZE; i++) sums[3] += data[i] & 5;
  }
}

int main(void) {
  for (int round = 1; round < 8; round++) {
    fill(round * 100);
    low(round * 40);
    high(round * 30 + round % 2);
  }
  printf("%ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3]);
  return 0;
}
