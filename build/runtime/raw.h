/* The sections of raw profiles (raw.def), and what is read of those of earlier runs. */
#ifndef PATHSPAN_RAW_H
#define PATHSPAN_RAW_H

#include <stddef.h>
#include <stdint.h>

#define RAW_MAGIC "PSPRAW07"

enum raw_tag {
#define RAW(tag, name, record, order, rule) RAW_##name = tag,
#include "raw.def"
#undef RAW
  RAW_SECTIONS
};

/* The words of a section, from at to end. */
struct words {
  const uint64_t *at, *end;
};

/* The sections of an earlier file, as far as they were taken. */
struct earlier {
  struct words section[RAW_SECTIONS]; /* by tag */
};

/* earlier.c: reads the content of a file. Returns what is wrong with it, or 0. */
const char *__pathspan_read_earlier(struct earlier *e, const unsigned char *data, size_t size);

#endif
