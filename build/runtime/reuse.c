/* Lines in the order of their last use, in groups: how many other lines were used between two
 * uses of a line is known to the group. Groups end behind 1, 2, 3, 4, 6, 8, 12, 16 lines and
 * so on, after Y. H. Kim, M. D. Hill, D. A. Wood (SIGMETRICS 1991). The lines near, from which
 * nearly all uses come, know when they were used last; the others are a list. How far a line was
 * that is near is asked of some uses only, of all at first. */
#include "memory.h"

/* How far a line was used from: its group. The first ones are of lines near; each of the others is in the list. */
enum { MOST_LINES = ROOM_FOR(1 << 28), NEAR_GROUPS = 14, GROUPS = DISTANCES - NEAR_GROUPS };

static struct {
  u32 newer, older;
} *order;
static struct {
  u32 used;                    /* a moment since the lane under way at the last use had begun, or gone on */
  uint16_t writer;             /* lane that wrote to it last, + 1; 0: none */
  u8 group;                    /* of the list; NEAR_BY: it is near */
  u8 farthest;                 /* it was used from since it was written, where it is not near; CLEAN: it was not written */
} *about;
enum { NEAR_BY = 255 };
static u32 *where;             /* lines lie: numbers that differ as those of lines in memory do */
static uint16_t *user;         /* the lane that used it last */
static u32 *wrote;             /* the moment at which it was last known that somebody had written to it */
static u32 used, oldest;       /* lines; the last in the order */
static struct line *near[NEAR]; /* by place; 0: none */
static u64 since_then[NEAR / 64]; /* a bit for each place of those used since the lane began, or went on */
static u32 newest;             /* of the list, 0: none */
static u32 last[GROUPS];       /* line of each group that is full */
static u32 full, in_next;      /* groups that are full; lines in the next */
static u32 since;              /* the last moment before the lane began, or went on */

struct near __pathspan_near = {.sample = 1};
enum { LATEST = 3 << 29, FORGOTTEN = 1 << 30 }; /* the clock is put back where it has gone as far, and by how much */

/* How many lines of one set were used since a line was, in groups as those of distances. It is asked of lines behind CLOSE others
 * or more, and of none that is farther than LONGEST. */
enum { SET_LOGS = 13, SAME_SET = 32, CLOSE = 2, LONGEST = 1 << 16, OFTEN = 192, FAR_GROUPS = 6 };

/* Of lines that a lane uses first and another wrote to last, by who used them last. */
struct had_by {
  u32 last;
  struct had_by *chain;
  struct {
    u64 all, fresh;
  } of[2];                     /* reads, and writes */
};

/* Uses by lane; of the first since it went on by who wrote the line last as well. By distance;
 * behind the last, of lines not used before. */
static struct uses {
  u32 lane, from, first;
  struct uses *chain;
  u64 reads[DISTANCES + 1], writes[DISTANCES + 1];
  i64 back[DISTANCES];
  struct had_by *had;          /* of a sample of reads, and of writes, by who used the line last */
  struct taken *taken;         /* of a loop: what its threads have to come by (taken.c) */
  struct {
    u64 samples, until;        /* of uses of lines that are not close, and until the next */
  } of[2];                     /* far ones, and near ones that are asked */
  u64 thinned;
  struct {
    u64 all, reads;
  } (*in_set)[SAME_SET];       /* by the logarithm of a number of sets */
} *by_hash[1 << 10], *own;
static struct taken *of_parts; /* of the loop whose parts are told apart */

/* Of lines that a lane uses first, and another used last: of how many uses that is known, and by the lane that used them last, + 1, of
 * lines that were used in between. By distance. */
static struct between {
  u32 lane, last, by;          /* 0: uses */
  struct between *chain;
  u64 lines[DISTANCES];
} *between_by_hash[1 << 10];

static struct between *between_of(u32 lane, u32 last, u32 by) {
  struct between **slot = &between_by_hash[((lane * 31u + last) * 31u + by) * 0x9e3779b9u >> 22];
  for (struct between *b = *slot; b; b = b->chain)
    if (b->lane == lane && b->last == last && b->by == by) return b;
  struct between *b = __pathspan_arena(sizeof *b);
  b->lane = lane;
  b->last = last;
  b->by = by;
  b->chain = *slot;
  return *slot = b;
}

static struct uses *uses_of(u32 lane, u32 from, u32 first) {
  struct uses **slot = &by_hash[(lane * 31u + from * 2u + first) * 0x9e3779b9u >> 22];
  for (struct uses *u = *slot; u; u = u->chain)
    if (u->lane == lane && u->from == from && u->first == first) return u;
  struct uses *u = __pathspan_arena(sizeof *u);
  u->lane = lane;
  u->from = from;
  u->first = first;
  u->chain = *slot;
  return *slot = u;
}

static u32 lane_now(void) { return (u32)(__pathspan_here >> 32) & 0xffff; }

/* is_had notes that what is under way has a line. */
static ALWAYS void is_had(u32 line, int writes) {
  struct has *h = &__pathspan_has[line];
  struct bits part = __pathspan_part;
  u32 loop = __pathspan_party.loop;
  if (writes) {
    if (!part.block || part.block == OUTSIDE) *h = (struct has){.before = part};
    else *h = (struct has){.wrote = (uint16_t)loop, .block = (u8)__builtin_ctz(part.block), .chunk = (u8)__builtin_ctz(part.chunk)};
    return;
  }
  if (!loop) {
    h->before = (struct bits){h->before.block | part.block, h->before.chunk | part.chunk};
    return;
  }
  if (h->loop != loop) {
    h->before = (struct bits){h->before.block | h->now.block, h->before.chunk | h->now.chunk};
    h->now = (struct bits){0, 0};
    h->loop = (uint16_t)loop;
  }
  h->now.block |= part.block;
  h->now.chunk |= part.chunk;
}

static u64 put_back; /* the clock has been, so far */

/* note_writer notes who wrote to a line near since the lane began, or went on, and when a task used it last. */
static void note_writer(u32 place) {
  if (__pathspan_party.self && !__pathspan_party.turns) __pathspan_noted[near[place]->number].last = (u32)((u64)__pathspan_near.used[place] + put_back);
  if (!__pathspan_near.mark[place].written) return;
  __pathspan_near.mark[place].written = 0;
  about[near[place]->number].writer = (uint16_t)(lane_now() + 1);
  is_had(near[place]->number, 1);
  wrote[near[place]->number] = __pathspan_now;
  if (__pathspan_party.self) __pathspan_noted[near[place]->number].wrote = __pathspan_party.self;
}

void __pathspan_lines_are_far(void) {
  for (u32 k = 0; k < NEAR / 64; k++)
    for (; since_then[k]; since_then[k] &= since_then[k] - 1) {
      u32 p = k * 64 + (u32)__builtin_ctzll(since_then[k]);
      note_writer(p);
      __pathspan_near.line[near[p]->log][p] = 0;
    }
}

void __pathspan_lane_changes(void) {
  __pathspan_lines_are_far();
  own = 0;
  since = __pathspan_now; /* the next moment is its first */
}

/* group_of is that of a line behind so many others. */
static u32 group_of(u32 others) {
  if (others < 4) return others;
  u32 log = 31 - (u32)__builtin_clz(others);
  return 2 * log + (others >> (log - 1) & 1);
}

/* end_of is how many lines there are up to the end of a group. */
static i64 end_of(u32 group) { return group < 4 ? group + 1 : (i64)(group & 1 ? 4 : 3) << (group / 2 - 1); }

/* put_newest puts a line, which is near no more, at the front of the list. */
static void put_newest(u32 i) {
  order[i].newer = 0;
  order[i].older = newest;
  if (newest) order[newest].newer = i;
  newest = i;
  about[i].group = 0;
}

static u32 new_line(const struct line *l) {
  if (!order) {
    where = __pathspan_reserve((u64)MOST_LINES * sizeof *where);
    order = __pathspan_reserve((u64)MOST_LINES * sizeof *order);
    about = __pathspan_reserve((u64)MOST_LINES * sizeof *about);
    user = __pathspan_reserve((u64)MOST_LINES * sizeof *user);
    wrote = __pathspan_reserve((u64)MOST_LINES * sizeof *wrote);
    __pathspan_has = __pathspan_reserve((u64)MOST_LINES * sizeof *__pathspan_has);
  }
  if (used + 1 >= MOST_LINES) __pathspan_out_of_room();
  about[++used].farthest = CLEAN;
  where[used] = (u32)((uintptr_t)l / sizeof *l);
  return used;
}

u32 __pathspan_number(struct line *l) {
  if (!l->number) l->number = new_line(l);
  return l->number;
}

/* shift hands the last line of each group of the list before g to the next. The newest is in place. */
static void shift(u32 g) {
  for (u32 k = 0; k < g; k++) {
    u32 l = last[k];
    about[l].group = (u8)(k + 1);
    last[k] = order[l].newer;
  }
}

/* lengthen puts a line into the list that makes it longer. */
static void lengthen(u32 i) {
  put_newest(i);
  shift(full);
  if (!oldest) oldest = i;
  if (++in_next < end_of(NEAR_GROUPS + full) - end_of(NEAR_GROUPS + full - 1) || full + 1 == GROUPS) return;
  last[full++] = oldest;
  in_next = 0;
}

/* replace puts a line into the list in place of one of group g. */
static void replace(u32 i, u32 gone, u32 g) {
  u32 newer = order[gone].newer, older = order[gone].older;
  put_newest(i);
  if (!newer) newer = i; /* it was the newest */
  if (g < full && last[g] == gone) last[g] = newer;
  order[newer].older = older;
  if (older) order[older].newer = newer;
  else oldest = newer;
  shift(g);
}

/* others_since counts the lines near that were used since one was. */
static ALWAYS u32 others_since(u32 place) {
  int32_t then = __pathspan_near.used[place];
  u32 n = 0;
  for (u32 p = 0; p < NEAR; p++) n += __pathspan_near.used[p] > then;
  return n;
}

/* The places of those near that were used longest ago, that one first, and when. Uses only become later: so one that was not used since is still
 * the oldest of all, once those before it are gone, and some are looked for at a time: how many hangs on how long a time is taken. */
enum { AGED = 32 };
static struct {
  int32_t used[AGED];
  u8 place[AGED];
  u32 next, count;
  int32_t time;
} aged = {.time = AGED};

static ALWAYS void find_aged(void) {
  const int32_t *used_at = __pathspan_near.used;
  int32_t least = used_at[0], found[AGED];
  u8 place[NEAR];
  for (u32 p = 1; p < NEAR; p++) least = used_at[p] < least ? used_at[p] : least;
  u32 n = 0;
  for (;; aged.time /= 2, n = 0) {
    int32_t latest = least + aged.time;
#pragma clang loop vectorize(disable)
    for (u32 p = 0; p < NEAR; p++) {
      place[n] = (u8)p;
      n += used_at[p] <= latest;
    }
    if (n <= AGED) break;
  }
  if (n < AGED / 2 && aged.time < FORGOTTEN / 2) aged.time *= 2;
  for (u32 k = 0; k < AGED; k++) found[k] = k < n ? used_at[place[k]] : INT32_MAX;
  for (u32 k = 0; k < n; k++) {
    u32 before = 0;
    for (u32 j = 0; j < AGED; j++) before += found[j] < found[k]; /* of no two it is the same */
    aged.used[before] = found[k];
    aged.place[before] = place[k];
  }
  aged.next = 0;
  aged.count = n;
}

/* place_of_oldest is where the line near is that was used longest ago. */
static ALWAYS u32 place_of_oldest(void) {
  for (;;) {
    while (aged.next < aged.count) {
      u32 k = aged.next++, p = aged.place[k];
      if (__pathspan_near.used[p] == aged.used[k]) return p;
    }
    AGAIN; /* or compilers look for the least time at each use, before it is asked for */
    find_aged();
  }
}

/* come_near gives a line the place of the one near that was used longest ago. Returned is how far it was. */
static ALWAYS u32 come_near(struct line *l, u32 i) {
  static u32 taken;
  u32 p = taken < NEAR ? taken : place_of_oldest(), distance = DISTANCES;
  if (taken < NEAR) {
    taken++;
  } else {
    struct line *gone = near[p];
    __pathspan_near.line[gone->log][p] = 0;
    note_writer(p);
    about[gone->number].farthest = __pathspan_near.mark[p].farthest;
    if (about[i].used) {
      distance = NEAR_GROUPS + about[i].group;
      replace(gone->number, i, about[i].group);
    } else {
      lengthen(gone->number);
    }
  }
  near[p] = l;
  about[i].group = NEAR_BY;
  __pathspan_near.mark[p].farthest = about[i].farthest;
  l->place = (u8)p;
  return distance;
}

/* sample counts, of the lines used since one that is not close was, how many lie in its set: for each number of sets. Lines lie in one of 2^k
 * where their addresses differ by a multiple of that (M. D. Hill, A. J. Smith, IEEE ToC 38, 1989). The use stands for so many. */
static __attribute__((noinline)) void sample(const struct line *l, u64 stands_for, int writes) {
  u32 i = l->number, at[SET_LOGS] = {0}, me = where[i], n = 0, group = about[i].group, near_by = group == NEAR_BY;
  /* More are left out the more there were, and of those that are far, of which so many have to be looked at. */
  u64 weight = 1 + own->of[near_by].samples / OFTEN;
  own->of[near_by].until = weight - 1;
  own->of[near_by].samples += weight;
  if (!near_by && group > FAR_GROUPS) {
    u32 of = 1u << (group - FAR_GROUPS + 1) / 2;
    if (own->thinned++ % of) return;
    weight *= of;
  }
  weight *= stands_for;
#define OTHER(number)                                                          \
  u32 differ = where[number] - me, log = (u32)__builtin_ctz(differ | 1u << (SET_LOGS - 1)); \
  at[log]++;                                                                   \
  n++
  int32_t then = near_by ? __pathspan_near.used[l->place] : 0;
  for (u32 p = 0; p < NEAR; p++)
    if (near[p] && __pathspan_near.used[p] > then) {
      OTHER(near[p]->number);
    }
  if (!near_by)
    for (u32 o = newest; o && o != i && n < LONGEST; o = order[o].older) {
      OTHER(o);
    }
#undef OTHER
  if (n >= LONGEST) return;
  if (!own->in_set) own->in_set = __pathspan_arena(SET_LOGS * sizeof *own->in_set);
  for (u32 k = SET_LOGS, all = 1; k-- > 0;) {
    all += at[k];
    own->in_set[k][group_of(all - 1)].all += weight;
    own->in_set[k][group_of(all - 1)].reads += writes ? 0 : weight;
  }
}

/* lies_between finds which lanes used the lines that were used since one was that is far and that a lane uses first: of lines drawn by lot, or, where
 * few of these would be among them, of all. */
static __attribute__((noinline)) void lies_between(struct uses *u, const struct line *l) {
  enum { SELDOM = 8, DRAWN = 32, ENOUGH = 4, FEW_LINES = 1536 };
  static u32 lot, lines_of[1 << 16]; /* by lane, all 0 between calls */
  uint16_t lanes[NEAR + FEW_LINES];
  u32 i = l->number, n = 0, then = about[i].used, distance = NEAR_GROUPS + about[i].group;
  u64 weight = 1 + u->of[0].samples / SELDOM;
  u->of[0].until = weight - 1;
  u->of[0].samples += weight;
#define OTHER(number) \
  if (!lines_of[user[number]]++) lanes[n++] = user[number]
  if (end_of(distance) <= FEW_LINES && end_of(distance) * DRAWN < (i64)used * ENOUGH) {
    for (u32 p = 0; p < NEAR; p++) {
      OTHER(near[p]->number);
    }
    for (u32 o = newest; o != i; o = order[o].older) {
      OTHER(o);
    }
  } else {
    for (u32 k = 0; k < DRAWN; k++) {
      u32 o = 1 + (u32)below(&lot, used);
      if (about[o].used > then) {
        OTHER(o);
      }
    }
  }
#undef OTHER
  u32 lane = lane_now(), last = user[i];
  between_of(lane, last, 0)->lines[distance] += weight;
  while (n-- > 0) {
    between_of(lane, last, lanes[n] + 1u)->lines[distance] += weight * lines_of[lanes[n]];
    lines_of[lanes[n]] = 0;
  }
}

/* When a lane used a line first that another had written to, the last time that it did: of all lines, and where these are many, of one in a power of two. */
enum { HAD_LOG = FEW ? 12 : 16, ANY_LANE = ~0u };
static struct had {
  u32 line, lane, at;          /* at: a moment, 0: the place is free */
} *had;
static u32 had_some, one_in = 1;

static struct had *had_of(u32 line, u32 lane) {
  for (u32 h = (line * 31u + lane) * 0x9e3779b9u >> (32 - HAD_LOG);; h = (h + 1) & ((1u << HAD_LOG) - 1))
    if (!had[h].at || (had[h].line == line && had[h].lane == lane)) return &had[h];
}

static int is_drawn(u32 line) { return !((line * 0x85ebca6bu >> 8) & (one_in - 1)); }

/* draw_fewer lets one line in twice as many be known. */
static void draw_fewer(void) {
  static struct had kept[1 << HAD_LOG];
  u32 n = 0;
  one_in *= 2;
  for (u32 h = 0; h >> HAD_LOG == 0; h++)
    if (had[h].at && is_drawn(had[h].line)) kept[n++] = had[h];
  __builtin_memset(had, 0, sizeof *had << HAD_LOG);
  had_some = n;
  while (n-- > 0) *had_of(kept[n].line, kept[n].lane) = kept[n];
}

/* is_fresh counts a lane's first use, since it began or went on, of a line that another wrote to last: whether that was since the lane used it. Of lines
 * on a stack of its own, which nobody wrote, it counts each once, for the lane that has it first, as all may be on a thread. */
static __attribute__((noinline)) void is_fresh(struct uses *u, u32 line, int writes) {
  if (!is_drawn(line)) return;
  if (!had) had = __pathspan_reserve(sizeof *had << HAD_LOG);
  u32 lane = u->from ? u->lane : ANY_LANE, stands_for = u->from ? 1 : one_in;
  struct had *h = had_of(line, lane);
  if (!u->from && h->at) return;
  struct had_by *by = u->had;
  while (by && by->last != user[line]) by = by->chain;
  if (!by) {
    by = __pathspan_arena(sizeof *by);
    by->last = user[line];
    by->chain = u->had;
    u->had = by;
  }
  by->of[writes].all += stands_for;
  by->of[writes].fresh += !h->at || wrote[line] > h->at ? stands_for : 0;
  had_some += !h->at;
  *h = (struct had){line, lane, __pathspan_now | !__pathspan_now};
  while (had_some > 1u << (HAD_LOG - 1)) draw_fewer();
}

/* A line that is not close is used again. */
static ALWAYS void maybe_sample(const struct line *l, u32 near_by, u64 stands_for, int writes) {
  if (unlikely(own->of[near_by].until-- == 0)) sample(l, stands_for, writes);
}

/* Which uses of lines near are asked: all of the first ALL_OF, then the fewer the more there were,
 * by chance, so that no loop goes in step with them. */
enum { ALL_OF = 1 << 12, RARER = 12, RAREST = 1 << 9 };
static u64 asked_of;           /* so many uses so far */
static u32 gap = 1, chance;    /* between the last that was asked and the next */

/* ask_how_far asks one, which stands for those before it that were not asked as well. */
static ALWAYS void ask_how_far(const struct line *l, int writes) {
  struct near *n = &__pathspan_near;
  u32 others = others_since(l->place);
  if (others) (writes ? own->writes : own->reads)[group_of(others)] += gap;
  if (others >= CLOSE) maybe_sample(l, 1, gap, writes);
  asked_of += gap;
  u64 mean = asked_of < ALL_OF ? 1 : asked_of >> RARER;
  if (mean > RAREST) mean = RAREST;
  gap = 1 + (u32)(mean / 2 + below(&chance, mean));
  n->sample += (int32_t)gap;
}

/* on_own_stack tells whether a line lies on the stack and was made since the lane under way began: threads have stacks of their own, and only sequential
 * programs have one. */
static ALWAYS int on_own_stack(u32 line) { return __pathspan_lanes && __pathspan_noted[line].stacked > __pathspan_lane_began; }

/* writer_of is the lane that wrote to a line last, + 1, of which a lane's first use is told; 0: nobody. */
static ALWAYS u32 writer_of(u32 line) { return on_own_stack(line) ? 0 : about[line].writer; }

/* comes_by asks of some uses who of a loop's threads has the line: one that others are known to have and not the part under way, or that the loop uses first. */
static ALWAYS void comes_by(u32 line, u32 distance, int writes, u32 first) {
  struct bits me = __pathspan_part;
  const struct has *h = &__pathspan_has[line];
  u32 loop = __pathspan_party.loop, now = h->now.block | h->before.block | (h->wrote ? 1u << h->block : 0);
  if (!me.block || !now) return;
  if ((first || !(now & me.block)) && unlikely(of_parts->unasked[0]-- == 0)) __pathspan_came_by(of_parts, line, distance, writes, (int)first, 0);
  if (!__pathspan_stands_for) return;
  struct bits own = h->loop == loop ? h->now : (struct bits){0, 0};
  if (h->wrote == loop) own.block |= 1u << h->block, own.chunk |= 1u << h->chunk;
  if ((first || !(own.chunk & me.chunk) || !(own.block & me.block)) && unlikely(of_parts->unasked[1]-- == 0)) __pathspan_came_by(of_parts, line, distance, writes, (int)first, 1);
}

/* Lines that iterations use one behind the other, as of an array which the loop passes through again: where threads take chunks, each has to bring near what the one
 * before has near. comes notes how far a line was that the loop used before, and goes_on that the next iteration uses it as well. What is written taken.c finds. */
static ALWAYS void comes(u32 line, u32 place, u32 distance) {
  const struct has *h = &__pathspan_has[line];
  if (!__pathspan_part.block || h->wrote || !((h->now.chunk | h->before.chunk) & (OUTSIDE - 1))) return;
  __pathspan_near.mark[place].came = (u8)distance;
  of_parts->of[BY_CHUNKS][NEXT][distance].known += __pathspan_stands_for;
}

static ALWAYS void goes_on(u32 line, u32 place, int writes) {
  u32 came = __pathspan_near.mark[place].came;
  if (came >= DISTANCES || !__pathspan_part.block || !__pathspan_stands_for || __pathspan_has[line].wrote) return;
  struct came *c = &of_parts->of[BY_CHUNKS][NEXT][came];
  *(writes ? &c->writes : &c->reads) += __pathspan_stands_for;
}

u64 __pathspan_uses(void) { return put_back + (u64)__pathspan_near.clock; }

/* put_clock_back is for when it has gone far. What was used before FORGOTTEN is in no order any more. */
static __attribute__((noinline)) void put_clock_back(void) {
  struct near *n = &__pathspan_near;
  n->clock -= FORGOTTEN;
  put_back += FORGOTTEN;
  n->sample -= FORGOTTEN;
  for (u32 p = 0; p < NEAR; p++) n->used[p] = n->used[p] > FORGOTTEN + NEAR ? n->used[p] - FORGOTTEN : (int32_t)p;
  aged.next = aged.count = 0;
}

/* use_any lets a line be used that is not near, or was not since the lane began, or went on; or one that is asked; or one that
 * is shared, by a party. */
static ALWAYS void use_any(struct line *l, u64 address, int writes, int party) {
  struct near *n = &__pathspan_near;
  u32 i = l->number, p = l->place, then = 0;
  int far = n->line[l->log][p] != l, asked = !far, again = 0;
  if (far) {
    if (!i) i = l->number = new_line(l);
    if (!own) own = uses_of(lane_now(), 0, 0);
    u32 near_by = about[i].group == NEAR_BY;
    then = about[i].used;
    if (near_by && then > since) { /* it is far only so that who shares it is asked */
      again = n->used[p] == n->clock;
      asked = n->clock + 1 == n->sample;
      if (party) {
        comes_by(i, group_of(others_since(p)), writes, 0);
        if (then >= __pathspan_turn_before && then < __pathspan_party.self) goes_on(i, p, writes);
      }
    } else {
      u32 others = near_by ? others_since(p) : NEAR;
      if (then && others >= CLOSE) maybe_sample(l, near_by, 1, writes);
      struct uses *u = then <= since ? uses_of(lane_now(), writer_of(i), 1) : own;
      if (party && u->first && then && !near_by && unlikely(u->of[0].until-- == 0)) lies_between(u, l);
      u32 distance = near_by ? group_of(others) : come_near(l, i);
      p = l->place;
      u32 first = u->first && __pathspan_party.loop == u->lane;
      n->mark[p].came = DISTANCES;
      if (party && !near_by && distance < DISTANCES) comes(i, p, distance);
      if (party && distance < DISTANCES) comes_by(i, distance, writes, first);
      if (then <= __pathspan_lane_began) __pathspan_lane_lines++;
      if (u->first && (u->from ? u->from != u->lane + 1 : party && on_own_stack(i))) is_fresh(u, i, writes);
      (writes ? u->writes : u->reads)[distance]++;
      if (distance >= NEAR_GROUPS && distance < DISTANCES && n->mark[p].farthest < distance) {
        u->back[distance]++;
        u->back[n->mark[p].farthest]--;
        n->mark[p].farthest = (u8)distance;
      }
      n->sample++;
    }
    about[i].used = __pathspan_now;
    user[i] = (uint16_t)lane_now();
    is_had(i, writes);
    since_then[p / 64] |= (u64)1 << p % 64;
    n->line[l->log][p] = l;
  }
  if (asked) ask_how_far(l, writes);
  if (unlikely(n->clock > LATEST)) put_clock_back();
  n->used[p] = ++n->clock;
  if (writes) {
    n->mark[p].farthest = 0;
    n->mark[p].written = 1;
  }
  if (party && far && unlikely(__pathspan_may_share(i, then, writes))) __pathspan_share(l, address, then, writes, again);
}

void __pathspan_is_shared(struct line *l) { __pathspan_near.line[l->log][l->place] = 0; }

/* By any, and by who runs beside others, where lines may be shared. */
static void use_plain(struct line *l, u64 address, int writes) { use_any(l, address, writes, 0); }
static void use_beside(struct line *l, u64 address, int writes) { use_any(l, address, writes, 1); }
static void (*uses_by[2])(struct line *, u64, int) = {use_plain, use_beside};
void (*__pathspan_use_far)(struct line *, u64, int) = use_plain;

static struct taken *taken_of(u32 loop) {
  struct uses *u = uses_of(loop, 0, 0);
  if (!u->taken) u->taken = __pathspan_arena(sizeof *u->taken);
  return u->taken;
}

void __pathspan_part_takes(u32 loop, u32 chunk) { taken_of(loop)->chunk = chunk; }

void __pathspan_party_is(const struct party *p) {
  __pathspan_party = *p;
  __pathspan_part = p->self || p->part.block ? p->part : (struct bits){OUTSIDE, OUTSIDE};
  if (p->part.block) of_parts = taken_of(p->loop);
  __pathspan_use_far = uses_by[p->self != 0];
}

#ifdef __x86_64__
/* Of processors that have registers for that, eight places are looked at at a time. */
static __attribute__((target("avx2"))) void use_wide(struct line *l, u64 address, int writes) { use_any(l, address, writes, 0); }
static __attribute__((target("avx2"))) void use_wide_beside(struct line *l, u64 address, int writes) { use_any(l, address, writes, 1); }

__attribute__((constructor(101))) static void ask(void) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return;
  __pathspan_use_far = uses_by[0] = use_wide;
  uses_by[1] = use_wide_beside;
}
#endif

/* each_use tells of uses by how many lines, at least, a cache must have to have them still; -1
 * for the first time. Where first is set they are the first of a lane since it began or went
 * on, and from is who wrote the line last, + 1. */
void __pathspan_each_use(void (*tell)(u32 lane, u32 from, int first, i64 lines, u64 reads, u64 writes, i64 back)) {
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct uses *u = by_hash[i]; u; u = u->chain)
      for (u32 d = 0; d <= DISTANCES; d++) {
        i64 back = d < DISTANCES ? u->back[d] : 0;
        if (u->reads[d] || u->writes[d] || back) tell(u->lane, u->from, (int)u->first, d == DISTANCES ? -1 : end_of(d), u->reads[d], u->writes[d], back);
      }
}

/* each_set tells how many lines of one set a lane used since it used one of it that was not close, that one included, for numbers of sets. */
void __pathspan_each_set(void (*tell)(u32 lane, u32 log, i64 lines, u64 times, u64 reads)) {
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct uses *u = by_hash[i]; u; u = u->chain)
      for (u32 k = 0; u->in_set && k < SET_LOGS; k++)
        for (u32 g = 0; g < SAME_SET; g++)
          if (u->in_set[k][g].all) tell(u->lane, k, end_of(g), u->in_set[k][g].all, u->in_set[k][g].reads);
}

/* each_fresh tells, of a sample of lines that a lane uses first and another, from less one, wrote to last, and one used last, how many uses began with a
 * read and with a write, and of how many of these the line was written to since the lane used it last. */
void __pathspan_each_fresh(void (*tell)(u32 lane, u32 from, u32 last, u64 reads, u64 fresh_reads, u64 writes, u64 fresh_writes)) {
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct uses *u = by_hash[i]; u; u = u->chain)
      for (struct had_by *h = u->had; h; h = h->chain)
        if (h->of[0].all + h->of[1].all) tell(u->lane, u->from, h->last, h->of[0].all, h->of[0].fresh, h->of[1].all, h->of[1].fresh);
}

/* each_taken tells what threads of loops come by, of so many and by distance. */
void __pathspan_each_taken(void (*tell)(u32 lane, u32 way, u32 threads, u32 chunk, i64 lines, const struct came *c)) {
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct uses *u = by_hash[i]; u; u = u->chain)
      for (u32 way = 0; u->taken && way < TAKEN_WAYS; way++)
        for (u32 n = 0; n < TEAMS; n++)
          for (u32 d = 0; d < DISTANCES; d++) {
            const struct came *c = &u->taken->of[way][n][d];
            if (c->known + c->reads + c->writes) tell(u->lane, way, way == BY_CHUNKS && n == NEXT ? 1 : __pathspan_team[way][n], u->taken->chunk, end_of(d), c);
          }
}

/* each_between tells of uses that are the first of a lane, behind which others lie, of lines that another used last, by distance: how many; and of
 * the lines in between how many a lane used last, which is by, less one. */
void __pathspan_each_between(void (*tell)(u32 lane, u32 last, u32 by, i64 lines, u64 times)) {
  for (u32 i = 0; i < sizeof between_by_hash / sizeof *between_by_hash; i++)
    for (struct between *b = between_by_hash[i]; b; b = b->chain)
      for (u32 d = 0; d < DISTANCES; d++)
        if (b->lines[d]) tell(b->lane, b->last, b->by, end_of(d), b->lines[d]);
}

void __pathspan_forget_uses(void) {
  for (u32 i = 0; i < sizeof between_by_hash / sizeof *between_by_hash; i++)
    for (struct between *b = between_by_hash[i]; b; b = b->chain) __builtin_memset(b->lines, 0, sizeof b->lines);

  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct uses *u = by_hash[i]; u; u = u->chain) {
      __builtin_memset(u->reads, 0, sizeof u->reads);
      __builtin_memset(u->writes, 0, sizeof u->writes);
      __builtin_memset(u->back, 0, sizeof u->back);
      u->had = 0;
      if (u->taken) __builtin_memset(u->taken, 0, offsetof(struct taken, chunk)), __builtin_memset(u->taken->of, 0, sizeof u->taken->of);
      if (u->in_set) __builtin_memset(u->in_set, 0, SET_LOGS * sizeof *u->in_set);
    }
}
