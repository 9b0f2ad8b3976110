/* What threads of worksharing loops come by: lines that another has and they have not. The profile is of a sequential run, in which a loop has each line
 * but once. Where so many threads have a part of the iterations each, one behind the other, each brings in what it uses: tables that all read, what code
 * outside of the loop wrote, and what others wrote that have other parts of an array. Who that is hangs on the number of threads, and on whether they have
 * blocks or chunks by turns, so that is asked of several numbers at once, and of this loop and of others by blocks or by chunks. Uses are asked the more seldom
 * the more there were, by chance. */
#include "memory.h"

enum { OFTEN = 512 };

struct has *__pathspan_has;
struct bits __pathspan_part = {OUTSIDE, OUTSIDE};
u32 __pathspan_stands_for, __pathspan_turn_before;
/* Of chunks those of which every so manieth is a thread's. */
#define BLOCKS {2, 3, 4, 6, 8, 12, 16, 24}
#define CHUNKS {2, 3, 4, 6, 8, 12, 24}
const u8 __pathspan_team[TAKEN_WAYS][TEAMS] = {BLOCKS, CHUNKS, BLOCKS, CHUNKS};
static u32 of_thread[TAKEN_WAYS][TEAMS][PARTS]; /* parts of others that a thread has; the first one's what is outside as well */

static u32 thread_of(u32 chunks, u32 team, u32 part) { return chunks ? part % team : part * team / PARTS; }

static void find_threads(void) {
  for (u32 way = 0; way < TAKEN_WAYS; way++)
    for (u32 n = 0; n < TEAMS && __pathspan_team[way][n]; n++) {
      of_thread[way][n][0] = OUTSIDE;
      for (u32 part = 0; part < PARTS; part++) of_thread[way][n][thread_of(way & OTHERS_BY_CHUNKS, __pathspan_team[way][n], part)] |= 1u << part;
    }
}

void __pathspan_came_by(struct taken *t, u32 line, u32 distance, int writes, int first, int by_chunks) {
  static u32 chance;
  u64 mean = t->samples[by_chunks] / OFTEN, weight = 1 + mean;
  t->samples[by_chunks] += weight;
  t->unasked[by_chunks] = mean / 2 + below(&chance, mean);
  if (__pathspan_noted[line].stacked >= __pathspan_first_lane) return; /* each thread has its own */
  if (by_chunks && !first && __pathspan_is_noted(line)) return; /* turns.c tells of it; blocks have no thread come back in the order of the run */
  if (!of_thread[0][0][0]) find_threads();
  if (by_chunks) weight *= __pathspan_stands_for;
  struct has h = __pathspan_has[line];
  if (h.loop != __pathspan_party.loop) {
    h.before = (struct bits){h.before.block | h.now.block, h.before.chunk | h.now.chunk};
    h.now = (struct bits){0, 0};
  }
  struct bits *by = h.wrote == __pathspan_party.loop ? &h.now : &h.before;
  if (h.wrote) by->block |= 1u << h.block, by->chunk |= 1u << h.chunk;
  for (u32 way = by_chunks; way < (by_chunks ? TAKEN_WAYS : 1); way++) {
    u32 part = (u32)__builtin_ctz(way & BY_CHUNKS ? __pathspan_part.chunk : __pathspan_part.block);
    u32 before = way & OTHERS_BY_CHUNKS ? h.before.chunk : h.before.block;
    for (u32 n = 0; n < TEAMS && __pathspan_team[way][n]; n++) {
      struct came *c = &t->of[way][n][distance];
      u32 team = __pathspan_team[way][n], thread = thread_of(way & BY_CHUNKS, team, part);
      u32 has = before & of_thread[way][n][thread];
      if (way & BY_CHUNKS) has |= h.now.chunk & of_thread[BY_CHUNKS | OTHERS_BY_CHUNKS][n][thread];
      else has |= h.now.block & of_thread[0][n][thread];
      if (has) {
        c->kept += first ? weight : 0;
      } else {
        *(writes ? &c->writes : &c->reads) += weight;
        c->outer += thread ? 0 : weight;
      }
      c->known += first ? weight : 0;
    }
  }
}
