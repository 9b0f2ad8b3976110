/* Lines that go back and forth: what executions that may run at the same time use by turns, and one of them writes,
 * whatever bytes of it they mean. Such executions are called parties here: sections, iterations of a worksharing loop,
 * tasks. A line that is found to be shared is never near (reuse.c), so that all uses of it come here; all others cost
 * no more than they did. What threads of a loop lose is found of uses that are noted (turns.c); else how often
 *   two sections lose a line to each other, if both begin at the same time and an access of one takes as long as one of the other;
 *   two tasks of which none waits for the other use a line: as often as the one that does so less, while both do, by
 *     how many siblings one was made behind the other. */
#include "memory.h"

/* PARTIES: of which a line knows how often they used it. FAR_APART: iterations that lie as far apart share lines that not
 * all arrays have which a loop passes through; where iterations are long, so that much is not lost by that, all are asked. IDLE: executions. */
enum { PARTIES = 16, MOST_LINES = ROOM_FOR(1 << 28), MOST_SHARED = ROOM_FOR(1 << 20), FAR_APART = 16, IDLE = 8 };

struct party __pathspan_party;

struct noted *__pathspan_noted;

#define UNKNOWN (~(u64)0)
static struct shared {
  u32 line, lane, since, turns; /* of whose execution what follows is, and whether that is a loop */
  u32 writer, some; /* of iterations: that wrote last, + 1, and whether another used it then */
  /* Of others: those that used it, the newest last, how far that is behind each before it that runs beside it, and how often each did but for what follows at once. */
  struct user {
    u32 self, lane, apart, section;
    u64 uses, all, writes, wrote; /* writes: uses in which it wrote; wrote: the last of them */
    u64 first, last;           /* how many accesses there were until it used the line first, and last: of a section its own, of a task all */
    u64 took;                  /* of a task, or of the sibling that led to it */
  } *user;
  u32 users, idle;
} *shared;
static u32 shared_count, spare; /* the latter is not used any more, 0 for none: line is the next */

/* Counts by lanes and by the group of the distance (reuse.c). */
enum { APART = 64 };
static struct pair {
  u32 lane, with;
  struct pair *more;
  double fresh[APART], again[APART];
} *by_hash[1 << 8];

static struct pair *pair_of(u32 lane, u32 with) {
  struct pair **slot = &by_hash[(lane * 31u + with) * 0x9e3779b9u >> 24];
  for (struct pair *p = *slot; p; p = p->more)
    if (p->lane == lane && p->with == with) return p;
  struct pair *p = __pathspan_arena(sizeof *p);
  p->lane = lane;
  p->with = with;
  p->more = *slot;
  return *slot = p;
}

/* Groups end at 0, 1, 2, 3, 4, 6, 8, 12, 16 and so on. */
static u32 group_of(u32 apart) {
  if (apart <= 4) return apart;
  u32 log = 31 - (u32)__builtin_clz(apart - 1); /* of 5: 2, of 8: 2, of 9: 3 */
  return 2 * log + ((apart - 1) >> (log - 1) & 1) + 1;
}
static u32 end_of(u32 group) { return group <= 4 ? group : (group & 1 ? 3u : 4u) << ((group - 1) / 2 - 1); }

void __pathspan_share_begins(void) {
  if (__pathspan_noted) return;
  __pathspan_noted = __pathspan_reserve((u64)MOST_LINES * sizeof *__pathspan_noted);
  shared = __pathspan_reserve((u64)MOST_SHARED * sizeof *shared);
}

void __pathspan_line_made(u32 line, u32 on_stack) {
  if (!__pathspan_noted) return;
  struct noted *n = &__pathspan_noted[line];
  n->made = __pathspan_now;
  if (!on_stack) return;
  n->words = (u8)((n->stacked < __pathspan_first_lane ? 0 : n->words) | on_stack);
  n->stacked = __pathspan_now;
}

/* Tasks of which none waits for the other could run beside each other for so many moments; 0 siblings apart: a task took so many. */
void __pathspan_ran_beside(u32 lane, u32 with, u32 apart, u32 moments) { pair_of(lane, with)->fresh[group_of(apart)] += moments; }

/* uses_amid is how many uses of a line by a section lie evenly in the time in which another uses it, of so many. */
static double uses_amid(const struct user *u, u64 uses, const struct user *other) {
  u64 first = u->first > other->first ? u->first : other->first, last = u->last < other->last ? u->last : other->last;
  return first > last ? 0 : (double)uses * (double)(last - first + 1) / (double)(u->last - u->first + 1);
}

/* loses is how often a section finds a line gone that it used before, as another has written it since: of what it used first it is known
 * otherwise who wrote it. What was used before anybody knew that it is shared counts as often as what the other does. */
static double loses(const struct user *u, const struct user *other) {
  if (u->uses == UNKNOWN && other->uses == UNKNOWN) return 0;
  double again = u->uses == UNKNOWN || !u->uses ? 0 : uses_amid(u, u->uses - 1, other);
  double written = other->uses == UNKNOWN ? again : uses_amid(other, other->writes, u);
  if (u->uses == UNKNOWN) return written;
  return again < written ? again : written;
}

/* lost is how often a task finds a line gone which it used before, so often and for so long, as another writes it so often in so much of the time
 * that they take: by each use at most once, and when they begin is chance. */
static double lost(double again, double a, double writes, double b, double took) {
  double by_all = writes * a, some = a + again * b;
  return again <= 0 ? 0 : (by_all < some ? by_all : some) / took;
}

static double time_of(const struct user *u) { return (double)(u->last - u->first + 1); }

/* know has a task that used a line before anybody knew that it is shared use it as often as the one that found that, in the time in which it did. */
static void know(struct user *u, const struct user *now) {
  double part = time_of(u) < time_of(now) ? time_of(u) / time_of(now) : 1;
  u->all = u->uses = 1 + (u64)((double)(now->uses - 1) * part + 0.5);
  if (now->writes) u->writes = 1 + (u64)((double)(now->writes - 1) * part + 0.5);
  pair_of(u->lane, u->lane)->again[0] += (double)u->all;
}

/* by_turns is how often each of two tasks that are under way at the same time loses a line to the other, of as long as the shorter takes. */
static double by_turns(const struct user *u, const struct user *now) {
  double a = time_of(now), b = time_of(u), took = (double)u->took > a ? (double)u->took : a;
  if (b > took) took = b;
  return (lost((double)now->uses - 1, a, (double)u->writes, b, took) + lost((double)u->uses - 1, b, (double)now->writes, a, took)) / 2;
}

/* settle counts what the newest user of a line has in common with those before it. */
static void settle(struct shared *s) {
  if (!s->users || s->user[s->users - 1].uses == UNKNOWN) return;
  struct user *now = &s->user[s->users - 1];
  pair_of(now->lane, now->lane)->again[0] += (double)now->all;
  for (u32 k = 0; k + 1 < s->users; k++) {
    struct user *u = &s->user[k];
    if (now->section) {
      struct pair *p = pair_of(now->lane, u->lane);
      if (u->apart != ALONE) {
        p->again[0] += loses(now, u);
        p->fresh[0] += loses(u, now);
      }
      continue;
    }
    if (u->uses == UNKNOWN) know(u, now);
    if (u->apart != ALONE && (u->writes | now->writes)) pair_of(now->lane, u->lane)->again[group_of(u->apart)] += by_turns(u, now);
  }
}

/* finish counts what was found of an execution. Returns whether anything was. */
static int finish(struct shared *s) {
  int some = s->users > 1 || s->some;
  if (!s->turns) settle(s);
  s->some = s->users = 0;
  return some;
}

/* iteration_uses notes a use by an iteration, which has what it made for itself. */
static void iteration_uses(struct shared *s, int writes) {
  const struct party *p = &__pathspan_party;
  if (s->writer && s->writer != p->turn + 1) s->some = 1;
  if (writes) s->writer = p->turn + 1;
  const struct noted *n = &__pathspan_noted[s->line];
  if (p->followed && (n->made < p->self || n->made == n->stacked)) __pathspan_turn_uses(p->followed, s->line, writes);
}

/* other_uses notes a use by a section or a task. */
static void other_uses(struct shared *s, int writes, int again) {
  const struct party *p = &__pathspan_party;
  if (!s->users || s->user[s->users - 1].self != p->self) {
    settle(s);
    if (s->users == PARTIES) __builtin_memmove(s->user, s->user + 1, --s->users * sizeof *s->user);
    for (u32 k = 0; k < s->users; k++) s->user[k].apart = __pathspan_apart(s->user[k].self, &s->user[k].took);
    s->user[s->users++] = (struct user){.self = p->self, .lane = p->lane, .section = p->section, .first = __pathspan_uses() - p->began};
  }
  struct user *u = &s->user[s->users - 1];
  u->uses += !again;
  u->all++;
  u->last = __pathspan_uses() - p->began;
  if (writes && (!u->writes || u->wrote != u->uses)) {
    u->writes++;
    u->wrote = u->uses;
  }
}

/* How many accesses sections that ended lately were long, and the moments of each. */
enum { LENGTHS = 64 };
static struct {
  u32 self, end;
  u64 length;
} took[LENGTHS];

void __pathspan_section_took(const struct party *p) {
  static u32 next;
  took[next++ % LENGTHS] = (__typeof__(*took)){p->self, __pathspan_now, __pathspan_uses() - p->began};
}

/* last_of is when the section that was under way in a moment used a line last, at the latest. */
static u64 last_of(u32 then) {
  u32 self = 0;
  u64 length = UNKNOWN - 1;
  for (u32 k = 0; k < LENGTHS; k++)
    if (took[k].self <= then && then <= took[k].end && took[k].self >= self) {
      self = took[k].self;
      length = took[k].length;
    }
  return length;
}

/* forget lets what was there before something was made in the line count for nothing. */
static void forget(struct shared *s, u32 then) {
  if (s->users && s->user[s->users - 1].self < then && s->user[s->users - 1].self != __pathspan_party.self) {
    settle(s);
    s->users = 0;
  }
  if (s->writer != __pathspan_party.turn + 1) s->writer = 0;
}

static void begin(struct shared *s) {
  const struct party *p = &__pathspan_party;
  s->lane = p->lane;
  s->since = p->since;
  s->turns = p->turns;
  s->some = s->users = s->writer = 0;
  if (!p->turns && !s->user) s->user = __pathspan_arena(PARTIES * sizeof *s->user);
}

/* Tasks that used lines lately which none has used yet that they did not wait for: nobody knows how often. */
enum { ELDERS = 14, LATELY = 1 << 15 };
static struct elders {
  u32 line, since, count;
  struct elder { u32 self, first, last; } of[ELDERS]; /* first, last: when it used the line, as struct noted has it */
} *lately;

static struct elders *elders_of(u32 line) {
  if (!lately) lately = __pathspan_reserve(LATELY * sizeof *lately);
  struct elders *e = &lately[line % LATELY];
  if (e->line != line || e->since != __pathspan_party.since || (e->count && e->of[e->count - 1].self < __pathspan_noted[line].made)) {
    e->line = line;
    e->since = __pathspan_party.since;
    e->count = 0;
  }
  return e;
}

static void note_elder(struct elders *e, u32 self, u32 first, u32 last) {
  if (e->count && e->of[e->count - 1].self > self) return;
  if (!e->count || e->of[e->count - 1].self < self) {
    if (e->count == ELDERS) __builtin_memmove(e->of, e->of + 1, --e->count * sizeof *e->of);
    e->count++;
  }
  e->of[e->count - 1] = (struct elder){self, first, last};
}

void __pathspan_share(struct line *l, u64 address, u32 then, int writes, int again) {
  const struct party *p = &__pathspan_party;
  u32 i = l->number;
  struct noted *n = &__pathspan_noted[i];
  u32 at = n->known, before = n->user;
  u32 first = n->first, uses = (u32)__pathspan_uses();
  n->user = (uint16_t)p->lane;
  if (then < p->self && !p->turns) n->first = uses;
  if (p->turns | p->section && n->stacked >= __pathspan_first_lane && n->words >> address % LINE / WORD & 1) return; /* it is the thread's own */
  if (!at) {
    /* Another party of the execution wrote it last, or used it, and this one writes it. */
    u32 other = n->wrote;
    if (writes && then > other && then < p->self) other = then;
    if (other < p->since || other >= p->self || (other < n->made && (!p->turns || n->made != n->stacked))) return;
    if (!spare && shared_count + 1 == MOST_SHARED) {
      __pathspan_passed[PASSED_LINES]++;
      return;
    }
    u64 took;
    u32 apart = p->turns ? 0 : __pathspan_apart(other, &took);
    if (apart == ALONE) {
      struct elders *e = elders_of(i);
      note_elder(e, other, first, n->last);
      note_elder(e, p->self, uses, uses);
      return;
    }
    if (p->turns && p->brief && p->self - other < FAR_APART) { /* as of an array that the loop passes through, until it would have left the line */
      if (!n->first || n->first > p->turn + 1) n->first = p->turn + 1;
      if (p->turn + 1 - n->first < LINE) return;
    }
    at = spare ? spare : ++shared_count;
    struct shared *s = &shared[n->known = at];
    spare = spare ? s->line : 0;
    s->line = i;
    begin(s);
    if (p->turns) {
      s->some = 1;
      if (p->followed) __pathspan_turn_used(p->followed, i, other, n->wrote >= p->since);
    } else {
      struct elders *e = elders_of(i);
      note_elder(e, other, first, n->last);
      for (u32 k = 0; k < e->count; k++) {
        struct elder *x = &e->of[k];
        u64 then = x->last - x->first >> 31 ? 0 : x->last - x->first;
        s->user[s->users++] = (struct user){.self = x->self, .lane = before, .uses = UNKNOWN, .writes = 1, .last = p->section ? last_of(x->self) : then};
      }
    }
  }
  struct shared *s = &shared[at];
  if (s->since != p->since || s->turns != p->turns || (p->turns && s->lane != p->lane)) {
    if (finish(s)) s->idle = 0;
    else if (++s->idle == IDLE) { /* only one party used it in each of the last executions: it is as others are */
      n->known = 0;
      s->line = spare;
      spare = at;
      return;
    }
    begin(s);
  }
  if (n->made >= p->self && (p->turns || s->users)) forget(s, n->made);
  if (s->turns) iteration_uses(s, writes);
  else other_uses(s, writes, again);
  __pathspan_is_shared(l); /* so that its next use comes here */
}

int __pathspan_is_noted(u32 line) {
  const struct shared *s = &shared[__pathspan_noted[line].known];
  return s != shared && s->turns && s->since == __pathspan_party.since;
}

void __pathspan_each_shared(void (*tell)(u32 lane, u32 with, u32 apart, u64 fresh, u64 again)) {
  for (u32 i = 1; i <= shared_count; i++) finish(&shared[i]);
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct pair *p = by_hash[i]; p; p = p->more)
      for (u32 g = 0; g < APART; g++)
        if (p->fresh[g] + p->again[g] >= 0.5) tell(p->lane, p->with, end_of(g), (u64)(p->fresh[g] + 0.5), (u64)(p->again[g] + 0.5));
}

void __pathspan_forget_shared(void) {
  for (u32 i = 1; i <= shared_count; i++) finish(&shared[i]);
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct pair *p = by_hash[i]; p; p = p->more)
      for (u32 g = 0; g < APART; g++) p->fresh[g] = p->again[g] = 0;
}
