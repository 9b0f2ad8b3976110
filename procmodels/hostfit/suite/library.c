/* Functions of the C library that programs spend time in, beside code of their own. */
#include "kernels.h"

static char words[64][24], line[256], from[2048], to[2048];

static void fill(void)
{
	for (int i = 0; i < 64; i++) {
		int len = 4 + next() % 16;
		for (int k = 0; k < len; k++)
			words[i][k] = 'a' + next() % 4;
	}
	for (int i = 0; i < 2048; i++)
		from[i] = next();
}

KERNEL blocks(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 16; i++) {
			memcpy(to + 8 * i, from + 4 * i, 512);
			memset(to + 64 * i, i, 256);
			s += to[r & 1023];
		}
	return s;
}

/* Of lengths that the program fixes, too: what a byte takes is told without the kernel before. */
KERNEL spans(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 16; i++) {
			memset(to + 16 * i, i, 1024);
			memcpy(to + 128 - 8 * i, from + 32 * i, 192);
			memcpy(to + i, from + i, 1500);
			s += to[(r + 64 * i) & 1023];
		}
	return s;
}

KERNEL pieces(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 64; i++) {
			int len = 8 + (next() & 31); /* new each time, as above */
			memcpy(to + i, from + 2 * i, len);
			memset(to + 1024 + i, i, len);
			s += to[i + len / 2];
		}
	return s;
}

KERNEL strings(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 63; i++)
			s += strlen(words[i]) + (strcmp(words[i], words[i + 1]) < 0);
	return s;
}

KERNEL formatted(long n)
{
	uint64_t s = 0;
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 16; i++)
			s += snprintf(line, sizeof line, "%d %s %x", i * (int)(r & 1023), "word", i);
	return s;
}

KERNEL allocation(long n)
{
	uint64_t s = 0;
	for (long r = 0; r < n; r++) {
		uint32_t *volatile p[16]; /* else compilers leave the allocations out */
		for (int i = 0; i < 16; i++) {
			p[i] = malloc(16 + 8 * i);
			*p[i] = i + r;
		}
		for (int i = 0; i < 16; i++) {
			s += *p[i];
			free(p[i]);
		}
	}
	return s;
}

/* Each function stands in two kernels, so that one tells of it when the other is left out. */
KERNEL lengths(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 64; i++)
			s += strlen(words[i]) * i;
	return s;
}

KERNEL comparisons(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 60; i++)
			s += strcmp(words[i], words[i + 3]) > 0 ? i : 1;
	return s;
}

KERNEL numbers(long n)
{
	uint64_t s = 0;
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 16; i++)
			s += snprintf(line, sizeof line, "%d,%d", i, (int)(r & 255)) + line[1];
	return s;
}

struct cell {
	struct cell *next;
	long value;
};

KERNEL cells(long n)
{
	uint64_t s = 0;
	for (long r = 0; r < n; r++) {
		struct cell *head = 0;
		for (int i = 0; i < 12; i++) {
			struct cell *c = malloc(sizeof *c);
			*c = (struct cell){head, r + i};
			head = c;
		}
		while (head) {
			struct cell *c = head;
			s += c->value;
			head = c->next;
			free(c);
		}
	}
	return s;
}

MAIN({"blocks", blocks}, {"spans", spans}, {"lengths", lengths}, {"comparisons", comparisons}, {"numbers", numbers}, {"cells", cells}, {"pieces", pieces}, {"strings", strings}, {"formatted", formatted}, {"allocation", allocation})
