/* Values on their way from one statement to the next: variables, sums, structures, copies,
 * pointers, conditions. What each line reads stands behind it. */
#include <stdlib.h>
#include <string.h>
struct pair { long a, b; };
struct wide { long part[6]; };
int in[4];
static int a[4], b[4], c[4];
static struct wide w, copy;

static int make(int v) { return v; }
static int use(int v) { return v; }
static struct pair split(int v) { return (struct pair){v, v + 1}; }
static struct wide widen(int v) { return (struct wide){{v, v, v, v, v, v}}; }
static long narrow(struct wide v) { return v.part[5]; }
static void fill(int *to, int n) { for (int i = 0; i < n; i++) to[i] = n; }
static int total(const int *from, int n) { int s = 0; for (int i = 0; i < n; i++) s += from[i]; return s; }
static void local(int *to) { int x[8]; for (int i = 0; i < 8; i++) x[i] = to[i & 3] + i; *to = x[0] + x[4]; }

int main(int argc, char **argv) {
  (void)argv;
  int x = make(in[0]);           /* 0 */
  int y = make(5);               /* 1 */
  int z = use(x + 2 * y);        /* 2: 0 1 */
  int k = argc > 1 ? x : z;
  use(k);                        /* 3: 2 */
  struct pair p = split(k);      /* 4: 2 */
  a[1] = (int)p.b;
  use(a[1]);                     /* 5: 4 */
  fill(b, 3);                    /* 6 */
  b[1] = 0;
  use(b[0]);                     /* 7: 6 */
  use(b[1]);                     /* 8: */
  memcpy(c, b, sizeof b);
  total(c, 4);                   /* 9: 6 */
  w = widen(x);                  /* 10: 0 */
  copy = w;
  narrow(copy);                  /* 11: 10 */
  local(b);                      /* 12: 6 */
  use(b[0]);                     /* 13: 12 */
  int s = 0;
  for (int i = 0; i < 3; i++) s += make(in[i]); /* 14 15 16 */
  use(s);                        /* 17: 14 15 16 */
  int *m = malloc(2 * sizeof *m);
  fill(m, 2);                    /* 18 */
  m = realloc(m, 4096 * sizeof *m);
  use(m[1]);                     /* 19: 18 */
  free(m);
  m = malloc(4096 * sizeof *m); /* where the other was, perhaps */
  m[0] = 3;
  total(m, 1);                   /* 20: */
  free(m);
  return 0;
}
