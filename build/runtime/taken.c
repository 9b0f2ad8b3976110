/* What threads of worksharing loops come by: lines that another has and they have not. The profile is of a sequential run, in which a loop has each line
 * but once. Where so many threads have a part of the iterations each, one behind the other, each brings in what it uses: tables that all read, what code
 * outside of the loop wrote, and what others wrote that have other parts of an array. Who that is hangs on the number of threads,
 * so that is asked of several numbers at once. Uses are asked the more seldom the more there were, by chance. */
#include "memory.h"

enum { OFTEN = 192 };

u32 *__pathspan_has, __pathspan_part = OUTSIDE;
const u8 __pathspan_team[TEAMS] = {2, 3, 4, 6, 8, 12, 16, 24};
static u32 same[TEAMS][PARTS]; /* parts that the thread has which has one; the first one's what is outside as well */

static void find_same(void) {
  for (u32 n = 0; n < TEAMS; n++)
    for (u32 a = 0; a < PARTS; a++) {
      u32 thread = a * __pathspan_team[n] / PARTS;
      same[n][a] = thread ? 0 : OUTSIDE;
      for (u32 b = 0; b < PARTS; b++)
        if (b * __pathspan_team[n] / PARTS == thread) same[n][a] |= 1u << b;
    }
}

u64 __pathspan_came_by(struct taken **of, u32 line, u32 distance, int writes, int first) {
  static u32 chance;
  u32 has = __pathspan_has[line];
  if (__pathspan_noted[line].stacked >= __pathspan_first_lane) return 0; /* each thread has its own */
  struct taken *t = *of;
  if (!t) {
    if (!same[0][0]) find_same();
    t = *of = __pathspan_arena(sizeof *t);
  }
  u64 mean = t->samples / OFTEN, weight = 1 + mean;
  t->samples += weight;
  u32 part = (u32)__builtin_ctz(__pathspan_part);
  for (u32 n = 0; n < TEAMS; n++) {
    struct came *c = &t->of[n][distance];
    if (has & same[n][part]) {
      c->kept += first ? weight : 0;
    } else {
      *(writes ? &c->writes : &c->reads) += weight;
      c->outer += same[n][part] & OUTSIDE ? weight : 0;
    }
    c->known += first ? weight : 0;
  }
  chance = chance * 1664525u + 1013904223u;
  return mean / 2 + (mean * chance >> 32);
}
