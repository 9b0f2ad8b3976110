/* Executions of sections constructs, as trees: how the work of their sections went
 * together. executions.c is told of them while the program runs (following.h), forest.c joins those that
 * went alike and keeps them within bounds. */
#ifndef PATHSPAN_EXECUTIONS_H
#define PATHSPAN_EXECUTIONS_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t u64;
typedef int64_t i64;
typedef uint32_t u32;
typedef uint16_t u16;

/* The bounds of a profile; profile/forest.go merges by the same. */
enum {
  MOST_KINDS = 8,
  MOST_ENTRIES = 1 << 16, /* of all constructs */
  MOST_OF_ONE = 4096,     /* of one construct */
  MOST_PARTS = 1 << 18,   /* of all entries, and of all lanes under way */
  MOST_LANE_PARTS = 1024,
  MOST_LOOP_PARTS = 24576, /* of the iterations of a loop */
  MOST_SECTIONS = 1024,   /* constructs with more are not kept */
  MOST_DEPTH = 1024,      /* of regions and tasks under way */
  MOST_LANES = 1 << 16,   /* of all regions under way that ended */
  FINEST_GRID = 32,
  FINER_GRID = 512        /* of work under locks, and of programs that make tasks: who waits for whom and who steals what hangs on little */
};

#define FULL (~(u32)0)

/* What the instrumented module provides. */
extern const u64 __pathspan_meter_count __attribute__((weak)); /* kinds of work; 0: sections are watched only */
extern const u32 __pathspan_meter_weights[] __attribute__((weak)); /* by kind, where works are told apart */
extern const u32 __pathspan_region_count __attribute__((weak));
extern const u32 __pathspan_constructs[] __attribute__((weak)); /* by region, behind the last for tasks, then for locks and streaks: its first construct; one more at the end */
extern const u32 __pathspan_sections[] __attribute__((weak));   /* by construct: how many */

extern const u32 __pathspan_traits[] __attribute__((weak));     /* by construct: of these */

/* GOES_ON: threads do not wait behind it; of what ends blocks of iterations: behind some
 * construct of its region. WITH_NEXT: they may go on to the next, or from that around a loop.
 * KEEPS_ALL: what its iterations do no meter holds before it ends (build/probe/ownloops.go).
 * IS_ATOMIC: of locks, one that stands for lines that are updated atomically. */
enum { IS_LOOP = 1, GOES_ON = 2, WITH_NEXT = 4, IS_ORDERED = 8, KEEPS_ALL = 16, IS_ATOMIC = 32 };

/* openmp.c: how many iterations the loop has that begins, and a chunk of it, 0 for none. */
extern u64 __pathspan_loop_iterations __attribute__((weak));
extern u64 __pathspan_loop_chunk __attribute__((weak));

/* A stretch of a lane: work of its own, then executions of an entry. A part without an
 * entry is work alone, and happens once. */
struct part {
  u32 child;                 /* entry + 1, 0 for none */
  uint16_t cell[MOST_KINDS]; /* of the mean work: of its weighted sum, then of the shares of all kinds but the last */
  u64 times;                 /* that it happens in a row */
  u64 sum[MOST_KINDS];       /* of the work, over all executions of the entry, and times */
};

struct entry {
  u32 region, construct, sections;
  u32 lane, part, parts;     /* where its lanes and parts begin, how many parts */
  u64 hash, count;           /* executions, inside others or not */
};

/* Entries, those inside others first. */
struct forest {
  u32 kinds, grid, depth;    /* cells to a factor of two; depth of what is kept, 0: any */
  u32 entries, lanes, parts;
  struct entry *entry;
  u32 *lane;                 /* how many parts each has */
  struct part *part;
  u32 *slot;                 /* hash table: entry + 1 */
  u32 *of;                   /* how many entries a construct has */
};


/* A sum that stops at what readers of the profile take, far beyond what a run counts. */
static inline u64 __pathspan_plus(u64 a, u64 b) {
  const u64 most = ((u64)1 << 63) - 1;
  return (a | b | (a + b)) > most ? most : a + b;
}

/* How much n of c is of a, for n up to c: a * n / c, whose product need not fit. */
static inline u64 __pathspan_share(u64 a, u64 n, u64 c) {
  u64 p, quotient = 0, rest = 0;
  if (!__builtin_mul_overflow(a, n, &p)) return p / c;
  for (int bit = 63; bit >= 0; bit--) { /* the product's bits from the top, rest below c */
    int doubled = rest >= c - rest, more;
    rest = doubled ? rest - (c - rest) : rest + rest;
    more = (a >> bit & 1) && rest >= c - n;
    if (a >> bit & 1) rest = more ? rest - (c - n) : rest + n;
    quotient = 2 * quotient + (u64)doubled + (u64)more;
  }
  return quotient;
}

/* following.c */
u32 __pathspan_grid(const struct forest *f, u32 region); /* of the entries of a region */

/* forest.c */
void *__pathspan_pages(size_t bytes);
uint16_t __pathspan_cell(u64 x, u32 grid);
void __pathspan_set_cells(struct part *p, u32 kinds, u32 grid, u64 count);
int __pathspan_same_cells(const struct part *a, const struct part *b);
u32 __pathspan_shorten(struct part *lane, u32 n, u32 kinds, u32 grid, u64 count);
int __pathspan_forest_new(struct forest *f, u32 kinds, u32 grid, u32 depth);
void __pathspan_forest_free(struct forest *f);
u32 __pathspan_forest_put(struct forest *f, u32 region, u32 construct, u64 count, const u32 *lane, const struct part *part);
u32 __pathspan_forest_height(const struct forest *f);
u64 *__pathspan_forest_roots(const struct forest *f);

/* Executions of a forest that are planted: how often at which depth, and what became of
 * them. */
struct planting {
  const struct forest *from;
  u32 depths;                /* 1: of any depth; else the last is of what becomes work */
  u64 *often;                /* by entry and depth */
  u32 *became;               /* by entry and depth: entry + 1 */
  u64 *folded;               /* by entry: executions that became work and are not taken yet */
  u64 *work;                 /* by entry and kind: of those */
};
int __pathspan_planting_new(struct planting *p, const struct forest *from, u32 depths);
void __pathspan_planting_free(struct planting *p);
int __pathspan_plant(struct planting *p, struct forest *to);
void __pathspan_become(struct planting *p, struct part *part, u64 count, u32 depth);

#endif
