/* Lines in the order of their last use, in groups: how many other lines were used between two
 * uses of a line is known to the group. Groups end behind 1, 2, 3, 4, 6, 8, 12, 16 lines and
 * so on, after Y. H. Kim, M. D. Hill, D. A. Wood (SIGMETRICS 1991). The lines near, from which
 * nearly all uses come, and those next behind them know their ranks; the others are a list. */
#include "memory.h"

/* How far a line was used from: its rank among those near, or behind these its group. */
enum { MOST_LINES = ROOM_FOR(1 << 28), NEXT = 112, NEXT_GROUPS = 6, GROUPS = 44, DISTANCES = NEAR + GROUPS };
#define NONE (~(u32)0) /* no line's number, and not that of a line that was not used */

static struct {
  u32 newer, older;
} *order;
static struct {
  u32 used;                    /* a moment since the lane under way at the last use had begun, or gone on */
  uint16_t writer;             /* lane that wrote to it last, + 1; 0: none */
  u8 group;                    /* NEAR_BY: it is near; BEHIND: next behind */
  u8 farthest;                 /* it was used from since it was written, where it is not near; CLEAN: it was not written */
} *about;
enum { NEAR_BY = 255, BEHIND = 254 };
static u32 *where;             /* lines lie: numbers that differ as those of lines in memory do */
static u32 used, oldest;       /* lines; the last in the order */
static struct line *near[NEAR], *next[NEXT]; /* by place; 0: none */
static u32 newest;             /* of the list, 0: none */
static u32 last[GROUPS];       /* line of each group that is full */
static u32 full = NEXT_GROUPS, in_next;      /* groups that are full; lines in the next */
static u32 since;              /* the last moment before the lane began, or went on */

u32 __pathspan_front = NONE;

#define ALL(n) {n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n}
const __pathspan_ranks __pathspan_all_are[NEAR] = {ALL(0), ALL(1), ALL(2), ALL(3), ALL(4), ALL(5), ALL(6), ALL(7),
                                                   ALL(8), ALL(9), ALL(10), ALL(11), ALL(12), ALL(13), ALL(14), ALL(15)};
#define IS(n, i) n == i ? 0 : -1
#define BUT(n)                                                                 \
  {                                                                            \
    IS(n, 0), IS(n, 1), IS(n, 2), IS(n, 3), IS(n, 4), IS(n, 5), IS(n, 6), IS(n, 7), \
        IS(n, 8), IS(n, 9), IS(n, 10), IS(n, 11), IS(n, 12), IS(n, 13), IS(n, 14), IS(n, 15) \
  }
const __pathspan_ranks __pathspan_all_but[NEAR] = {BUT(0), BUT(1), BUT(2), BUT(3), BUT(4), BUT(5), BUT(6), BUT(7),
                                                   BUT(8), BUT(9), BUT(10), BUT(11), BUT(12), BUT(13), BUT(14), BUT(15)};

struct near __pathspan_near = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, ALL(NONE), {{0, 0}}, {{0, 0}}, 0};
#define ranks __pathspan_near.rank

/* Ranks of the lines next behind: 0 is the newest. */
#define FROM(n) {n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11, n + 12, n + 13, n + 14, n + 15}
static __pathspan_ranks behind[(NEXT + NEAR) / NEAR] __attribute__((aligned(32))) = {FROM(0), FROM(16), FROM(32), FROM(48), FROM(64), FROM(80), FROM(96), ALL(127)};
typedef signed char wide_ranks __attribute__((vector_size(2 * NEAR), may_alias));

/* How many lines of one set were used since a line was, in groups as those of distances; none is asked that is farther than LONGEST. */
enum { SET_LOGS = 13, SAME_SET = 26, LONGEST = 1 << 12, OFTEN = 64, NO_WALK = 3 };

/* Uses by lane; of the first since it went on by who wrote the line last as well. By distance;
 * behind the last, of lines not used before. */
static struct uses {
  u32 lane, from, first;
  struct uses *chain;
  u64 reads[NEAR], writes[NEAR], far_reads[GROUPS + 1], far_writes[GROUPS + 1];
  i64 back[DISTANCES];
  u64 samples;                 /* of its uses, by lines that are not near, and until the next */
  u64 until, thinned;
  u64 (*in_set)[SAME_SET];     /* by the logarithm of a number of sets */
} *by_hash[1 << 10], *own;

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

/* note_writer notes who wrote to a line near since the lane began, or went on. */
static void note_writer(u32 place) {
  if (!__pathspan_near.mark[place].written) return;
  __pathspan_near.mark[place].written = 0;
  about[near[place]->number].writer = (uint16_t)(lane_now() + 1);
  if (__pathspan_party.self) __pathspan_noted[near[place]->number].wrote = __pathspan_party.self;
}

/* keep_uses lets the lane have its uses of lines near. */
static void keep_uses(void) {
  if (!own) return;
  for (u32 r = 0; r < NEAR; r++) {
    own->reads[r] += __pathspan_near.uses[r][0];
    own->writes[r] += __pathspan_near.uses[r][1];
    __pathspan_near.uses[r][0] = __pathspan_near.uses[r][1] = 0;
  }
}

void __pathspan_lane_changes(void) {
  keep_uses();
  for (u32 p = 0; p < NEAR; p++) {
    note_writer(p);
    __pathspan_near.line[p] = NONE;
  }
  own = 0;
  since = __pathspan_now; /* the next moment is its first */
  __pathspan_front = NONE;
}

void __pathspan_lines_are_far(void) {
  for (u32 p = 0; p < NEAR; p++) {
    note_writer(p);
    __pathspan_near.line[p] = NONE;
  }
  __pathspan_front = NONE;
}

/* size_of is how many lines group g behind those near has: 8, 8, 16, 16 ... */
static u32 size_of(u32 g) { return 8u << (g / 2); }

/* put_newest puts a line, which is near no more, at the front of the list. */
static void put_newest(u32 i) {
  order[i].newer = 0;
  order[i].older = newest;
  if (newest) order[newest].newer = i;
  newest = i;
  about[i].group = NEXT_GROUPS;
}

static u32 new_line(const struct line *l) {
  if (!order) {
    where = __pathspan_reserve((u64)MOST_LINES * sizeof *where);
    order = __pathspan_reserve((u64)MOST_LINES * sizeof *order);
    about = __pathspan_reserve((u64)MOST_LINES * sizeof *about);
  }
  if (FEW && used + 1 >= MOST_LINES) __pathspan_out_of_room();
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
  for (u32 k = NEXT_GROUPS; k < g; k++) {
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
  if (++in_next < size_of(full) || full + 1 == GROUPS) return;
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

/* place_of finds where a rank is that one of so many vectors holds. */
static ALWAYS u32 place_of(const __pathspan_ranks *v, u32 rank, u32 count) {
  for (u32 k = 0;; k++) {
    __pathspan_ranks is = v[k] == (signed char)rank - (__pathspan_ranks){0};
#ifdef __SSE2__
    u32 at = (u32)__builtin_ia32_pmovmskb128(is);
    if (k + 1 == count || at) return k * NEAR + (u32)__builtin_ctz(at);
#else
    for (u32 i = 0; i < NEAR; i++)
      if (is[i] || (k + 1 == count && i + 1 == NEAR)) return k * NEAR + i;
#endif
  }
}

/* to_front makes a place among those next behind that of the newest. Returned is its rank before. */
static ALWAYS u32 to_front(u32 place) {
  signed char *rank = (signed char *)behind;
  signed char r = rank[place];
  wide_ranks *v = (wide_ranks *)behind, all = r - (wide_ranks){0};
  for (u32 k = 0; k < (NEXT + NEAR) / (2 * NEAR); k++) v[k] -= v[k] < all;
  rank[place] = 0;
  return (u32)r;
}

/* group_of is that of a rank next behind: groups are 16 to 23 lines behind, 24 to 31, 32 to 47 ... */
static ALWAYS u32 group_of(u32 rank) {
  static const u8 group[NEXT / 8] = {0, 1, 2, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5};
  return group[rank / 8];
}

/* fall puts a line, which is near no more, next behind. */
static ALWAYS void fall(struct line *l, u32 place) {
  next[place] = l;
  l->behind = (u8)place;
  about[l->number].group = BEHIND;
}

/* come_near gives a line the place of the one near that was used longest ago. Returned is how far it was. */
static ALWAYS u32 come_near(struct line *l, u32 i) {
  u32 p = place_of(&ranks, NEAR - 1, 1), distance = DISTANCES;
  struct line *gone = near[p];
  if (gone) {
    note_writer(p);
    about[gone->number].farthest = __pathspan_near.mark[p].farthest;
  }
  if (about[i].group == BEHIND) {
    u32 q = l->behind;
    distance = NEAR + group_of(to_front(q));
    fall(gone, q);
  } else if (gone) {
    u32 q = place_of(behind, NEXT - 1, NEXT / NEAR);
    struct line *out = next[q];
    to_front(q);
    fall(gone, q);
    if (about[i].used) {
      distance = NEAR + about[i].group;
      replace(out->number, i, about[i].group);
    } else if (out) {
      lengthen(out->number);
    }
  }
  near[p] = l;
  about[i].group = NEAR_BY;
  __pathspan_near.mark[p].farthest = about[i].farthest;
  l->place = (u8)p;
  return distance;
}

const u8 __pathspan_end_of[NEAR] = {0, 1, 2, 3, 5, 5, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15};

/* count_use counts one from a distance, by a lane's uses of some sort. */
static ALWAYS void count_use(struct uses *u, u32 p, u32 distance, int writes) {
  u64 *count = writes ? u->writes : u->reads;
  if (distance >= NEAR) count = (writes ? u->far_writes : u->far_reads) - NEAR;
  count[distance]++;
  u8 *farthest = &__pathspan_near.mark[p].farthest;
  if (distance < DISTANCES && *farthest < distance) {
    if (distance < NEAR) distance = __pathspan_end_of[distance];
    u->back[distance]++;
    u->back[*farthest]--;
    *farthest = (u8)distance;
  }
}

/* Groups of how many lines, the line itself among them: they end at 1, 2, 3, 4, 6, 8, 12, 16 and so on. */
static u32 set_group(u32 lines) {
  if (lines <= 4) return lines - 1;
  u32 log = 31 - (u32)__builtin_clz(lines - 1);
  return 2 * log + ((lines - 1) >> (log - 1) & 1);
}
static i64 set_lines(u32 group) { return group < 4 ? group + 1 : (i64)(group & 1 ? 4 : 3) << (group / 2 - 1); }

/* sample counts, of the lines used since one that is not near was, how many lie in its set: for each number of sets. Lines lie in one of 2^k
 * where their addresses differ by a multiple of that (M. D. Hill, A. J. Smith, IEEE ToC 38, 1989). */
static __attribute__((noinline)) KEEPS void sample(const struct line *l, u32 i) {
  u32 at[SET_LOGS] = {0}, me = where[i], n = 0, far = about[i].group == BEHIND ? 0 : about[i].group;
  /* More are left out the more there were, and of those that are far, of which so many have to be looked at. */
  u64 weight = 1 + own->samples / OFTEN;
  own->until = weight - 1;
  own->samples += weight;
  if (far > 2 * NO_WALK) {
    u32 of = 1u << (far / 2 - NO_WALK);
    if (own->thinned++ % of) return;
    weight *= of;
  }
#define OTHER(number)                                                          \
  u32 differ = where[number] - me, log = (u32)__builtin_ctz(differ | 1u << (SET_LOGS - 1)); \
  at[log]++;                                                                   \
  n++
  for (u32 p = 0; p < NEAR; p++)
    if (near[p]) {
      OTHER(near[p]->number);
    }
  u32 rank = about[i].group == BEHIND ? ((u8 *)behind)[l->behind] : NEXT;
  for (u32 q = 0; q < NEXT; q++)
    if (next[q] && ((u8 *)behind)[q] < rank) {
      OTHER(next[q]->number);
    }
  if (rank == NEXT)
    for (u32 o = newest; o && o != i && n < LONGEST; o = order[o].older) {
      OTHER(o);
    }
#undef OTHER
  if (n >= LONGEST) return;
  if (!own->in_set) own->in_set = __pathspan_arena(SET_LOGS * sizeof *own->in_set);
  for (u32 k = SET_LOGS, all = 1; k-- > 0;) {
    all += at[k];
    own->in_set[k][set_group(all)] += weight;
  }
}

/* A line that is not near is used again. */
static ALWAYS void maybe_sample(const struct line *l, u32 i) {
  if (unlikely(own->until-- == 0)) sample(l, i);
}

static ALWAYS void to_first(u32 place, u32 number) {
  ranks = (ranks - (ranks < __pathspan_all_are[((volatile u8 *)&ranks)[place]])) & __pathspan_all_but[place];
  about[number].used = __pathspan_now;
  __pathspan_near.line[place] = number;
  __pathspan_front = number;
}

static ALWAYS void use_any(struct line *l, int writes, int party) {
  u32 i = l->number, distance;
  if (!i) i = l->number = new_line(l);
  if (!own) {
    own = uses_of(lane_now(), 0, 0);
    __pathspan_near.back = own->back;
  }
  if (about[i].used && about[i].group != NEAR_BY) maybe_sample(l, i);
  if (about[i].group == NEAR_BY) distance = ((volatile u8 *)&ranks)[l->place];
  else distance = come_near(l, i);
  u32 then = about[i].used;
  struct uses *u;
  if (then <= since) u = uses_of(lane_now(), about[i].writer, 1);
  else u = own;
  if (then <= __pathspan_lane_began) __pathspan_lane_lines++;
  if (!party || distance || then <= since) count_use(u, l->place, distance, writes); /* else it was the line used last */
  to_first(l->place, i);
  if (party && unlikely(__pathspan_may_share(i, then, writes))) __pathspan_share(l, then, writes, !distance && then > since);
}

/* use_behind is the same of a line next behind that the lane used since it began, or went on, by
 * far the most of those that are not near; 0 where it is another. */
static ALWAYS int use_behind(struct line *l, int writes, int party) {
  u32 i = l->number;
  if (!own || about[i].group != BEHIND || about[i].used <= since || (party && unlikely(__pathspan_may_share(i, about[i].used, writes)))) return 0;
  maybe_sample(l, i);
  if (about[i].used <= __pathspan_lane_began) __pathspan_lane_lines++;
  u32 p = place_of(&ranks, NEAR - 1, 1), q = l->behind;
  struct line *gone = near[p];
  note_writer(p);
  about[gone->number].farthest = __pathspan_near.mark[p].farthest;
  u32 distance = NEAR + group_of(to_front(q));
  fall(gone, q);
  near[p] = l;
  l->place = (u8)p;
  about[i].group = NEAR_BY;
  __pathspan_near.mark[p].farthest = about[i].farthest;
  count_use(own, p, distance, writes);
  to_first(p, i);
  return 1;
}

/* Those that are read, and those that are written; of who runs beside others, where lines may be shared, the latter two. */
#define FAR(name, all, behind, attributes)                                     \
  static attributes void name##_read(struct line *l) { behind(0, 0) all(l, 0, 0); } \
  static attributes void name##_write(struct line *l) { behind(1, 0) all(l, 1, 0); } \
  static attributes void name##_read_beside(struct line *l) { behind(0, 1) all(l, 0, 1); } \
  static attributes void name##_write_beside(struct line *l) { behind(1, 1) all(l, 1, 1); }
#define NO_BEHIND(writes, party)
FAR(far, use_any, NO_BEHIND, )

void (*__pathspan_far[2])(struct line *) = {far_read, far_write};
static void (*far_of[2][2])(struct line *) = {{far_read, far_write}, {far_read_beside, far_write_beside}};

void __pathspan_party_is(const struct party *p) {
  __pathspan_party = *p;
  for (u32 writes = 0; writes < 2; writes++) __pathspan_far[writes] = far_of[p->self != 0][writes];
}

#ifdef __x86_64__
/* Of processors that have registers for that, 32 ranks are changed at a time. */
#define WIDE __attribute__((noinline, target("avx2")))
static WIDE void use_any_wide(struct line *l, int writes) { use_any(l, writes, 0); }
static WIDE void use_any_beside(struct line *l, int writes) { use_any(l, writes, 1); }
#define ANY_WIDE(l, writes, party)                                             \
  if (party) use_any_beside(l, writes);                                        \
  else use_any_wide(l, writes)
#define TRY_BEHIND(writes, party)                                              \
  if (use_behind(l, writes, party)) return;
FAR(wide, ANY_WIDE, TRY_BEHIND, WIDE)

u8 __pathspan_shuffles;

__attribute__((constructor(101))) static void ask(void) {
  __builtin_cpu_init();
  __pathspan_shuffles = __builtin_cpu_supports("ssse3") != 0;
  if (!__builtin_cpu_supports("avx2")) return;
  __pathspan_far[0] = far_of[0][0] = wide_read;
  __pathspan_far[1] = far_of[0][1] = wide_write;
  far_of[1][0] = wide_read_beside;
  far_of[1][1] = wide_write_beside;
}
#endif

/* each_use tells of uses by how many lines, at least, a cache must have to have them still; -1
 * for the first time. Where first is set they are the first of a lane since it began or went
 * on, and from is who wrote the line last, + 1. */
void __pathspan_each_use(void (*tell)(u32 lane, u32 from, int first, i64 lines, u64 reads, u64 writes, i64 back)) {
  keep_uses();
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct uses *u = by_hash[i]; u; u = u->chain) {
      u64 reads = 0, writes = 0;
      i64 lines = NEAR;
      for (u32 d = 0; d <= DISTANCES; d++) {
        reads += d < NEAR ? u->reads[d] : u->far_reads[d - NEAR];
        writes += d < NEAR ? u->writes[d] : u->far_writes[d - NEAR];
        if (d < NEAR && __pathspan_end_of[d] != d) continue;
        if (d < NEAR) lines = d + 1;
        else if (d < DISTANCES) lines += size_of(d - NEAR);
        i64 back = d < DISTANCES ? u->back[d] : 0;
        if (reads || writes || back) tell(u->lane, u->from, (int)u->first, d == DISTANCES ? -1 : lines, reads, writes, back);
        reads = writes = 0;
      }
    }
}

/* each_set tells how many lines of one set a lane used since it used one of it that was not near, that one included, for numbers of sets. */
void __pathspan_each_set(void (*tell)(u32 lane, u32 log, i64 lines, u64 times)) {
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct uses *u = by_hash[i]; u; u = u->chain)
      for (u32 k = 0; u->in_set && k < SET_LOGS; k++)
        for (u32 g = 0; g < SAME_SET; g++)
          if (u->in_set[k][g]) tell(u->lane, k, set_lines(g), u->in_set[k][g]);
}

void __pathspan_forget_uses(void) {
  keep_uses();
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct uses *u = by_hash[i]; u; u = u->chain)
      for (u32 d = 0; d <= DISTANCES; d++) {
        if (d < NEAR) u->reads[d] = u->writes[d] = 0;
        else u->far_reads[d - NEAR] = u->far_writes[d - NEAR] = 0;
        if (d < DISTANCES) u->back[d] = 0;
        if (u->in_set) __builtin_memset(u->in_set, 0, SET_LOGS * sizeof *u->in_set);
      }
}
