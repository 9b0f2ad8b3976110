// Calls of all kinds for the conformance kit.
extern "C" {
int puts(const char *);
int printf(const char *, ...);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int no_library_has_this(int);
int _setjmp(void *);

int library(char *to, const char *from, int n) {
  memcpy(to, from, 64);
  memset(to, 0, (unsigned long)n);
  return printf("%d\n", no_library_has_this(n)) + puts(from);
}

int recursive(int n) { return n < 2 ? n : recursive(n - 1) + recursive(n - 2); }

int indirect(int (*f)(int), int n) { return f(n) + recursive(n); }

int assembly(int x) {
  asm volatile("nop" : "+r"(x));
  asm goto("" : : : : out);
  return x;
out:
  return -x;
}

int jumps(void *buffer) { return _setjmp(buffer) ? 1 : no_library_has_this(0); }
}

int throwing(int n) {
  try {
    return no_library_has_this(n);
  } catch (int e) {
    return e;
  }
}
