/* Which lane is under way: of regions, sections, worksharing loops and tasks. Sections of a
 * construct are as the iterations of a loop: what one accessed, a later one depends on.
 * Tasks run where they are made; what one accessed, all that is done before it is waited for
 * depends on, but for siblings that its dependences put behind it. What a task made and did not
 * wait for is over when a group around is, or when threads wait for each other. */
#include "library.h"
#include "memory.h"
#include "tasks.h"

#include <stdlib.h>

enum { MOST_CHUNK = 1 << 24, MOST_LANES = 1 << 12, MOST_GROUPS = 1 << 12, MOST_GUARDS = 1 << 15 };

u64 __pathspan_here, __pathspan_locked;
u32 __pathspan_outermost;
u32 __pathspan_lanes, __pathspan_first_lane;

/* A task that was made and not waited for: its moments, and for which elder ones it waits. */
struct made {
  u32 begin, end, number, lane;
  u32 waits;             /* how many */
  u32 *distance;
  u64 uses;              /* of lines, until it began, and then what it took */
};

/* What a lane that is over made and nobody waited for: moments. */
struct orphan {
  u32 begin, end;
};

/* Lanes under way, the outermost at 1; at 0 is what is outside of regions. */
static struct lane {
  u32 here;
  int task;              /* it is one: what it makes is numbered by it */
  int region;            /* where it ends threads wait */
  /* The sections construct of a region, or the first of those between which nobody waits. */
  int inside;            /* a section of it is under way */
  u32 first, last;       /* its first section; the one that began last */
  u32 entered, iteration;
  struct made *made;
  u32 count, room, born; /* born: tasks of this one that were deferred */
  u8 *before;            /* by index of made: known to end before the task under way; of made[0..known) */
  u32 known, known_room;
  struct orphan *orphans; /* of lanes within, ascending, none in another */
  u32 orphan_count, orphan_room;
  struct party party;
  u64 iterations, at, next; /* of a loop: those that are over, and with which the next block of them begins */
  u32 asked;             /* with which of some iterations those begin that are asked */
  u32 chunk, in_chunk;   /* how many are one, and how many of the one under way are over */
  u32 followed;          /* of a loop: as what its iterations' uses are noted (turns.c), 0: they are not */
  u32 began;             /* the last moment before */
  u64 lines;             /* that it used since then, while another is under way in it */
} lanes[MOST_LANES];
static u32 deeper;       /* lanes under way beyond those */

static struct { u32 made, orphans; } groups[MOST_GROUPS]; /* that there were when it began */
static u32 group_count;

/* What executions of lanes used, by lane. */
static struct span {
  u64 times, lines, most;
} *spans;

/* Of the lane under way: the last moment before it began, and lines that it used since then. */
u32 __pathspan_lane_began;
u64 __pathspan_lane_lines;

static void begin_span(void) {
  struct lane *l = &lanes[__pathspan_lanes];
  l[-1].lines = __pathspan_lane_lines;
  __pathspan_lane_lines = 0;
  l->began = __pathspan_lane_began = __pathspan_now - 1;
  if (!spans) {
    spans = __pathspan_reserve(sizeof *spans << 16);
    spans[0].times = 1; /* what is outside of regions */
  }
  spans[l->here & 0xffff].times++;
}

/* end_span ends the lane under way; the one around goes on. */
static void end_span(void) {
  struct lane *l = &lanes[__pathspan_lanes--];
  struct span *s = &spans[l->here & 0xffff];
  s->lines += __pathspan_lane_lines;
  if (__pathspan_lane_lines > s->most) s->most = __pathspan_lane_lines;
  __pathspan_lane_lines = l[-1].lines;
  __pathspan_lane_began = l[-1].began;
}

void __pathspan_each_span(void (*tell)(u32 lane, u64 times, u64 lines, u64 most)) {
  while (__pathspan_lanes) end_span();
  for (u32 i = 1; spans && i < 1 << 16; i++)
    if (spans[i].times) tell(i, spans[i].times, spans[i].lines, spans[i].most);
  tell(0, 1, __pathspan_lane_lines, __pathspan_lane_lines);
}

static u32 lane_of(const struct lane *l) { return l->here & 0xffff; }

static void go(void) {
  __pathspan_lane_changes();
  __pathspan_here = (u64)lanes[__pathspan_lanes].here << 32;
  __pathspan_party_is(&lanes[__pathspan_lanes].party);
  __pathspan_tick();
}

static struct lane *push(u32 lane) {
  if (deeper || __pathspan_lanes + 1 >= MOST_LANES) {
    deeper++;
    __pathspan_passed[PASSED_LANES]++;
    return 0;
  }
  if (__pathspan_lanes == 0) __pathspan_first_lane = __pathspan_now + 1;
  __pathspan_share_begins(); /* what is made from now on may be a thread's own */
  struct lane *l = &lanes[++__pathspan_lanes];
  l->here = lane;
  l->task = l->inside = l->region = 0;
  l->followed = l->chunk = 0;
  l->first = l->last = l->count = l->born = l->known = l->orphan_count = 0;
  l->party = (struct party){.part = l[-1].party.part, .loop = l[-1].party.loop};
  go();
  begin_span();
  return l;
}

void __pathspan_lane_begins(u32 lane) {
  struct lane *l = push(lane);
  if (l) l->region = 1;
}

void __pathspan_single_begins(u32 lane) { push(lane); }

/* runs_beside notes that the lane under way runs beside others, since when. */
static struct party *runs_beside(struct lane *l, u32 since) {
  l->party = (struct party){.self = __pathspan_now, .since = since, .lane = lane_of(l), .part = l->party.part, .loop = l->party.loop};
  return &l->party;
}

extern u64 __pathspan_loop_iterations __attribute__((weak)), __pathspan_loop_chunk __attribute__((weak)); /* serial.c: of the loop that begins */

/* next_part finds with which iteration the block behind the one under way begins. */
static void next_part(struct lane *l) {
  u32 behind = (u32)__builtin_ctz(l->party.part.block) + 1;
  l->next = behind < PARTS ? (l->iterations / PARTS) * behind + (l->iterations % PARTS * behind + PARTS - 1) / PARTS : ~(u64)0;
}

void __pathspan_loop_lane_begins(u32 lane) {
  struct lane *l = push(lane);
  if (!l) return;
  struct party *p = runs_beside(l, __pathspan_now);
  p->turns = 1;
  u64 chunk = &__pathspan_loop_chunk ? __pathspan_loop_chunk : 0;
  p->followed = l->followed = __pathspan_turns_begin(lane, chunk);
  l->iterations = &__pathspan_loop_iterations ? __pathspan_loop_iterations : 0;
  l->at = 0;
  l->next = ~(u64)0;
  if (l->iterations && !p->part.block) {
    p->part = (struct bits){1, 1};
    p->loop = p->lane;
    next_part(l);
    l->chunk = !chunk ? 1 : chunk < MOST_CHUNK ? (u32)chunk : MOST_CHUNK;
    l->in_chunk = 0;
    __pathspan_part_takes(lane, l->chunk);
    __pathspan_stands_for = 1;
  }
  __pathspan_party_is(p);
}

/* The next iteration: where all of the first ones are asked, and then some behind each other, lines that are shared are found. The latter of these tell who has
 * lines where threads take chunks, as what the last ones used is known then. */
void __pathspan_turns(u32 step) {
  enum { ALL_OF = 64, OF = 32, ASKED = 8, LONG = 16 };
  static u32 chance;
  struct lane *l = &lanes[__pathspan_lanes];
  struct party *p = &l->party;
  if (deeper || !p->turns) return;
  if (p->turn % OF == 0) { /* by chance, so that no schedule goes in step with them */
    l->asked = (u32)below(&chance, OF - ASKED + 1);
  }
  u32 begins = p->turn < ALL_OF, in = p->turn % OF - l->asked;
  if (begins || in < ASKED) __pathspan_lines_are_far();
  __pathspan_party.brief = p->brief = __pathspan_now - p->self < LONG;
  __pathspan_turn_before = p->self;
  __pathspan_party.self = p->self = __pathspan_now;
  __pathspan_party.turn = ++p->turn;
  if (p->followed) __pathspan_turn_begins(p->followed, p->turn);
  l->at += step;
  if (l->chunk) {
    if (unlikely(step > l->chunk)) { /* iterations that the compiler made one are told from each other by nobody */
      l->chunk = step;
      __pathspan_part_takes(p->loop, step);
    }
    for (l->in_chunk += step; l->in_chunk >= l->chunk; l->in_chunk -= l->chunk) p->part.chunk = p->part.chunk == OUTSIDE >> 1 ? 1 : p->part.chunk << 1;
    __pathspan_part.chunk = __pathspan_party.part.chunk = p->part.chunk;
    __pathspan_stands_for = begins ? 1 : in >= ASKED / 2 && in < ASKED ? OF / (ASKED / 2) : 0;
  }
  if (likely(l->at < l->next)) return;
  for (; l->at >= l->next; next_part(l)) p->part.block <<= 1;
  __pathspan_party_is(p);
}

/* A section begins, of a construct whose first is told, or of one from which threads go on to it. */
void __pathspan_section_begins(u32 lane, u32 first) {
  if (deeper) {
    deeper++;
    return;
  }
  struct lane *around = &lanes[__pathspan_lanes];
  int again = around->first != first || lane <= around->last;
  push(lane);
  around->inside = 1;
  around->last = lane;
  around->iteration = __pathspan_now;
  if (again) {
    around->first = first;
    around->entered = __pathspan_now;
  }
  if (around + 1 != &lanes[__pathspan_lanes]) return;
  struct party *p = runs_beside(around + 1, around->entered);
  p->section = 1;
  p->began = __pathspan_uses();
  __pathspan_party_is(&around[1].party);
}

static void *more(void *p, u64 bytes) {
  if (!(p = realloc(p, bytes))) abort();
  return p;
}

static void waited(struct lane *l, u32 from) {
  for (u32 i = from; i < l->count; i++) free(l->made[i].distance);
  if (l->count > from) l->count = from;
}

static void orphaned(struct lane *l, u32 begin, u32 end) {
  enum { MOST_ORPHANS = 1 << 20 };
  if (l->orphan_count == MOST_ORPHANS) {
    __pathspan_passed[PASSED_LANES]++;
    return;
  }
  if (l->orphan_count == l->orphan_room) l->orphans = more(l->orphans, (l->orphan_room = l->orphan_room ? 2 * l->orphan_room : 16) * sizeof *l->orphans);
  l->orphans[l->orphan_count++] = (struct orphan){begin, end};
}

/* A lane is over, and what was made in it may not be: those within are in their order, and in those that made them. */
static void hand_over(struct lane *l) {
  if (l->region) l->orphan_count = 0;
  for (u32 i = 0, k = 0; !l->region && (i < l->count || k < l->orphan_count);) {
    if (i == l->count || (k < l->orphan_count && l->orphans[k].begin < l->made[i].begin)) {
      orphaned(l - 1, l->orphans[k].begin, l->orphans[k].end);
      k++;
      continue;
    }
    const struct made *m = &l->made[i++];
    u32 end = m->end ? m->end : __pathspan_now + 1;
    orphaned(l - 1, m->begin, end);
    while (k < l->orphan_count && l->orphans[k].begin < end) k++;
  }
  waited(l, 0);
  l->orphan_count = 0;
}

static void leave(u32 to) {
  while (__pathspan_lanes > to) {
    struct lane *l = &lanes[__pathspan_lanes];
    if (l->party.section) __pathspan_section_took(&l->party);
    if (l->followed) __pathspan_turns_end(l->followed, l->iterations);
    hand_over(l);
    end_span();
  }
  lanes[to].inside = 0;
  go();
}

/* A lane ends, and those in it that were left by a jump. */
static int pop(u32 lane) {
  if (deeper) {
    deeper--;
    return 0;
  }
  u32 n = __pathspan_lanes;
  while (n && lane_of(&lanes[n]) != lane) n--;
  if (!n) return 0;
  leave(n - 1);
  return 1;
}

void __pathspan_lane_ends(u32 lane) { pop(lane); }

/* Lanes that were under way are left by a jump or an exception. */
void __pathspan_lanes_left(u32 count) {
  deeper = 0;
  if (count >= __pathspan_lanes) return;
  leave(count);
}

/* Threads wait for each other, and for all tasks. */
void __pathspan_threads_wait(void) {
  struct lane *l = &lanes[__pathspan_lanes];
  l->first = l->last = l->orphan_count = 0;
  waited(l, 0);
}

/* ---- tasks ---- */

static struct lane *task_around(void) {
  u32 n = __pathspan_lanes;
  while (n && !lanes[n].task) n--;
  return &lanes[n];
}

/* A task begins. Where it is deferred, it is known to those who come behind it. */
void __pathspan_task_lane_begins(u32 lane) {
  const struct spawn *s = __pathspan_task_spawned ? __pathspan_task_spawned() : 0;
  struct lane *maker = &lanes[__pathspan_lanes];
  int deferred = s && !s->undeferred && !deeper && __pathspan_lanes;
  if (deferred) {
    if (maker->count == maker->room) maker->made = more(maker->made, (maker->room = maker->room ? 2 * maker->room : 16) * sizeof *maker->made);
    struct made *m = &maker->made[maker->count++];
    *m = (struct made){__pathspan_now + 1, 0, ++task_around()->born, lane, s->waits, 0, __pathspan_uses()};
    if (s->waits) {
      m->distance = more(0, s->waits * sizeof *m->distance);
      for (u32 i = 0; i < s->waits; i++) m->distance[i] = s->distance[i];
    }
  }
  struct lane *l = push(lane);
  maker->known = 0;
  if (!l) return;
  l->task = s != 0;
  if (deferred) runs_beside(l, __pathspan_first_lane)->part = (struct bits){0, 0};
  else l->party = maker->party;
  __pathspan_party_is(&l->party);
}

static void order(struct lane *l);

/* ran_beside tells how long the last task of a lane, which ends, and those before it of which it did not wait for any
 * may have run at the same time, in moments. */
static void ran_beside(struct lane *l) {
  enum { ELDER = 64 };
  const struct made *me = &l->made[l->count - 1];
  u32 took = __pathspan_now - me->begin + 1;
  __pathspan_ran_beside(me->lane, me->lane, 0, took);
  if (l->count < 2) return;
  order(l);
  for (u32 i = l->count - 1, n = 0; i-- > 0 && n < ELDER; n++) {
    const struct made *m = &l->made[i];
    u32 other = m->end - m->begin;
    if (!l->before[i]) __pathspan_ran_beside(me->lane, m->lane, me->number - m->number, took < other ? took : other);
  }
}

void __pathspan_task_lane_ends(u32 lane) {
  u32 n = __pathspan_lanes;
  struct lane *l = &lanes[n ? n - 1 : 0];
  if (!deeper && n && lane_of(&lanes[n]) == lane && l->count && !l->made[l->count - 1].end) ran_beside(l);
  if (!pop(lane)) return;
  struct lane *maker = &lanes[__pathspan_lanes];
  maker->known = 0;
  if (!maker->count || maker->made[maker->count - 1].end) return;
  struct made *m = &maker->made[maker->count - 1];
  m->end = __pathspan_now;
  m->uses = __pathspan_uses() - m->uses;
}

/* A taskwait is met, which may wait for some by their dependences. */
void __pathspan_tasks_waited(void) {
  const struct spawn *s = __pathspan_task_awaited ? __pathspan_task_awaited() : 0;
  struct lane *l = &lanes[__pathspan_lanes];
  if (!s || deeper) return;
  if (!s->undeferred) {
    waited(l, 0);
    return;
  }
  u32 born = task_around()->born + 1, to = 0;
  for (u32 i = 0; i < l->count; i++) {
    int over = 0;
    for (u32 j = 0; j < s->waits; j++) over |= l->made[i].number == born - s->distance[j];
    if (over) free(l->made[i].distance);
    else l->made[to++] = l->made[i];
  }
  l->count = to;
}

void __pathspan_group_begins(void) {
  struct lane *l = &lanes[__pathspan_lanes];
  if (group_count < MOST_GROUPS) {
    groups[group_count].made = l->count;
    groups[group_count].orphans = l->orphan_count;
  } else __pathspan_passed[PASSED_LANES]++;
  group_count++;
}

void __pathspan_group_ends(void) {
  struct lane *l = &lanes[__pathspan_lanes];
  if (!group_count || --group_count >= MOST_GROUPS || deeper) return;
  waited(l, groups[group_count].made);
  if (l->orphan_count > groups[group_count].orphans) l->orphan_count = groups[group_count].orphans;
}

static u32 index_of(const struct lane *l, u32 number) {
  u32 low = 0, high = l->count;
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (l->made[middle].number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* order finds which elder siblings the last task of a lane, which is under way, waits for, and those for which these do. */
static void order(struct lane *l) {
  if (l->known == l->count) return;
  if (l->count > l->known_room) l->before = more(l->before, l->known_room = l->room);
  l->known = l->count;
  for (u32 i = 0; i < l->count; i++) l->before[i] = 0;
  l->before[l->count - 1] = 1;
  for (u32 i = l->count; i-- > 0;) {
    const struct made *m = &l->made[i];
    for (u32 k = 0; l->before[i] && k < m->waits; k++) {
      u32 at = index_of(l, m->number - m->distance[k]);
      if (at < i && l->made[at].number == m->number - m->distance[k]) l->before[at] = 1;
    }
  }
}

/* tasks tells whether the moment is one of a task that what is under way, in the lane or within, does not come behind. */
static int tasks(struct lane *l, u32 then) {
  u32 low = 0, high = l->count;
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (l->made[middle].begin <= then) low = middle + 1;
    else high = middle;
  }
  if (!low) return 0;
  const struct made *m = &l->made[low - 1];
  if (!m->end) return 0;    /* it is under way */
  if (then >= m->end) return 0;
  if (l->made[l->count - 1].end) return 1;
  order(l);
  return !l->before[low - 1];
}

/* of_orphans tells whether the moment is one of what a lane within made and nobody waited for. */
static int of_orphans(const struct lane *l, u32 then) {
  u32 low = 0, high = l->orphan_count;
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (l->orphans[middle].begin <= then) low = middle + 1;
    else high = middle;
  }
  return low && then < l->orphans[low - 1].end;
}

int __pathspan_tasks_are_out(void) {
  for (u32 n = __pathspan_lanes; n; n--)
    if (lanes[n].count || lanes[n].orphan_count) return 1;
  return 0;
}

u32 __pathspan_apart(u32 then, u64 *took) {
  for (u32 n = __pathspan_lanes; n-- > 0;) {
    struct lane *l = &lanes[n];
    if (l->inside && then >= l->entered && then < l->iteration) return 0;
    if (!l->count || l->made[l->count - 1].end || !tasks(l, then)) continue;
    u32 at = l->count - 1;
    while (l->made[at].begin > then) at--;
    *took = l->made[at].uses;
    return l->made[l->count - 1].number - l->made[at].number;
  }
  return ALONE;
}

u32 __pathspan_between(u32 then, u32 *from, u32 *to) {
  for (u32 n = __pathspan_lanes; n; n--) {
    struct lane *l = &lanes[n];
    if (l->inside && then >= l->entered && then < l->iteration) return l->first + 1;
    if ((l->count && tasks(l, then)) || of_orphans(l, then)) return lane_of(l) + 1;
    /* Of lanes that made tasks no more than this moment is known. */
    int out = l->count || l->orphan_count;
    u32 low = out ? then : l->inside && then >= l->iteration ? l->iteration : 0;
    u32 high = out ? then + 1 : l->inside && then < l->entered ? l->entered : ~(u32)0;
    if (low > *from) *from = low;
    if (high < *to) *to = high;
  }
  return 0;
}

/* ---- locks ---- */

/* What a lane holds: a lock, and what it held before. */
static struct guard {
  u32 outer, lock, chain;
} guards[MOST_GUARDS];
static u32 guard_count, by_guard[1 << 10];

static u32 guard(u32 outer, u32 lock) {
  u32 *slot = &by_guard[(outer * 31u + lock) * 0x9e3779b9u >> 22];
  for (u32 i = *slot; i; i = guards[i].chain)
    if (guards[i].outer == outer && guards[i].lock == lock) return i;
  if (guard_count + 1 >= MOST_GUARDS) {
    __pathspan_passed[PASSED_LOCKS]++;
    return outer;
  }
  guards[++guard_count] = (struct guard){outer, lock, *slot};
  return *slot = guard_count;
}

static void hold(u32 which) {
  struct lane *l = &lanes[__pathspan_lanes];
  l->here = lane_of(l) | which << 16;
  __pathspan_here = (u64)l->here << 32;
}

void __pathspan_lock_held(u32 lock, u64 address) {
  u32 outer = lanes[__pathspan_lanes].here >> 16, number = __pathspan_lock_at(lock, address);
  if (!outer) {
    __pathspan_locked = __pathspan_uses();
    __pathspan_outermost = number + 1;
  }
  hold(guard(outer, number));
}
void __pathspan_lock_given(void) { hold(guards[lanes[__pathspan_lanes].here >> 16].outer); }

void __pathspan_each_guard(void (*tell)(u32 guard, u32 outer, u32 lock)) {
  for (u32 i = 1; i <= guard_count; i++) tell(i, guards[i].outer, guards[i].lock);
}
