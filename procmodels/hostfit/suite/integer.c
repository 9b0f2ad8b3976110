/* Integer arithmetic: chains where each operation waits for the last, and arrays where
 * many go on at once; multiplications, divisions, shifts. */
#include "kernels.h"

static uint32_t a[SIZE], b[SIZE];
static uint64_t wide[SIZE];

static void fill(void)
{
	for (int i = 0; i < SIZE; i++) {
		a[i] = next();
		b[i] = next() | 1;
		wide[i] = (uint64_t)next() << 20 ^ next();
	}
}

KERNEL sums(long n)
{
	uint32_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++)
			s += a[i] ^ b[i];
	return s;
}

KERNEL polynomial(long n)
{
	uint32_t s = 1;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++)
			s = s * 31 + a[i];
	return s;
}

KERNEL products(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++)
			s += (uint64_t)a[i] * b[i] + (wide[i] * 3 >> 7);
	return s;
}

KERNEL quotients(long n)
{
	uint32_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++)
			s += a[i] / (b[i] & 0xfff) + a[i] % (b[i] & 0xff | 1);
	return s;
}

KERNEL divisors(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++) {
			uint64_t x = wide[i], y = b[i];
			while (y) {
				uint64_t t = x % y;
				x = y;
				y = t;
			}
			s += x;
		}
	return s;
}

KERNEL bits(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++) {
			uint64_t x = wide[i] + s;
			x = (x & 0x5555555555555555u) + (x >> 1 & 0x5555555555555555u);
			x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
			x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
			s += x ^ x >> 17;
		}
	return s;
}

KERNEL xorshift(long n)
{
	uint64_t x = 88172645463325252u, s = 0;
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			s += x;
		}
	return s;
}

KERNEL collatz(long n)
{
	uint64_t steps = 0;
	for (long r = 0; r < n; r++)
		for (uint64_t x = r * 64 + 1; x < (uint64_t)r * 64 + 65; x++)
			for (uint64_t y = x; y != 1; steps++)
				y = y & 1 ? 3 * y + 1 : y / 2;
	return steps;
}

KERNEL filter(long n)
{
	int64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 8; i < SIZE; i++) {
			int32_t y = 0;
			for (int k = 0; k < 8; k++)
				y += (int32_t)(int16_t)a[i - k] * (int16_t)b[k];
			s += y >> 4;
		}
	return s;
}

KERNEL rounds(long n)
{
	uint32_t x = 1, y = 2;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++) {
			x += ((y << 4 ^ y >> 5) + y) ^ (uint32_t)(r + a[i & 3]);
			y += ((x << 4 ^ x >> 5) + x) ^ (uint32_t)(r + a[i & 7]);
		}
	return x ^ y;
}

KERNEL limits(long n)
{
	int64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 1; i < SIZE; i++) {
			a[i] = next(); /* new each time: branch predictors learn what comes again in the same order */
			int32_t x = (int32_t)(a[i] & 0xffff) - (int32_t)(b[i] & 0x7fff) + (int32_t)(s & 15);
			x = x < 0 ? -x : x;
			x = x > 20000 ? 20000 : x;
			s += x < 100 ? 100 : x;
		}
	return s;
}

MAIN({"sums", sums}, {"polynomial", polynomial}, {"products", products}, {"quotients", quotients}, {"divisors", divisors}, {"bits", bits},
     {"xorshift", xorshift}, {"collatz", collatz}, {"filter", filter}, {"rounds", rounds}, {"limits", limits})
