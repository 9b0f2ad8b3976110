/* Functions of the mathematical library, and copies of few bytes, each called by itself: results are added up, so that calls wait for nothing
 * but their arguments, and these are new each time, as predictors of branches learn what comes again. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile double sink;
char from[4096], to[4096]; /* not static: else nobody reads what is copied */
static char words[64][24], numbers[64][8];
static const char *volatile plain = "word"; /* volatile: else compilers print by themselves */

static int copies(uint32_t k) { return memcpy(to + k, from + k, 1024) != 0; }
static int format_d(int v) { return snprintf(to, sizeof to, "word%d", v); }
static int format_x(unsigned v) { return snprintf(to, sizeof to, "word%x", v); }
static int format_s(const char *v) { return snprintf(to, sizeof to, "word%s", v); }
static int format_f(double v) { return snprintf(to, sizeof to, "word%.2f", v); }

static void fill(void)
{
	uint32_t x = 99;
	for (int i = 0; i < 64; i++) {
		x = x * 1664525u + 1013904223u;
		memset(words[i], 'a', 4 + (x >> 28));
		words[i][3] = 'a' + (x >> 20 & 3);
		snprintf(numbers[i], sizeof numbers[i], "%u", x >> (17 + i % 12));
	}
}

/* Arguments: w within one of 0, u and v of either sign, p above 0, q from 0.5 to 2.5. */
#define FUNCTION(type, name, call)                                                                                     \
	static __attribute__((noinline)) void time_##name(long n)                                                      \
	{                                                                                                              \
		type sum = 0;                                                                                          \
		uint32_t x = 12345;                                                                                    \
		for (long i = 0; i < n; i++) {                                                                         \
			x = x * 1664525u + 1013904223u;                                                                \
			type w = (type)((int32_t)x * 0x1p-31), v = 8 * w, p = (type)50.01 + 50 * w, q = (type)1.5 + w; \
			type u = (type)((int32_t)(x * 2654435769u) * 0x1p-28);                                         \
			(void)v, (void)p, (void)q, (void)u;                                                            \
			sum += call;                                                                                   \
		}                                                                                                      \
		sink = sum;                                                                                            \
	}
#define ALL(of)                                                                               \
	of(double, sin, sin(v)) of(double, cos, cos(v)) of(double, tan, tan(v))               \
	of(double, asin, asin(w)) of(double, acos, acos(w)) of(double, atan, atan(v))         \
	of(double, atan2, atan2(v, u)) of(double, sinh, sinh(w)) of(double, cosh, cosh(w))    \
	of(double, tanh, tanh(v)) of(double, exp, exp(v)) of(double, exp2, exp2(v))           \
	of(double, expm1, expm1(w)) of(double, log, log(p)) of(double, log2, log2(p))         \
	of(double, log10, log10(p)) of(double, log1p, log1p(p)) of(double, pow, pow(p, w))    \
	of(double, cbrt, cbrt(v)) of(double, hypot, hypot(v, u)) of(double, fmod, fmod(p, q)) \
	of(double, round, round(v))                                                           \
	of(float, sinf, sinf(v)) of(float, cosf, cosf(v)) of(float, atan2f, atan2f(v, u))     \
	of(float, expf, expf(v)) of(float, logf, logf(p)) of(float, powf, powf(p, q))         \
	of(float, fmodf, fmodf(p, q))                                                         \
	of(double, memcpy, memcpy(to, from, 8 + (x >> 27)) != 0)                              \
	of(double, memset, memset(to, 1, 8 + (x >> 27)) != 0)                                    \
	of(double, copies, copies(x >> 28))                                                   \
	of(double, strcpy, strcpy(to, words[x >> 26]) != 0)                                   \
	of(double, strtol, strtol(numbers[x >> 26], 0, 10))                                   \
	of(double, strtod, strtod(numbers[x >> 26], 0))                                       \
	of(double, snprintf, snprintf(to, sizeof to, plain))                                  \
	of(double, sprintf, sprintf(to, plain))                                               \
	of(double, printf, printf(plain))                                                     \
	of(double, fprintf, fprintf(stdout, plain))                                           \
	of(double, format_d, format_d(x >> (19 + x % 13)))                                    \
	of(double, format_x, format_x(x >> (19 + x % 13)))                                    \
	of(double, format_s, format_s(words[x >> 26]))                                        \
	of(double, format_f, format_f(v))
ALL(FUNCTION)

#define ENTRY(type, name, call) {#name, time_##name},
static const struct { const char *name; void (*run)(long n); } functions[] = {ALL(ENTRY)};

int main(int argc, char **argv)
{
	fill();
	for (unsigned i = 0; argc == 3 && i < sizeof functions / sizeof *functions; i++)
		if (!strcmp(argv[1], functions[i].name)) {
			functions[i].run(atol(argv[2]));
			return 0;
		}
	fprintf(stderr, "give a function and a count\n");
	return 2;
}
