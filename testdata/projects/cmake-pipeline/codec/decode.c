/* Reads packets. */
#include "codec.h"

int codec_decode(const struct packet *p, int *samples, int n)
{
	int count = 0, at = 0, value = 0;

	while (at < p->size) {
		unsigned v = 0;
		int shift = 0;
		for (;;) {
			if (at == p->size || shift > 28)
				return -1;
			unsigned b = p->bytes[at++];
			v |= (b & 127) << shift;
			if (b < 128)
				break;
			shift += 7;
		}
		value += v & 1 ? -(int)((v + 1) / 2) : (int)(v / 2);
		if (count == n)
			return -1;
		samples[count++] = value;
	}
	return count;
}
