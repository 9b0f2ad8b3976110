/* Loads and stores with small footprints: in order, scattered, one waiting for another. */
#include "kernels.h"

static uint32_t a[SIZE], b[SIZE], table[256];
static uint8_t bytes[4 * SIZE], text[4 * SIZE];

struct node {
	struct node *next;
	uint32_t value, count;
};
static struct node nodes[SIZE / 2];

struct particle {
	int32_t x, y, dx, dy;
};
static struct particle particles[SIZE / 4];

static void fill(void)
{
	for (int i = 0; i < SIZE; i++) {
		a[i] = next();
		b[i] = next();
	}
	for (int i = 0; i < 4 * SIZE; i++)
		bytes[i] = next() >> 3;
	for (int i = 0; i < 256; i++) {
		uint32_t c = i;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
		table[i] = c;
	}
	for (int i = 0; i < SIZE / 2; i++) {
		nodes[i].next = &nodes[(i * 197 + 71) % (SIZE / 2)];
		nodes[i].value = next();
	}
	for (int i = 0; i < SIZE / 4; i++)
		particles[i] = (struct particle){next() & 1023, next() & 1023, next() & 7, next() & 7};
}

KERNEL checksum(long n)
{
	uint32_t c = ~0u;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 4 * SIZE; i++)
			c = table[(c ^ bytes[i]) & 255] ^ c >> 8;
	return c;
}

KERNEL histogram(long n)
{
	uint32_t count[256] = {0};
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < 4 * SIZE; i++)
			count[bytes[i]]++;
	return count[7] + count[99] * 3;
}

KERNEL chase(long n)
{
	uint64_t s = 0;
	fill();
	for (long r = 0; r < n; r++) {
		struct node *p = nodes;
		for (int i = 0; i < SIZE; i++) {
			s += p->value;
			p->count++;
			p = p->next;
		}
	}
	return s + nodes[3].count;
}

KERNEL prefix(long n)
{
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 1; i < SIZE; i++)
			a[i] += a[i - 1] ^ b[i];
	return a[SIZE - 1];
}

KERNEL transpose(long n)
{
	fill();
	for (long r = 0; r < n; r++) {
		for (int i = 0; i < 32; i++)
			for (int j = 0; j < 32; j++)
				b[j * 32 + i] = a[i * 32 + j] + 1;
		a[r & 1023] = b[r * 7 & 1023];
	}
	return b[77];
}

KERNEL move(long n)
{
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE / 4; i++) {
			struct particle *p = &particles[i];
			p->x += p->dx;
			p->y += p->dy;
			if (p->x < 0 || p->x > 1023)
				p->dx = -p->dx;
			if (p->y < 0 || p->y > 1023)
				p->dy = -p->dy;
		}
	return particles[5].x + particles[9].y;
}

KERNEL gather(long n)
{
	uint32_t s = 0;
	fill();
	for (long r = 0; r < n; r++)
		for (int i = 0; i < SIZE; i++) {
			s += a[b[i] & (SIZE - 1)];
			b[i] += s & 1;
		}
	return s;
}

KERNEL expand(long n)
{
	uint32_t s = 0;
	fill();
	for (long r = 0; r < n; r++) {
		int at = 0;
		for (int i = 0; i + 4 <= 4 * SIZE; i += 4) {
			uint32_t w = bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | (uint32_t)bytes[i + 3] << 24;
			text[at++] = w >> 2;
			text[at++] = w >> 12;
			text[at++] = w >> 22;
		}
		s += text[r & 1023];
	}
	return s;
}

KERNEL scale(long n)
{
	uint32_t s = 0;
	fill();
	for (long r = 0; r < n; r++) {
		uint8_t k = r & 3;
		for (int i = 0; i < 4 * SIZE; i++)
			text[i] = bytes[i] + k;
		s += text[r & 4095];
	}
	return s;
}

MAIN({"checksum", checksum}, {"histogram", histogram}, {"chase", chase}, {"prefix", prefix}, {"transpose", transpose}, {"move", move},
     {"gather", gather}, {"expand", expand}, {"scale", scale})
