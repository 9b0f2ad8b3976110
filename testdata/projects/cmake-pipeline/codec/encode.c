/* Writes packets. */
#include "codec.h"

static void put(struct packet *p, unsigned v)
{
	while (v >= 128) {
		p->bytes[p->size++] = (unsigned char)(v | 128);
		v >>= 7;
	}
	p->bytes[p->size++] = (unsigned char)v;
}

void codec_encode(struct packet *p, const int *samples, int n)
{
	int before = 0;

	for (int i = 0; i < n; i++) {
		int d = samples[i] - before;
		put(p, d < 0 ? 2u * (unsigned)-d - 1 : 2u * (unsigned)d);
		before = samples[i];
	}
	p->samples += n;
}

/* triangle is a tone of a period, of 1000 at most. */
static int triangle(int i, int period)
{
	int x = i % period, half = period / 2;
	return x < half ? 4000 * x / period - 1000 : 3000 - 4000 * x / period;
}

void codec_record(struct packet *p, int number)
{
	int samples[SAMPLES];
	unsigned noise = (unsigned)number * 40503u + 1;
	int loud = number % 4;

	p->channel = number & 1;
	p->size = p->samples = 0;
	for (int i = 0; i < SAMPLES; i++) {
		noise = noise * 1103515245u + 12345u;
		if (loud == 0)
			samples[i] = triangle(i, 16 + number % 5 * 4);
		else if (loud == 1)
			samples[i] = (int)(noise >> 16 & 2047) - 1024;
		else
			samples[i] = i % 64 == 0 ? 40 : 0;
	}
	codec_encode(p, samples, SAMPLES);
}
