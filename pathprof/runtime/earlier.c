/* What earlier runs of the program counted: reads the file that they left, so that a run
 * can add its own counts. Nothing of it is trusted: it is another program's, damaged, or
 * exactly what profile.c writes (pathprof/raw.go reads the same). */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;
enum { HASH_WORDS = 4 };
#define END (~(u64)0)

extern const unsigned char __pathspan_template[] __attribute__((weak));
extern const u64 __pathspan_template_size __attribute__((weak));
extern const unsigned char __pathspan_module_hash[32];

/* Lists end in a word of ones; runs and more are told in numbers. */
struct earlier {
  const u64 *counters, *keys, *calls, *frames, *classes, *runs;
  u64 listed, more;
  const u64 *runs_end;
};

static const u64 *at, *end;

/* take skips n words of the list that is read; it returns 0 where there are not so many. */
static const u64 *take(u64 n) {
  const u64 *p = at;
  if (n > (u64)(end - at)) return 0;
  at += n;
  return p;
}

/* list skips a list of records of so many words, each of which starts with a word that
 * ascends, strictly or not. */
static const u64 *list(u64 words, int strictly) {
  const u64 *first = at, *last = 0;
  for (;;) {
    const u64 *p = take(1);
    if (!p) return 0;
    if (*p == END) return first;
    if (last && (*p < *last || (strictly && *p == *last))) return 0;
    last = p;
    if (!take(words - 1)) return 0;
  }
}

static const u64 *frames(void) {
  const u64 *first = at, *p;
  while ((p = take(1)) && *p != END)
    if (!(p = take(1)) || *p > END - 1 || !take(*p + 1)) return 0;
  return p ? first : 0;
}

static const u64 *classes(void) {
  const u64 *first = at, *p;
  while ((p = take(1)) && *p != END)
    if (!(p = take(4)) || p[2] > END - 1 || p[3] == 0 || !take(p[2])) return 0;
  return p ? first : 0;
}

static const char damaged[] = "the file that is there is damaged; it is left as it is, remove it to start anew";
static const char foreign[] = "the file that is there is not of this program; it is left as it is";

/* Reads the content of a file. Returns what is wrong with it, or 0. */
const char *__pathspan_read_earlier(struct earlier *e, const unsigned char *data, size_t size) {
  u64 t = __pathspan_template_size, hash[HASH_WORDS], sum = 0;
  const u64 *p;
  if (size < 8 || memcmp(data, __pathspan_template, size < 16 ? 8 : 16) != 0) return foreign;
  if (size < t || size % 8 != 0) return damaged;
  if (memcmp(data, __pathspan_template, t) != 0) return foreign;
  memcpy(hash, __pathspan_module_hash, sizeof hash);
  at = (const u64 *)(const void *)(data + t);
  end = (const u64 *)(const void *)(data + size);
  if (end - at < 2 + HASH_WORDS + 1 || memcmp(at, "PSPRAW04", 8) != 0) return damaged;
  for (p = at + 1; p < end - 1; p++) {
    sum = (sum ^ *p) * 0x9e3779b97f4a7c15u;
    sum ^= sum >> 29;
  }
  if (*--end != sum) return damaged;
  at++;
  if (!(p = take(HASH_WORDS)) || memcmp(p, hash, sizeof hash) != 0) return foreign;
  if (!take(1)) return damaged; /* the last run's signal */
  if (!(e->counters = list(2, 1)) || !(e->keys = list(3, 0)) || !(e->calls = list(3, 0))) return damaged;
  if (!(e->frames = frames()) || !(e->classes = classes())) return damaged;
  if (!(p = take(1))) return damaged;
  e->listed = *p;
  e->runs = at;
  for (u64 i = 0; i < e->listed; i++) {
    if (!(p = take(5)) || p[4] > (u64)(end - at) * 8 || !take((p[4] + 7) / 8)) return damaged;
  }
  e->runs_end = at;
  if (!(p = take(1)) || at != end) return damaged;
  e->more = *p;
  return 0;
}
