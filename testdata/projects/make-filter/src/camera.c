/* A camera that sees the same street every time. */
#include "image.h"

static unsigned state;

static unsigned draw(unsigned n)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 16) % n;
}

static int sky(int x, int y)
{
	int p = 180 - y / 4 + (x & 1);
	return draw(5) == 0 ? (int)draw(256) : p; /* hot pixels */
}

static int street(int x, int y)
{
	int house = (x / 9 + y / 13) % 3;
	int window = x % 9 > 2 && x % 9 < 7 && y % 13 > 3 && y % 13 < 9;
	return 40 + 70 * house + (window ? 60 : 0);
}

static int dusk(int x, int y)
{
	return 90 + (x * 7 + y * 3) % 20;
}

enum scene camera_take(struct image *im, int size, int frame)
{
	enum scene scene = frame % 7 < 3 ? SKY : frame % 7 < 6 ? STREET : DUSK;

	state = (unsigned)frame * 2654435761u;
	im->width = im->height = size;
	for (int y = 0; y < size; y++)
		for (int x = 0; x < size; x++) {
			int p = scene == SKY ? sky(x, y) : scene == STREET ? street(x + frame, y) : dusk(x, y);
			im->pixel[y * size + x] = (unsigned char)p;
		}
	return scene;
}
