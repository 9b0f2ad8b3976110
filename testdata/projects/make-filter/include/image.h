/* Grey images and what the filters do with them. */
#ifndef IMAGE_H
#define IMAGE_H

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST = 256 }; /* pixels on a side */

struct image {
	int width, height;
	unsigned char pixel[MOST * MOST];
};

static inline int at(const struct image *im, int x, int y)
{
	x = x < 0 ? 0 : x >= im->width ? im->width - 1 : x;
	y = y < 0 ? 0 : y >= im->height ? im->height - 1 : y;
	return im->pixel[y * im->width + x];
}

/* What the camera can see: a sky with noise, a street with edges, or dusk with little contrast. */
enum scene { SKY, STREET, DUSK };
enum scene camera_take(struct image *im, int size, int frame);

/* Replaces pixels that stand out by the median around them; returns how many. */
int median_repair(struct image *to, const struct image *from, int threshold);

/* Follows edges stronger than threshold; returns their pixels. */
int edges_trace(struct image *to, const struct image *from, int threshold);

/* Spreads the grey levels where contrast is low; returns the levels in use. */
int histogram_spread(struct image *im);

#ifdef __cplusplus
}
#endif
#endif
