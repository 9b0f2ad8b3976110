/* Follows edges from strong pixels to their neighbours. */
#include <string.h>

#include "image.h"

static int gradient(const struct image *im, int x, int y)
{
	int gx = at(im, x + 1, y - 1) + 2 * at(im, x + 1, y) + at(im, x + 1, y + 1)
		- at(im, x - 1, y - 1) - 2 * at(im, x - 1, y) - at(im, x - 1, y + 1);
	int gy = at(im, x - 1, y + 1) + 2 * at(im, x, y + 1) + at(im, x + 1, y + 1)
		- at(im, x - 1, y - 1) - 2 * at(im, x, y - 1) - at(im, x + 1, y - 1);
	return (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
}

static int follow(struct image *to, const struct image *from, int x, int y, int threshold, int left)
{
	if (x < 0 || y < 0 || x >= from->width || y >= from->height || left == 0)
		return 0;
	if (to->pixel[y * from->width + x] || gradient(from, x, y) < threshold)
		return 0;
	to->pixel[y * from->width + x] = 255;
	int n = 1;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			if (dx || dy)
				n += follow(to, from, x + dx, y + dy, threshold, left - 1);
	return n;
}

int edges_trace(struct image *to, const struct image *from, int threshold)
{
	int n = 0;

	to->width = from->width;
	to->height = from->height;
	memset(to->pixel, 0, (size_t)from->width * (size_t)from->height);
	for (int y = 0; y < from->height; y++)
		for (int x = 0; x < from->width; x++)
			if (gradient(from, x, y) > 2 * threshold)
				n += follow(to, from, x, y, threshold, 12);
	return n;
}
