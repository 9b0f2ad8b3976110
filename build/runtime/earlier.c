/* This file reads what earlier runs of the program counted from the file that they left,
 * so that a run can add its own counts. Nothing of it is trusted: it is another program's, damaged, or
 * what raw.def describes. */
#include "executions.h"
#include "library.h"
#include "raw.h"

#include <string.h>

enum { HASH_WORDS = 4, RUN_WORDS = 5, ENTRY_WORDS = 5 };

enum order { ANY, NOT_DESCENDING, ASCENDING };
static const struct {
  u64 record;
  enum order order;
} shapes[RAW_SECTIONS] = {
#define RAW(tag, name, record, order, rule) [tag] = {record, order},
#include "raw.def"
#undef RAW
};

/* take skips n words; it returns 0 where there are not so many. */
static const u64 *take(struct words *w, u64 n) {
  const u64 *p = w->at;
  if (n > (u64)(w->end - w->at)) return 0;
  w->at += n;
  return p;
}

/* is_list tells whether a section is a list of records of so many words, in their order. */
static int is_list(struct words w, u64 record, enum order order) {
  if ((u64)(w.end - w.at) % record != 0) return 0;
  for (const u64 *last = 0; w.at < w.end; last = w.at, w.at += record)
    if (last && order != ANY && (*w.at < *last || (order == ASCENDING && *w.at == *last))) return 0;
  return 1;
}

static int are_frames(struct words w) {
  const u64 *p;
  while (w.at < w.end)
    if (!(p = take(&w, 2)) || p[1] == ~(u64)0 || !take(&w, p[1] + 1)) return 0;
  return 1;
}

/* are_trees tells whether entries fill their section; executionsfile.c looks at what they are. */
static int are_trees(struct words w) {
  const u64 *head = take(&w, ENTRY_WORDS);
  if (!head || head[0] > MOST_KINDS || head[1] > FINER_GRID || head[2] > MOST_DEPTH) return 0;
  for (u64 i = 0; i < head[3]; i++) {
    const u64 *entry = take(&w, ENTRY_WORDS);
    if (!entry) return 0;
    for (u64 s = 0; s < entry[2]; s++) {
      const u64 *parts = take(&w, 1);
      if (!parts || *parts > (u64)(w.end - w.at) || !take(&w, *parts * (2 + head[0]))) return 0;
    }
  }
  return w.at == w.end;
}

static int are_runs(struct words w) {
  if (!take(&w, 1)) return 0;
  while (w.at < w.end) {
    const u64 *p = take(&w, RUN_WORDS);
    if (!p || p[4] > (u64)(w.end - w.at) * 8 || !take(&w, (p[4] + 7) / 8)) return 0;
  }
  return 1;
}

static int is_whole(const struct earlier *e, enum raw_tag tag) {
  struct words w = e->section[tag];
  switch (tag) {
  case RAW_SIGNAL: return w.end - w.at == 1;
  case RAW_FRAMES: return are_frames(w);
  case RAW_TREES: return are_trees(w);
  case RAW_RUNS: return are_runs(w);
  default: return is_list(w, shapes[tag].record, shapes[tag].order);
  }
}

static void mix(u64 *sum, u64 v) {
  *sum = (*sum ^ v) * 0x9e3779b97f4a7c15u;
  *sum ^= *sum >> 29;
}

static const char damaged[] = "the file that is there is damaged; it is left as it is, remove it to start anew";
static const char foreign[] = "the file that is there is not of this program as it was built; it is left as it is";

const char *__pathspan_read_earlier(struct earlier *e, const unsigned char *data, size_t size) {
  u64 t = __pathspan_template_size;
  u64 hash[HASH_WORDS];
  u64 sum = 0;
  const u64 *p;
  if (size < 8 || memcmp(data, __pathspan_template, size < 16 ? 8 : 16) != 0) return foreign;
  if (size < t || size % 8 != 0) return damaged;
  if (memcmp(data, __pathspan_template, t) != 0) return foreign;
  memcpy(hash, __pathspan_module_hash, sizeof hash);
  struct words w = {(const u64 *)(const void *)(data + t), (const u64 *)(const void *)(data + size)};
  if (!(p = take(&w, 1 + HASH_WORDS)) || memcmp(p, RAW_MAGIC, 8) != 0) return damaged;
  if (memcmp(p + 1, hash, sizeof hash) != 0) return foreign;
  for (int i = 0; i < HASH_WORDS; i++) mix(&sum, p[1 + i]);
  for (u64 tag = 1; tag < RAW_SECTIONS; tag++) {
    if (!(p = take(&w, 2)) || p[0] != tag || p[1] > (u64)(w.end - w.at)) return damaged;
    mix(&sum, tag);
    e->section[tag] = (struct words){w.at, w.at + p[1]};
    for (; w.at < e->section[tag].end; w.at++) mix(&sum, *w.at);
    mix(&sum, p[1]);
  }
  if (!(p = take(&w, 1)) || *p != sum || w.at != w.end) return damaged;
  for (enum raw_tag tag = 1; tag < RAW_SECTIONS; tag++)
    if (!is_whole(e, tag)) return damaged;
  return 0;
}
