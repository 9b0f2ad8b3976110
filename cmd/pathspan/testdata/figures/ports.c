/* What crosses between functions, and the memory that they need, in numbers that can be counted
 * by hand (comm_test.go): of the shape of Figs. 5 and 7 of Cai and Gajski's report on SpecC. */
#include <stdlib.h>

#define APART __attribute__((noinline))

volatile int x = 3, y = 5;

APART static void C(volatile int *cx1, volatile int *cx2) {
  int s = *cx1 + *cx1 + *cx2;
  x = y + 0 * s;
}

APART static void B(void) {
  for (int i = 0; i < 6; i++) C(&x, &y);
}

APART static int F0(int i) {
  volatile char X[16];
  X[i] = 1;
  return X[i];
}

APART static int F1(int i) {
  volatile char E[24], L[40];
  E[i] = L[i] = 2;
  return F0(i) + E[i] + L[i];
}

APART static int F2(int i) {
  volatile char M[60];
  M[i] = 3;
  return M[i];
}

APART static int parent(int i) {
  volatile char P[8];
  volatile char *D = malloc(100);
  P[i] = D[i] = 4;
  int sum = F1(i) + F2(i) + P[i] + D[i];
  free((void *)D);
  return sum;
}

APART static void one(int i, int *out) {
  volatile char K[32];
  K[i] = 1;
  *out = K[i];
}

APART static void two(int i, int *out) {
  volatile char K[48];
  K[i] = 2;
  *out = K[i];
}

APART static int split(int i) {
  int first, second;
#pragma omp parallel sections
  {
#pragma omp section
    one(i, &first);
#pragma omp section
    two(i, &second);
  }
  return first + second;
}

APART static int deep(int n) {
  volatile char here[12];
  here[n] = 1;
  return n > 0 ? deep(n - 1) + here[n] : 0;
}

int main(int argc, char **argv) {
  (void)argv;
  x = 1;
  y = 2;
  for (int i = 0; i < 5; i++) B();
  return (x + parent(argc) + split(argc) + deep(argc)) == 99;
}
