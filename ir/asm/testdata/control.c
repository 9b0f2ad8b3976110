/* Control flow that compilers emit rarely: computed goto, setjmp, irreducible
   loops, duplicate switch targets, endless loops, asm goto. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf env;

int dense(int op, int a, int b) {
  switch (op) {
  case 0: return a + b;
  case 1: return a - b;
  case 2: case 3: return a * b;
  case 4: if (b) return a / b; /* fall through */
  case 100: abort();
  case 2000000000: exit(a);
  default: printf("%d\n", op);
  }
  return a;
}

int interpret(const unsigned char *code) {
  static const void *const dispatch[] = {&&halt, &&inc, &&dec, &&twice};
  int acc = 0;
  goto *dispatch[*code & 3];
inc:   acc++;    goto *dispatch[*++code & 3];
dec:   acc--;    goto *dispatch[*++code & 3];
twice: acc *= 2; goto *dispatch[*++code & 3];
halt:  return acc;
}

int retry(int n) {
  volatile int tries = 0;
  if (setjmp(env) > n) return tries;
  tries++;
  longjmp(env, tries);
}

int sum(int n, ...) {
  va_list ap;
  int s = 0;
  va_start(ap, n);
  while (n-- > 0) s += va_arg(ap, int);
  va_end(ap);
  return s;
}

int irreducible(int n, int odd) {
  int s = 0;
  if (odd) goto middle;
top:
  s += n;
middle:
  s ^= 3;
  if (--n > 0) goto top;
  return s;
}

int jump(int x) {
  __asm__ goto("# %l[out] %l[other]" : : "r"(x) : : out, other);
  return x;
out:
  return 7;
other:
  return 9;
}

void forever(volatile int *flag) {
  for (;;)
    if (*flag == 3) exit(1);
}

unsigned nested(const unsigned *v, unsigned n) {
  unsigned total = 0;
  for (unsigned i = 0; i < n; i++) {
    if (v[i] == 42) continue;
    for (unsigned j = i; j < n; j++) {
      do {
        total += v[j] & 1 ? v[i] : (v[j] && v[i]);
        if (total > 1000000) return total;
      } while (total & 64);
    }
  }
  return total;
}

int recursive(int n) { return n < 2 ? n : recursive(n - 1) + recursive(n - 2); }

int main(int argc, char **argv) {
  static const unsigned char code[] = {1, 3, 3, 2, 0};
  unsigned v[] = {1, 2, 3, 42, 5};
  printf("%d %d %d %u\n", dense(argc, 2, 3), interpret(code), sum(3, 1, 2, 3), nested(v, 5));
  return retry(2) + irreducible(argc, argv != 0) + jump(argc) + recursive(argc);
}
