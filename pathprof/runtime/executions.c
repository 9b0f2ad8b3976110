/* Keeps how the work of the sections of a construct went together, execution by
 * execution: classes of executions whose sections did about the same work. The
 * program's meter (ir/probe) counts the work; marks tell where regions and sections
 * begin and end.
 *
 * A class is a cell of a logarithmic grid. Where a construct would pass MOST_CLASSES,
 * its grid is made coarser and its classes join. A class keeps the sum of the work of
 * each section, so its average is exact whatever the grid. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef uint64_t u64;
typedef uint32_t u32;

enum { SECTIONS = 1024, DEPTH = 64, MOST_CLASSES = 4096, SLOTS = 4 * MOST_CLASSES, FINEST = 32 };

extern const u64 __pathspan_meter_count __attribute__((weak)); /* 0: sections are watched only */

/* watch.c */
extern void __pathspan_watch(u64 event);

struct construct {
  struct construct *next;
  u32 region, number, nested, sections, grid;  /* grid: cells to a factor of two */
  u32 classes;
  u32 *slot;                                   /* hash table: class + 1 */
  u64 *class_;                                 /* count, then a sum a section */
};
static struct construct *constructs;

struct frame { u32 region, open, sections; int in_section; u64 total, section, work[SECTIONS]; unsigned char ran[SECTIONS]; u32 index; };
static struct frame frames[DEPTH];
static u32 depth;                              /* may pass DEPTH: what is deeper is not kept */
static u64 counted;

static void *pages(size_t bytes) {
  void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? 0 : p;
}

static void out_of_memory(void) {
  static const char m[] = "pathspan: out of memory for executions\n";
  if (write(2, m, sizeof m - 1) < 0) abort();
  abort();
}

/* cell of a logarithmic grid: grid cells to a factor of two, linear within. */
static u64 cell(u64 x, u32 grid) {
  if (x < grid) return x;
  u32 e = 63 - (u32)__builtin_clzll(x);
  u64 below = (u64)1 << e;
  return grid + (u64)e * grid + (u64)(((unsigned __int128)(x - below) * grid) >> e);
}

static u64 hash_of(struct construct *k, const u64 *work) {
  u64 h = 0x9e3779b97f4a7c15u;
  for (u32 i = 0; i < k->sections; i++) {
    h = (h ^ cell(work[i], k->grid)) * 0xd6e8feb86659fd93u;
    h ^= h >> 32;
  }
  return h;
}

static u64 *class_at(struct construct *k, u32 i) { return k->class_ + (size_t)i * (k->sections + 1); }

static int alike(struct construct *k, const u64 *class_, const u64 *work) {
  for (u32 i = 0; i < k->sections; i++)
    if (cell(class_[1 + i] / class_[0], k->grid) != cell(work[i], k->grid)) return 0;
  return 1;
}

static void coarser(struct construct *k);

/* plus stops at what readers of the profile take, far beyond what a run counts. */
static u64 plus(u64 a, u64 b) {
  const u64 most = ((u64)1 << 63) - 1;
  return a > most - (b > most ? most : b) ? most : a + b;
}

/* add counts n executions; sums are those of the sections over all of them. A class is
 * found by its average, which stays in the cell that its members are in. */
static void add(struct construct *k, u64 n, const u64 *sums) {
  static u64 work[SECTIONS]; /* a signal's stack has no room, and what it interrupts never goes on */
  for (u32 i = 0; i < k->sections; i++) work[i] = sums[i] / n;
  u32 j = (u32)hash_of(k, work) % SLOTS;
  for (; k->slot[j]; j = (j + 1) % SLOTS) {
    u64 *c = class_at(k, k->slot[j] - 1);
    if (!alike(k, c, work)) continue;
    c[0] = plus(c[0], n);
    for (u32 i = 0; i < k->sections; i++) c[1 + i] = plus(c[1 + i], sums[i]);
    return;
  }
  if (k->classes == MOST_CLASSES) {
    coarser(k);
    add(k, n, sums);
    return;
  }
  u64 *c = class_at(k, k->classes);
  k->slot[j] = ++k->classes;
  c[0] = n;
  for (u32 i = 0; i < k->sections; i++) c[1 + i] = sums[i];
}

static void coarser(struct construct *k) {
  u64 *old = k->class_;
  u32 n = k->classes;
  size_t bytes = (size_t)MOST_CLASSES * (k->sections + 1) * sizeof(u64);
  if (k->grid > 1) k->grid /= 2;
  else { /* one cell to a factor of two is the coarsest; join what comes */
    u64 *c = class_at(k, 0);
    for (u32 j = 1; j < n; j++)
      for (u32 i = 0; i <= k->sections; i++) c[i] = plus(c[i], old[(size_t)j * (k->sections + 1) + i]);
    k->classes = 1;
    memset(k->slot, 0, SLOTS * sizeof *k->slot);
    return;
  }
  k->class_ = pages(bytes);
  if (!k->class_) out_of_memory();
  k->classes = 0;
  memset(k->slot, 0, SLOTS * sizeof *k->slot);
  for (u32 j = 0; j < n; j++) {
    u64 *c = old + (size_t)j * (k->sections + 1);
    add(k, c[0], c + 1);
  }
  munmap(old, bytes);
}

static struct construct *find(u32 region, u32 number, u32 nested, u32 sections) {
  for (struct construct *k = constructs; k; k = k->next)
    if (k->region == region && k->number == number && k->nested == nested) return k;
  struct construct *k = pages(sizeof *k);
  u32 *slot = pages(SLOTS * sizeof *slot);
  u64 *class_ = pages((size_t)MOST_CLASSES * (sections + 1) * sizeof *class_);
  if (!k || !slot || !class_) return 0;
  *k = (struct construct){constructs, region, number, nested, sections, FINEST, 0, slot, class_};
  constructs = k;
  return k;
}

/* join ends the construct that a region is collecting. Sections that the program skips
 * by ending early leave the execution out. */
static void join(struct frame *f) {
  if (f->open == ~(u32)0) return;
  u32 n = 0;
  while (n < SECTIONS && f->ran[n]) n++;
  u32 open = f->open;
  f->open = ~(u32)0;
  if (n != f->sections) return;
  struct construct *k = find(f->region, open, f != frames, n);
  if (!k) out_of_memory();
  if (k->sections == n) add(k, 1, f->work);
}

void __pathspan_meter_add(u64 meter, u64 value) { (void)meter; counted += value; }

void __pathspan_meter_mark(u64 word) {
  __pathspan_watch(word);
  if (__pathspan_meter_count == 0) return;
  u32 kind = (u32)(word >> 56), region = (u32)(word >> 32) & 0xffffff, number = (u32)(word >> 16) & 0xffff, index = (u32)word & 0xffff;
  u64 work = counted;
  counted = 0;
  struct frame *f = depth > 0 && depth <= DEPTH ? &frames[depth - 1] : 0;
  if (f) {
    f->total += work;
    if (f->in_section) f->section += work;
  }
  switch (kind) {
  case 1: /* region begins */
    if (++depth <= DEPTH) {
      f = &frames[depth - 1];
      f->region = region; f->open = ~(u32)0; f->in_section = 0; f->total = 0; f->sections = 0;
    }
    break;
  case 2: /* region ends */
    if (depth == 0) break;
    if (depth-- > DEPTH) break;
    if (f->region != region) { depth = 0; break; } /* left by longjmp: what is known is stale */
    join(f);
    if (depth > 0) {
      struct frame *up = &frames[depth - 1];
      up->total += f->total;
      if (up->in_section) up->section += f->total;
    }
    break;
  case 3: /* section begins */
    if (!f || f->region != region || index >= SECTIONS) break;
    if (f->open != number || f->ran[index]) {
      join(f);
      f->open = number;
      f->sections = 0;
      memset(f->ran, 0, sizeof f->ran);
    }
    f->in_section = 1; f->index = index; f->section = 0;
    break;
  case 4: /* section ends */
    if (!f || !f->in_section || index >= SECTIONS) break;
    f->in_section = 0;
    f->ran[index] = 1;
    f->work[index] = f->section;
    if (index + 1 > f->sections) f->sections = index + 1;
    break;
  }
}

/* Adds a class of earlier runs, as __pathspan_put_executions hands it over. It returns 0
 * where there is no memory. */
int __pathspan_add_executions(const u64 *c) {
  if (c[3] > SECTIONS) return 1;
  struct construct *k = find((u32)c[0], (u32)c[1], (u32)c[2], (u32)c[3]);
  if (!k) return 0;
  if (k->sections == c[3]) add(k, c[4], c + 5);
  return 1;
}

/* Starts anew, in a child of fork. */
void __pathspan_forget_executions(void) { constructs = 0; }

/* Hands over every class: region, construct, whether other regions were active around
 * it, sections, count, the sums of work. */
void __pathspan_put_executions(void (*put)(u64)) {
  for (struct construct *k = constructs; k; k = k->next)
    for (u32 i = 0; i < k->classes; i++) {
      u64 *c = class_at(k, i);
      put(k->region);
      put(k->number);
      put(k->nested);
      put(k->sections);
      for (u32 j = 0; j <= k->sections; j++) put(c[j]);
    }
}
