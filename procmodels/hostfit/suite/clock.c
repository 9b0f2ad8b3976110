/* A chain of additions, each waiting for the one before: one cycle each on any
 * processor with an adder of one cycle. The empty assembly keeps the compiler from
 * adding up several at once; the loop's own instructions run beside the chain. */
#include <stdio.h>
#include <stdlib.h>

#define ADD x += y; __asm__ volatile("" : "+r"(x));

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], 0, 10) : 0, x = 1, y = n | 3;
	__asm__ volatile("" : "+r"(y));
	for (unsigned long i = 0; i < n; i++) {
		ADD ADD ADD ADD ADD ADD ADD ADD
		ADD ADD ADD ADD ADD ADD ADD ADD
		ADD ADD ADD ADD ADD ADD ADD ADD
		ADD ADD ADD ADD ADD ADD ADD ADD
	}
	printf("%lu\n", x);
	return 0;
}
