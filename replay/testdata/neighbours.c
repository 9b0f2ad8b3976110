/* Sections, iterations and tasks that count each for itself, in words that lie so many words apart: side by side in one line, or each
 * in a line of its own. */
#ifndef APART
#define APART 1
#endif
enum { PARTS = 4, STEPS = 3000, ROUNDS = 4 };

static _Alignas(64) volatile long count[PARTS * 64];
static volatile long other[PARTS * 64];

static void steps(int part, int n) {
  for (int i = 0; i < n; i++) {
    other[part * 64 + i % 8] = i;
    count[part * APART]++;
  }
}

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel sections
    {
#pragma omp section
      steps(0, STEPS);
#pragma omp section
      steps(1, STEPS);
#pragma omp section
      steps(2, STEPS);
#pragma omp section
      steps(3, STEPS);
    }
#pragma omp parallel for schedule(dynamic)
    for (int part = 0; part < PARTS; part++) steps(part, STEPS);
#pragma omp parallel
#pragma omp single
    for (int part = 0; part < PARTS; part++) {
#pragma omp task firstprivate(part)
      steps(part, STEPS);
    }
  }
  long sum = 0;
  for (int part = 0; part < PARTS; part++) sum += count[part * APART];
  return sum != (long)PARTS * STEPS * ROUNDS * 3;
}
