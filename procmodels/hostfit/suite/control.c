/* Control flow: branches that can and cannot be foreseen, calls, recursion, switches,
 * sorting, searching. */
#include "kernels.h"

static uint32_t a[SIZE], sorted[SIZE];
static uint8_t code[SIZE], text[2 * SIZE];
static volatile uint32_t zero; /* keeps calls without effects from moving out of loops */

static void fill(void)
{
	seed = 99;
	for (int i = 0; i < SIZE; i++) {
		a[i] = next();
		sorted[i] = i * 37;
	}
}

/* New data for each repetition: what comes again in the same order, branch predictors learn. */
static void write_code(void)
{
	for (int i = 0; i < SIZE; i++)
		code[i] = next() % 10;
}

static void write_text(void)
{
	for (int i = 0; i < 2 * SIZE; i++)
		text[i] = "abcdabeaaabc xyz, 1234;"[next() % 23];
}

KERNEL primes(long n)
{
	enum { LAST = 24 * SIZE };
	static uint8_t composite[LAST];
	uint64_t count = 0;
	for (long r = 0; r < n; r++) {
		for (int i = 0; i < LAST; i++)
			composite[i] = 0;
		for (int i = 2; i < LAST; i++)
			if (!composite[i]) {
				count++;
				for (int j = 2 * i; j < LAST; j += i)
					composite[j] = 1;
			}
	}
	return count;
}

KERNEL maximum(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++) {
		uint32_t best = 0, at = 0;
		for (int i = 0; i < SIZE; i++)
			if (a[i] > best) {
				best = a[i];
				at = i;
			}
		s += best + at;
		a[r & (SIZE - 1)] ^= 1;
	}
	return s;
}

KERNEL choices(long n)
{
	uint32_t s = 0, x = 7;
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++) {
			x = x * 1664525u + 1013904223u;
			if (x >> 30 == 1)
				s += x >> 5;
			else if (x >> 31)
				s ^= x * 3;
			else
				s -= 9;
		}
	return s;
}

KERNEL interpreter(long n)
{
	uint32_t acc = 1, reg[4] = {1, 2, 3, 4};
	for (long r = 0; r < n; r++) {
		write_code();
		for (int pc = 0; pc < SIZE; pc++)
			switch (code[pc]) {
			case 0: acc += reg[0]; break;
			case 1: acc -= reg[1]; break;
			case 2: reg[2] = acc; break;
			case 3: acc ^= reg[3]; break;
			case 4: acc <<= 1; break;
			case 5: reg[pc & 3] += acc; break;
			case 6: acc = acc * 5 + 1; break;
			case 7: if (acc & 1) pc++; break;
			case 8: acc |= 16; break;
			default: reg[1]++;
			}
	}
	return acc;
}

static __attribute__((noinline)) uint32_t leaf(uint32_t x, uint32_t y) { return x * 3 + (y ^ 5); }
static __attribute__((noinline)) uint32_t middle(uint32_t x, uint32_t y) { return leaf(x, y) + leaf(y, x); }

KERNEL calls(long n)
{
	uint32_t s = 0;
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++)
			s += middle(i, s);
	return s;
}

static __attribute__((noinline)) uint32_t fib(uint32_t k) { return k < 2 ? k : fib(k - 1) + fib(k - 2); }

KERNEL recursion(long n)
{
	uint32_t s = 0;
	for (long r = 0; r < n; r++)
		s += fib(15 + (r & 1) + zero);
	return s;
}

static uint32_t op0(uint32_t x) { return x + 1; }
static uint32_t op1(uint32_t x) { return x * 3; }
static uint32_t op2(uint32_t x) { return x ^ x >> 3; }
static uint32_t (*volatile const ops[])(uint32_t) = {op0, op1, op2, op1};

KERNEL pointers(long n)
{
	uint32_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++)
			s = ops[i & 3](s);
	return s;
}

static void quicksort(uint32_t *v, int lo, int hi)
{
	while (lo < hi) {
		uint32_t pivot = v[(lo + hi) / 2];
		int i = lo, j = hi;
		while (i <= j) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i <= j) {
				uint32_t t = v[i];
				v[i++] = v[j];
				v[j--] = t;
			}
		}
		quicksort(v, lo, j);
		lo = i;
	}
}

KERNEL sorting(long n)
{
	uint32_t s = 0;
	for (long r = 0; r < n; r++) {
		for (int i = 0; i < SIZE; i++)
			a[i] = next();
		quicksort(a, 0, SIZE - 1);
		s += a[r & (SIZE - 1)];
	}
	return s;
}

KERNEL insertion(long n)
{
	uint32_t s = 0;
	for (long r = 0; r < n; r++) {
		for (int i = 0; i < 128; i++)
			a[i] = next();
		for (int i = 1; i < 128; i++) {
			uint32_t v = a[i];
			int j = i - 1;
			for (; j >= 0 && a[j] > v; j--)
				a[j + 1] = a[j];
			a[j + 1] = v;
		}
		s += a[64];
	}
	return s;
}

KERNEL bisection(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 128; i++) {
			uint32_t key = next() % (SIZE * 37);
			int lo = 0, hi = SIZE;
			while (lo + 1 < hi) {
				int mid = (lo + hi) / 2;
				if (sorted[mid] <= key)
					lo = mid;
				else
					hi = mid;
			}
			s += lo;
		}
	return s;
}

KERNEL search(long n)
{
	static const char *const words[] = {"abcd", "aaab", "xyz,", "dabe"};
	uint64_t s = 0;
	for (long r = 0; r < n; r++) {
		const char *w = words[r & 3];
		write_text();
		for (int i = 0; i + 4 < 2 * SIZE; i++) {
			int k = 0;
			while (w[k] && text[i + k] == (uint8_t)w[k])
				k++;
			s += w[k] == 0;
		}
	}
	return s;
}

KERNEL tokens(long n)
{
	uint64_t count = 0, sum = 0;
	for (long r = 0; r < n; r++) {
		int state = 0, value = 0;
		write_text();
		for (int i = 0; i < 2 * SIZE; i++) {
			int c = text[i];
			if (c >= '0' && c <= '9') {
				value = state == 2 ? value * 10 + c - '0' : c - '0';
				state = 2;
			} else if (c >= 'a' && c <= 'z') {
				count += state != 1;
				state = 1;
			} else {
				sum += state == 2 ? value : 0;
				state = 0;
			}
		}
	}
	return count ^ sum;
}

static int place(int row, uint32_t cols, uint32_t left, uint32_t right)
{
	int found = 0;
	if (row == 7)
		return 1;
	for (int c = 0; c < 7; c++) {
		uint32_t bit = 1u << c;
		if (!((cols | left | right) & bit))
			found += place(row + 1, cols | bit, (left | bit) << 1, (right | bit) >> 1);
	}
	return found;
}

KERNEL queens(long n)
{
	uint64_t s = 0;
	for (long r = 0; r < n; r++)
		s += place(0, next() & next() & 127, 0, 0); /* some columns are taken */
	return s;
}

MAIN({"primes", primes}, {"maximum", maximum}, {"choices", choices}, {"interpreter", interpreter}, {"calls", calls}, {"recursion", recursion},
     {"pointers", pointers}, {"sorting", sorting}, {"insertion", insertion}, {"bisection", bisection}, {"search", search}, {"tokens", tokens},
     {"queens", queens})
