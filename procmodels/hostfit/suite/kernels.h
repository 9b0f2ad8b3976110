/* What the programs of the suite share: a kernel is chosen by name and runs n times. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL static __attribute__((noinline)) uint64_t
#define SIZE 1024 /* elements of the arrays: they stay in the first-level cache */

struct kernel {
	const char *name;
	uint64_t (*run)(long n);
};

static uint32_t seed = 12345;

/* A generator of data, the same on every host. */
static uint32_t next(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 8;
}

static int run_kernel(int argc, char **argv, const struct kernel *list, int kernels)
{
	if (argc == 3)
		for (int i = 0; i < kernels; i++)
			if (!strcmp(argv[1], list[i].name)) {
				printf("%llu\n", (unsigned long long)list[i].run(atol(argv[2])));
				return 0;
			}
	fprintf(stderr, "give a kernel and a count\n");
	return 2;
}

#define MAIN(...)                                                        \
	int main(int argc, char **argv)                                  \
	{                                                                \
		const struct kernel list[] = {__VA_ARGS__};              \
		return run_kernel(argc, argv, list, sizeof list / sizeof *list); \
	}
