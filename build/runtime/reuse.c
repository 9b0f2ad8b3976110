/* Lines in the order of their last use, in groups: how many other lines were used between two
 * uses of a line is known to the group. Groups end behind 1, 2, 3, 4, 6, 8, 12, 16 lines and
 * so on, after Y. H. Kim, M. D. Hill, D. A. Wood (SIGMETRICS 1991). */
#include "memory.h"

enum { MOST_LINES = 1 << 28, GROUPS = 52 };
#define NONE (~(u32)0)

static struct {
  u32 newer, older;
} *order;
static u8 *group;
static u32 used, oldest;       /* lines; the last in the order */
u32 __pathspan_front = NONE;
static u32 last[GROUPS];       /* line of each group that is full */
static u32 full, in_next;      /* groups that are full; lines in the next */
static u64 uses[GROUPS + 1];   /* by group; of lines not used before */

/* size_of is how many lines group g has: 1, 1, 1, 1, 2, 2, 4, 4 ... */
static u32 size_of(u32 g) { return g < 4 ? 1 : 1u << ((g - 2) / 2); }

static void put_front(u32 i) {
  u32 old = __pathspan_front;
  order[i].newer = 0;
  order[i].older = old == NONE ? 0 : old;
  if (old != NONE) order[old].newer = i;
  __pathspan_front = i;
  group[i] = 0;
}

static u32 new_line(void) {
  if (!order) {
    order = __pathspan_reserve(MOST_LINES * sizeof *order);
    group = __pathspan_reserve(MOST_LINES);
  }
  return ++used;
}

/* shift hands the last line of each group before g to the next. The new front is in place. */
static void shift(u32 g) {
  for (u32 k = 0; k < g; k++) {
    u32 l = last[k];
    group[l] = (u8)(k + 1);
    last[k] = order[l].newer;
  }
}

static void use_new(u32 *line) {
  *line = new_line();
  uses[GROUPS]++;
  put_front(*line);
  shift(full);
  if (!oldest) oldest = *line;
  if (++in_next < size_of(full) || full + 1 == GROUPS) return;
  last[full++] = oldest;
  in_next = 0;
}

__attribute__((preserve_most)) void __pathspan_use(u32 *line) {
  u32 i = *line;
  if (!i) {
    use_new(line);
    return;
  }
  u32 g = group[i], newer = order[i].newer, older = order[i].older; /* newer is not 0: the front does not come here */
  uses[g]++;
  if (g < full && last[g] == i) last[g] = newer;
  order[newer].older = older;
  if (older) order[older].newer = newer;
  else oldest = newer;
  put_front(i);
  shift(g);
}

/* Lines up to the end of group g. */
static u64 lines_to(u32 g) {
  u64 n = 0;
  for (u32 k = 0; k <= g; k++) n += size_of(k);
  return n;
}

/* each tells how often lines were used behind how many others, at most; -1 for the first
 * time. Uses of the front are not told. */
void __pathspan_each_use(void (*tell)(i64 lines, u64 times)) {
  for (u32 g = 1; g < GROUPS; g++)
    if (uses[g]) tell((i64)lines_to(g), uses[g]);
  if (uses[GROUPS]) tell(-1, uses[GROUPS]);
}
