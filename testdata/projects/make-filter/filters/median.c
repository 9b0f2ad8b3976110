/* Repairs single pixels. */
#include "image.h"

static int median9(int v[9])
{
	for (int i = 1; i < 9; i++) {
		int x = v[i], j = i;
		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
	return v[4];
}

int median_repair(struct image *to, const struct image *from, int threshold)
{
	int repaired = 0;

	to->width = from->width;
	to->height = from->height;
	for (int y = 0; y < from->height; y++)
		for (int x = 0; x < from->width; x++) {
			int p = at(from, x, y);
			int around = (at(from, x - 1, y) + at(from, x + 1, y) + at(from, x, y - 1) + at(from, x, y + 1)) / 4;
			int far = p - around;
			if (far > threshold || far < -threshold) {
				int v[9], n = 0;
				for (int dy = -1; dy <= 1; dy++)
					for (int dx = -1; dx <= 1; dx++)
						v[n++] = at(from, x + dx, y + dy);
				p = median9(v);
				repaired++;
			}
			to->pixel[y * from->width + x] = (unsigned char)p;
		}
	return repaired;
}
