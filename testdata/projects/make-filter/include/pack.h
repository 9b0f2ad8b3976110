/* Packs images: runs of equal pixels, as bytes. */
#ifndef PACK_H
#define PACK_H

#include "image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the packed size in bytes and adds the bytes to the sum. */
unsigned long pack_image(const struct image *im, unsigned long *sum);

/* In fold.S: folds eight bytes into a sum. */
unsigned long fold(unsigned long sum, unsigned long bytes);

#ifdef __cplusplus
}
#endif
#endif
