/* Figures of the processor: chains of one operation each, whose next waits for the last, and
 * streams of them that do not wait for each other. Empty assembly keeps the compiler from
 * computing any of it beforehand. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#if defined(__aarch64__)
#define IN_FLOAT "w"
#elif defined(__riscv)
#define IN_FLOAT "f"
#else
#define IN_FLOAT "x"
#endif
#define HIDE(x) __asm__ volatile("" : "+r"(x));
#define HIDEF(x) __asm__ volatile("" : "+" IN_FLOAT(x));

#if defined(__x86_64__)
#define SQRT(x) __extension__({ double r; __asm__ volatile("sqrtsd %1, %0" : "=x"(r) : "x"(x)); r; })
#elif defined(__aarch64__)
#define SQRT(x) __extension__({ double r; __asm__ volatile("fsqrt %d0, %d1" : "=w"(r) : "w"(x)); r; })
#else
#define SQRT(x) sqrt(x)
#endif

#define TIMES8(x) x x x x x x x x
#define OF8(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7)
#define FIGURE static __attribute__((noinline)) void
#define LOOP for (long i = 0; i < n; i++)

static volatile uint64_t zero, sink;
static uint64_t large[64];

/* Chains: eight operations for one of n. */
#define CHAIN(name, type, start, hide, op)                          \
	FIGURE name(long n)                                         \
	{                                                           \
		type x = (type)(start + zero), y = (type)(3 + zero); \
		hide(x) hide(y)                                     \
		LOOP { TIMES8(x = op; hide(x)) }                    \
		sink = (uint64_t)x;                                 \
	}
CHAIN(multiply, uint64_t, 7, HIDE, x * y)
CHAIN(divide, uint32_t, 1000, HIDE, 1000003u / x)
CHAIN(divide_long, uint64_t, 1000, HIDE, 1000003u / x)
CHAIN(add_float, double, 7, HIDEF, x + y)
CHAIN(multiply_float, double, 1, HIDEF, x * y)
CHAIN(divide_float, float, 7, HIDEF, y / x)
CHAIN(divide_double, double, 7, HIDEF, y / x)
/* Of what is no square, as some processors are soon done with those: these come to 2.3. */
CHAIN(root, double, 7, HIDEF, SQRT(x + y))
CHAIN(convert, double, 7, HIDEF, (double)(int)x)

FIGURE load(long n)
{
	void *volatile self = (void *)&self;
	void **p = (void **)&self;
	HIDE(p)
	LOOP { TIMES8(p = (void **)*p; HIDE(p)) }
	sink = (uint64_t)p;
}

/* Through a variable in memory: stored, and loaded again. */
FIGURE forward(long n)
{
	volatile uint64_t x = zero;
	uint64_t y;
	LOOP { TIMES8(y = x; HIDE(y) x = y + 1;) } /* not by one instruction, which some processors pass on sooner */
	sink = x;
}

FIGURE forward_float(long n)
{
	volatile double x = (double)zero;
	double y = 3;
	HIDEF(y)
	LOOP { TIMES8(x = x + y;) }
	sink = (uint64_t)x;
}

/* Streams: sixteen operations for one of n. */
#define DECLARE(k) x##k = (type)(k + 7 + zero),
#define EIGHT(hide, op)                                                                 \
	op(x0) hide(x0) op(x1) hide(x1) op(x2) hide(x2) op(x3) hide(x3)                 \
	op(x4) hide(x4) op(x5) hide(x5) op(x6) hide(x6) op(x7) hide(x7)
#define STREAM(name, kind, hide, op)                                                                  \
	FIGURE name(long n)                                                                           \
	{                                                                                             \
		typedef kind type;                                                                    \
		type OF8(DECLARE) y = (type)(3 + zero);                                                \
		hide(y)                                                                               \
		LOOP {                                                                                \
			EIGHT(hide, op) EIGHT(hide, op)                                               \
		}                                                                                     \
		sink = (uint64_t)(x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7);                              \
	}
#define ADD(x) x = x + y;
#define ADD4(x) ADD(x) HIDE(x) ADD(x) HIDE(x) ADD(x) HIDE(x) ADD(x) /* so many that the loop counts for nothing */
#define MULTIPLY(x) x = x * y;
#define DIVIDE(x) x = (type)1000003u / x;
#define DIVIDE_LONG(x) x = (type)1000003u / x;
#define DIVIDE_FLOAT(x) x = y / x;
#define ROOT(x) x = SQRT(x + y);
STREAM(adds, uint64_t, HIDE, ADD4)
STREAM(multiplies, uint64_t, HIDE, MULTIPLY)
STREAM(divides, uint32_t, HIDE, DIVIDE)
STREAM(divides_long, uint64_t, HIDE, DIVIDE_LONG)
STREAM(adds_float, double, HIDEF, ADD)
STREAM(multiplies_float, double, HIDEF, MULTIPLY)
STREAM(divides_float, float, HIDEF, DIVIDE_FLOAT)
STREAM(divides_double, double, HIDEF, DIVIDE_FLOAT)
STREAM(roots, double, HIDEF, ROOT)
#define CONVERT(x) x = (double)(int)x;
STREAM(converts, double, HIDEF, CONVERT)

FIGURE loads(long n)
{
	volatile uint64_t *p = large;
	uint64_t x;
	LOOP { TIMES8(x = *p; HIDE(x)) TIMES8(x = *p; HIDE(x)) }
	sink = x;
}

FIGURE stores(long n)
{
	volatile uint64_t *p = large;
	uint64_t x = zero;
	LOOP { TIMES8(*p = x;) TIMES8(*p = x;) }
}

/* Eight of each, in turns. */
FIGURE accesses(long n)
{
	volatile uint64_t *p = large;
	uint64_t x, y = zero;
	LOOP { TIMES8(x = *p; HIDE(x) p[16] = y;) }
	sink = x;
}

#define NOP __asm__ volatile("nop");
FIGURE nothing(long n) { LOOP { TIMES8(TIMES8(NOP)) } }

#if defined(__x86_64__)
#define JUMP __asm__ volatile("jmp 1f\n1:");
#elif defined(__aarch64__)
#define JUMP __asm__ volatile("b 1f\n1:");
#else
#define JUMP __asm__ volatile("j 1f\n1:");
#endif
FIGURE jumps(long n) { LOOP { TIMES8(JUMP) TIMES8(JUMP) } }

/* A chain of additions that begins anew each time: as many go on beside each other as there is room to wait in. */
FIGURE queue(long n)
{
	double y = 3 + zero;
	HIDEF(y)
	LOOP { double x = 7; HIDEF(x) TIMES8(x = x + y; HIDEF(x)) TIMES8(x = x + y; HIDEF(x)) TIMES8(x = x + y; HIDEF(x)) TIMES8(x = x + y; HIDEF(x)) }
}

/* A chain of divisions that begins anew, and what does nothing behind it: as many go on as the window holds. */
FIGURE window(long n)
{
	double y = 3 + zero;
	HIDEF(y)
	LOOP { double x = 7; HIDEF(x) TIMES8(x = y / x; HIDEF(x)) TIMES8(TIMES8(NOP NOP NOP NOP)) }
}

/* One branch of chance for each of n, and the same without. */
#define CHANCE(name, bit)                                                      \
	FIGURE name(long n)                                                    \
	{                                                                      \
		uint64_t x = 88172645463325252u, s = 0, t = 0;                 \
		LOOP                                                           \
		{                                                              \
			x ^= x << 13;                                          \
			x ^= x >> 7;                                           \
			x ^= x << 17;                                          \
			if (bit) { s += 3; HIDE(s) } else { t += 5; HIDE(t) }   \
		}                                                              \
		sink = s + t;                                                  \
	}
CHANCE(foretold, x == 1)
CHANCE(chance, x >> 40 & 1)

static __attribute__((noinline)) void called(void) { __asm__ volatile(""); }
FIGURE calls(long n) { LOOP { TIMES8(called();) } }

/* Loads of lines of so many bytes in an order that nothing foretells, none of which waits for another: n of them. */
enum { LINE = 64 };
static int wander(size_t bytes, long n)
{
	uint64_t lines = bytes / LINE, x = 88172645463325252u, s = 0;
	char *all = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
	if (!all || lines < 2 || lines >> 32)
		return 1;
	memset(all, 1, bytes);
	LOOP
	{
		x = x * 6364136223846793005u + 1442695040888963407u;
		s += *(volatile uint64_t *)(all + ((x >> 32) * lines >> 32) * LINE);
	}
	sink = s;
	return 0;
}

#define ENTRY(name) {#name, name},
static const struct { const char *name; void (*run)(long n); } figures[] = {
	ENTRY(multiply) ENTRY(divide) ENTRY(divide_long) ENTRY(add_float) ENTRY(multiply_float) ENTRY(divide_float) ENTRY(divide_double)
	ENTRY(root) ENTRY(convert) ENTRY(load) ENTRY(forward) ENTRY(forward_float) ENTRY(adds) ENTRY(multiplies) ENTRY(divides) ENTRY(divides_long)
	ENTRY(adds_float) ENTRY(multiplies_float) ENTRY(divides_float) ENTRY(divides_double) ENTRY(roots) ENTRY(loads) ENTRY(stores)
	ENTRY(converts) ENTRY(accesses) ENTRY(nothing) ENTRY(jumps) ENTRY(queue) ENTRY(window) ENTRY(foretold) ENTRY(chance) ENTRY(calls)
};

int main(int argc, char **argv)
{
	if (argc == 3 && !strncmp(argv[1], "wander:", 7))
		return wander(strtoul(argv[1] + 7, 0, 10), atol(argv[2]));
	for (unsigned i = 0; argc == 3 && i < sizeof figures / sizeof *figures; i++)
		if (!strcmp(argv[1], figures[i].name)) {
			figures[i].run(atol(argv[2]));
			return 0;
		}
	fprintf(stderr, "give a figure, or wander:BYTES, and a count\n");
	return 2;
}
