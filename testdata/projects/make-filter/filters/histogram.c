/* Spreads grey levels over the whole range. */
#include "image.h"

int histogram_spread(struct image *im)
{
	int count[256] = {0}, below[256], used = 0, sum = 0, n = im->width * im->height;

	for (int i = 0; i < n; i++)
		count[im->pixel[i]]++;
	for (int g = 0; g < 256; g++) {
		below[g] = sum;
		sum += count[g];
		used += count[g] > 0;
	}
	for (int i = 0; i < n; i++)
		im->pixel[i] = (unsigned char)(255L * below[im->pixel[i]] / n);
	return used;
}
