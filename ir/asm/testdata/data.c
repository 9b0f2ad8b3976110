/* Types and constants: structs, bit fields, unions, vectors, floating point of
   every width, 128-bit integers, atomics, thread-locals. */
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

typedef float v4f __attribute__((vector_size(16)));
typedef int v4i __attribute__((vector_size(16)));

struct bits { unsigned a : 3, b : 7; int c : 12; unsigned long long d : 40; };
struct node { struct node *next; int key; double weight; char name[5]; };
struct big { int v[16]; struct { short s; char c; } in[2]; };
union either { double d; uint64_t u; struct node *p; };
struct __attribute__((packed)) tight { char c; int i; long double ld; };

_Thread_local int counter = 3;
static _Thread_local struct node scratch;
const double constants[] = {1.0, -0.5, 1e300, 0.1, __builtin_nan(""), __builtin_inf(), -0.0};
const float floats[] = {1.5f, 3.14159274f, 1e-40f};
long double wide = 3.14159265358979323846L;
__int128 huge = ((__int128)1) << 100;
const char text[] = "quote \" semicolon ; brace { back \\ nul \0 high \xff";
int (*operation)(int, int);
struct node list[2] = {{&list[1], 1, 2.5, "one"}, {0, 2, 0.1, "two"}};

int get(struct bits *b) { b->a = 5; b->d += b->b; return b->c; }
double walk(const struct node *n) { double s = 0; for (; n; n = n->next) s += n->weight * n->key; return s; }
struct big copy(struct big b, int i) { b.in[i & 1].c = (char)b.v[i]; return b; }
double punned(uint64_t u) { union either e; e.u = u ^ 1; return e.d; }
int packed(struct tight *t) { t->ld *= 2; return t->i + t->c; }
v4f fused(v4f a, v4f b) { v4f r = a * b + a; r[2] = b[1]; return r; }
v4i mixed(v4f a, v4i m) { return __builtin_convertvector(a, v4i) + __builtin_shufflevector(m, m, 3, 2, 1, 0); }
int compare(v4i a, v4i b) { v4i c = a < b; return c[0] + c[3]; }
__int128 multiply(__int128 a, int64_t b) { return a * b + huge; }
int swap(_Atomic int *p, int v) {
  int old = atomic_load(p);
  while (!atomic_compare_exchange_weak(p, &old, v)) { }
  atomic_thread_fence(memory_order_acquire);
  return atomic_fetch_add_explicit(p, counter, memory_order_relaxed) + old;
}
unsigned convert(double d, float f, long double l, int i) {
  return (unsigned)d + (unsigned char)f + (unsigned)(long)l + (unsigned)(float)i + (unsigned)(short)i;
}
void clear(struct big *b, int n) { memset(b, 0, sizeof *b); memmove(b->v + 1, b->v, (size_t)n); scratch.key++; }
int call(int a) { return operation ? operation(a, ~a) : (int)text[a & 15]; }
