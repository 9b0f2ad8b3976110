/* Linkage and the assembler: aliases, ifuncs, weak symbols, sections,
   constructors, inline and module-level assembly, odd symbol names, a call
   without a prototype. */
#include <stdint.h>

__asm__(".globl from_asm\nfrom_asm: ret # { \" ;");

int real(int x) { return x + 1; }
int other_name(int x) __attribute__((alias("real")));
extern __typeof(real) weak_name __attribute__((weak, alias("real")));
static int fast(int x) { return x * 2; }
static int slow(int x) { return x << 1; }
static int (*choose(void))(int) { return sizeof(long) == 8 ? fast : slow; }
int picked(int x) __attribute__((ifunc("choose")));
__attribute__((weak)) int maybe(void);
__attribute__((section("odd.section"), used)) static int placed = 4;
__attribute__((visibility("hidden"))) int hidden_value = 5;
int renamed(int) __asm__("strange$name.with dots");
__attribute__((constructor(200))) static void before(void) { placed++; }
__attribute__((destructor)) static void after(void) { placed--; }
__attribute__((noinline, cold)) int unlikely(int x) { return x ? renamed(x) : 0; }
int no_prototype();

uint64_t ticks(void) {
  uint32_t lo, hi;
  __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
  return (uint64_t)hi << 32 | lo;
}
int add_asm(int a, int b) { __asm__("addl %1, %0" : "+r"(a) : "r"(b) : "cc"); return a; }
void barrier(void) { __asm__ volatile("" ::: "memory"); }
int use(int x) { return no_prototype(x) + picked(x) + other_name(x) + weak_name(x) + (maybe ? maybe() : 0) + hidden_value; }
static inline int inlined(int x) { int y = x * 3; { int z = y + 1; y ^= z; } return y; }
int outer(int x) { int s = 0; for (int i = 0; i < x; i++) s += inlined(i); return s; }
typedef int (*callback)(int);
extern int apply(callback f, int x);
int pass(int x) { return apply(real, x) + apply(x ? fast : slow, x) + apply(other_name, x); }
