/* filter [SIZE [FRAMES]]: repairs and traces frames at a time, then packs both. Noise and
 * edges come in different scenes, so the two sections are rarely long together. */
#include <stdio.h>
#include <stdlib.h>

#include "pack.h"

static struct image frame, repaired, traced;

static int number(const char *s, int least, int most)
{
	int n = atoi(s);
	if (n < least || n > most) {
		fprintf(stderr, "filter: %s is not between %d and %d\n", s, least, most);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"sky", "street", "dusk"};
	int size = argc > 1 ? number(argv[1], 8, MOST) : 64;
	int frames = argc > 2 ? number(argv[2], 1, 1000) : 12;
	unsigned long sum = 0;

	for (int f = 0; f < frames; f++) {
		enum scene scene = camera_take(&frame, size, f);
		int noise = 0, edge = 0, levels = 0;
		unsigned long a = 0, b = 0, suma = 0, sumb = 0;

#pragma omp parallel sections
		{
#pragma omp section
			noise = median_repair(&repaired, &frame, 30);
#pragma omp section
			edge = scene == SKY ? 0 : edges_trace(&traced, &frame, 80);
		}
		if (scene == DUSK)
			levels = histogram_spread(&repaired);
#pragma omp parallel sections
		{
#pragma omp section
			a = pack_image(&repaired, &suma);
#pragma omp section
			{
				if (edge > 0)
					b = pack_image(&traced, &sumb);
			}
		}
		sum = fold(fold(sum, suma), sumb);
		printf("%2d %-6s noise %5d edges %5d levels %3d packed %6lu %6lu\n", f, names[scene], noise, edge, levels, a, b);
	}
	printf("sum %016lx\n", sum);
	return 0;
}
