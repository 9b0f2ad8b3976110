/* Lines that iterations of a worksharing loop use by turns, and some of them write: how often would a thread find one gone that it had, as another has written it
 * meanwhile? That hangs on which thread executes which iterations, and on when each comes to what. So the uses of an execution are noted, with the iteration and
 * how many uses of lines there were since the loop began, and when it ends they are put in the order in which so many threads would come to them: those that
 * have a block of iterations each, and those that take chunks as they are free; who finds a line gone is later from then on, and who needs a lock waits for it.
 * Of many executions some are followed, and of many lines, both by chance. */
#include "memory.h"

#include <stdlib.h>

/* ITERATIONS: of an execution, or as many times 2, 4 and so on that are taken together; ENOUGH: uses and iterations of a loop's executions of which
 * all are followed; DEEP: loops within each other. */
enum { MOST_USES = 1 << 12, ITERATIONS = 1 << 13, DEEP = 4, ENOUGH = 1 << 14 };

/* How many threads there are: with blocks, and that take chunks. */
enum { BLOCKS = 5, WAYS = BLOCKS + 3 };
static const u32 threads_of[WAYS] = {2, 3, 4, 8, 16, 2, 4, 8};

/* What is known of a loop, by its lane. */
static struct turns {
  u32 lane, chunk;             /* iterations of a chunk, or 0 */
  u32 skip, since;             /* executions until the next is followed, and since the last was */
  u64 begun;                   /* all of them */
  u64 uses;                    /* of all executions, and iterations, and as many as would be more by those that were not followed */
  struct turns *more;
  struct counts {
    double first, again;
  } of[WAYS];
} *by_hash[1 << 6];

struct use {
  u32 line, iteration, at;
  u32 as;                      /* 0, or the iteration + 1 that found it used: before that nobody counted */
  u32 held;                    /* when the outermost lock was taken, and which that is, 0: none */
  uint16_t lock, times, writes; /* times: uses of the line that follow each other in the iteration, and of these how many write */
};

static struct followed {
  struct turns *of;
  u64 began;
  double weight;
  u32 turn, iterations, log, uses, thin; /* 2^log turns are an iteration; of lines those are followed whose hash ends with so many zeros */
  u32 most;                    /* uses of a line that are one */
  u32 left;                    /* so many iterations were followed up to the last one's end, and no more are; 0: all are */
  u32 *start, *moment;         /* of iterations: uses until then, and the moment */
  struct use *use;
} followed[DEEP];
static u32 depth;

static struct turns *turns_of(u32 lane) {
  struct turns **slot = &by_hash[lane % (sizeof by_hash / sizeof *by_hash)];
  for (struct turns *t = *slot; t; t = t->more)
    if (t->lane == lane) return t;
  struct turns *t = __pathspan_arena(sizeof *t);
  t->lane = lane;
  t->more = *slot;
  return *slot = t;
}

static u32 chance;

u32 __pathspan_turns_begin(u32 lane, u64 chunk) {
  struct turns *t = turns_of(lane);
  t->chunk = !chunk ? 1 : chunk < ITERATIONS ? (u32)chunk : 0;
  t->begun++;
  t->since++;
  if (t->skip || depth == DEEP) {
    t->skip -= t->skip > 0;
    return 0;
  }
  struct followed *f = &followed[depth++];
  if (!f->use) {
    f->use = __pathspan_reserve(2 * MOST_USES * sizeof *f->use);
    f->start = __pathspan_reserve((ITERATIONS + 1) * sizeof *f->start);
    f->moment = __pathspan_reserve(ITERATIONS * sizeof *f->moment);
  }
  u32 mean = (u32)(t->uses / ENOUGH);
  t->skip = mean / 2 + (u32)below(&chance, mean);
  *f = (struct followed){.of = t, .began = __pathspan_uses(), .weight = t->since, .iterations = 1, .most = 1, .use = f->use, .start = f->start, .moment = f->moment};
  f->moment[0] = __pathspan_now;
  t->since = 0;
  return depth;
}

static void follows_no_more(struct followed *f) { f->left = f->iterations > 1 ? f->iterations - 1 : 1; }

void __pathspan_turn_begins(u32 number, u32 turn) {
  struct followed *f = &followed[number - 1];
  u64 at = __pathspan_uses() - f->began;
  f->turn = turn;
  if (f->left || turn >> f->log < f->iterations) return;
  if (at >> 31) {
    follows_no_more(f);
    return;
  }
  if (f->iterations == ITERATIONS) {
    f->iterations /= 2;
    f->log++;
    for (u32 i = 0; i < f->iterations; i++) {
      f->start[i] = f->start[2 * i];
      f->moment[i] = f->moment[2 * i];
    }
    for (u32 i = 0; i < f->uses; i++) {
      f->use[i].iteration /= 2;
      f->use[i].as = (f->use[i].as + 1) / 2;
    }
  }
  f->moment[f->iterations] = __pathspan_now;
  f->start[f->iterations++] = (u32)at;
}

static u32 hash_of(u32 line) { return line * 0x9e3779b9u >> 8; }

static int is_left_out(const struct followed *f, u32 line) { return hash_of(line) & ((1u << f->thin) - 1); }

/* The last use of a line, + 1, by hash. */
static u32 recent[DEEP][1 << 6];

/* add_use notes a use, where it is not one with the last of the line. */
static void add_use(struct followed *f, struct use u) {
  u32 *slot = &recent[f - followed][hash_of(u.line) % (sizeof *recent / sizeof **recent)];
  struct use *last = *slot && *slot <= f->uses ? &f->use[*slot - 1] : 0;
  if (last && last->line == u.line && last->iteration == u.iteration && !(last->as | u.as) && last->lock == u.lock && last->held == u.held && last->times + u.times <= f->most) {
    last->times += u.times;
    last->writes += u.writes;
    return;
  }
  f->use[f->uses++] = u;
  *slot = f->uses;
}

/* thin_out leaves every second line out or, where few are used so often, takes more uses together. */
static void thin_out(struct followed *f) {
  enum { MOST_TOGETHER = 1 << 12 };
  u32 n = 0, all = f->uses;
  f->thin++;
  for (u32 i = 0; i < all; i++) n += !is_left_out(f, f->use[i].line);
  if (n < MOST_USES / 4 || n > MOST_USES / 4 * 3) {
    f->thin--;
    f->most *= 2;
  }
  f->uses = 0;
  __builtin_memset(recent[f - followed], 0, sizeof *recent);
  for (u32 i = 0; i < all; i++)
    if (!is_left_out(f, f->use[i].line)) add_use(f, f->use[i]);
  if (f->uses <= MOST_USES / 4 * 3) return;
  if (f->most < MOST_TOGETHER) thin_out(f);
  else follows_no_more(f);
}

void __pathspan_turn_used(u32 number, u32 line, u32 moment, int writes) {
  struct followed *f = &followed[number - 1];
  if (f->left || is_left_out(f, line)) return;
  u32 i = f->iterations - 1, k = f->uses++;
  while (i && f->moment[i] > moment) i--;
  for (; k && f->use[k - 1].iteration > i; k--) f->use[k] = f->use[k - 1];
  f->use[k] = (struct use){.line = line, .iteration = i, .at = k && f->use[k - 1].iteration == i ? f->use[k - 1].at : f->start[i], .as = f->iterations, .times = 1, .writes = (uint16_t)writes};
  if (f->uses == MOST_USES) thin_out(f);
}

void __pathspan_turn_uses(u32 number, u32 line, int writes) {
  struct followed *f = &followed[number - 1];
  if (f->left || is_left_out(f, line)) return;
  u32 at = (u32)(__pathspan_uses() - f->began), locked = (u32)(__pathspan_here >> 48);
  add_use(f, (struct use){line, f->iterations - 1, at, 0, locked ? (u32)__pathspan_locked : 0, (uint16_t)(locked ? __pathspan_outermost : 0), 1, (uint16_t)writes});
  if (f->uses == MOST_USES) thin_out(f);
}

/* What is played: uses by iteration, what is known of each line, and the threads. */
static u32 first_use[ITERATIONS + 1]; /* of an iteration */
static struct line_played {
  u32 line, had, has;          /* threads that used it, and have it */
  u32 writes, then[16];        /* how often it was written, and until each thread used it last */
} *lines;
static u32 line_count;
static struct thread {
  u32 shift, next, end, last;  /* how much later it is than in the run; its next use, and where those of its iterations end, and these */
  u32 from, to;                /* its block, until it has begun it */
  int waits;                   /* for a lock */
} thread[16];
static u32 due[16];            /* when each does what is next; never: it has nothing to do, or waits for a lock */
static u32 leaves, first_due[2 * 16]; /* by node of a tree, of whose last ones each is a thread's: whose due is first */
enum { LOCKS = 1 << 8, NOBODY = 0, WAITS_FOR_LINE = 20 /* uses of lines */ };
static const u32 never = ~(u32)0;
static u8 holder[LOCKS];       /* by lock: a thread, + 1 */
static u32 freed[LOCKS];       /* when each was given back last */

/* number_lines gives lines numbers in place of their own. */
static void number_lines(struct followed *f) {
  enum { SLOTS = 4 * MOST_USES };
  static u32 *slot;
  if (!lines) {
    lines = __pathspan_reserve(MOST_USES * sizeof *lines);
    slot = __pathspan_reserve(SLOTS * sizeof *slot);
  }
  line_count = 0;
  for (u32 i = 0; i < f->uses; i++) {
    u32 h = hash_of(f->use[i].line) % SLOTS;
    while (slot[h] && lines[slot[h] - 1].line != f->use[i].line) h = (h + 1) % SLOTS;
    if (!slot[h]) {
      lines[line_count].line = f->use[i].line;
      slot[h] = ++line_count;
    }
    f->use[i].line = slot[h] - 1;
  }
  for (u32 i = 0; i < line_count; i++) {
    u32 h = hash_of(lines[i].line) % SLOTS;
    while (slot[h]) slot[h] = 0, h = (h + 1) % SLOTS;
  }
}

/* How it is played. */
struct rules {
  u32 iterations, threads, chunk; /* chunk 0: blocks */
  int alone;                   /* with no lines, nor locks */
  u32 waits;                   /* for a line, uses */
};

static void falls_due(u32 number, u32 at) {
  due[number] = at;
  for (u32 i = (leaves + number) / 2; i; i /= 2) {
    u32 a = first_due[2 * i], b = first_due[2 * i + 1];
    first_due[i] = due[b] < due[a] ? b : a;
  }
}

/* is_due finds when a thread makes its next use, or ends its iterations. */
static void is_due(const struct followed *f, u32 number) {
  const struct thread *t = &thread[number];
  falls_due(number, (t->next < t->end ? f->use[t->next].at : f->start[t->last]) + t->shift);
}

static u32 taken;              /* iterations, of chunks */

/* goes_on lets a thread execute its next iterations, from a time on. */
static void goes_on(const struct followed *f, const struct rules *r, u32 number, u32 at) {
  struct thread *t = &thread[number];
  u32 begin = taken, end = r->iterations - begin > r->chunk ? begin + r->chunk : r->iterations;
  if (r->chunk) {
    taken = end;
  } else {
    begin = t->from;
    end = t->from = t->to;
  }
  if (begin == end) {
    falls_due(number, never);
    return;
  }
  t->next = first_use[r->alone ? end : begin];
  t->end = first_use[end];
  t->shift = at - f->start[begin];
  t->last = end;
  is_due(f, number);
}

/* frees lets those go on that wait for a lock, which has none any more since now. */
static void frees(const struct followed *f, u32 lock, u32 threads, u32 now) {
  holder[lock] = NOBODY;
  freed[lock] = now;
  for (u32 k = 0; k < threads; k++) {
    struct thread *t = &thread[k];
    if (!t->waits || f->use[t->next].lock % LOCKS != lock) continue;
    u32 at = f->use[t->next].at + t->shift;
    t->waits = 0;
    if (at < now) t->shift += now - at;
    is_due(f, k);
  }
}

/* play lets threads execute iterations, and counts the lines that they lose. It returns when the last thread ends, and reports whether they need locks. */
static double play(const struct followed *f, struct rules r, struct counts *out, int *locks) {
  u32 threads = r.threads;
  double ends = 0;
  *out = (struct counts){0, 0};
  taken = 0;
  for (u32 i = 0; i < line_count; i++) lines[i].had = lines[i].has = lines[i].writes = 0;
  __builtin_memset(freed, 0, sizeof freed);
  for (leaves = 2; leaves < threads; leaves *= 2) {}
  for (u32 t = 0; t < leaves; t++) {
    u32 from = t ? thread[t - 1].to : 0;
    due[t] = never;
    first_due[leaves + t] = t;
    thread[t] = (struct thread){.from = from, .to = from + r.iterations / threads + (t < r.iterations % threads)};
  }
  for (u32 t = 0; t < threads; t++) goes_on(f, &r, t, 0);
  for (;;) {
    u32 number = first_due[1];
    if (due[number] == never) return ends;
    struct thread *t = &thread[number];
    if (t->next == t->end) {
      if (due[number] > ends) ends = due[number];
      goes_on(f, &r, number, due[number]);
      continue;
    }
    const struct use *u = &f->use[t->next];
    u32 lock = u->lock % LOCKS, me = 1u << number;
    if (u->lock && holder[lock] && holder[lock] != number + 1) {
      t->waits = 1;
      falls_due(number, never);
      continue;
    }
    if (u->lock && !holder[lock] && due[number] < freed[lock]) {
      t->shift += freed[lock] - due[number];
      falls_due(number, freed[lock]);
      continue;
    }
    struct line_played *l = &lines[u->line];
    /* Of uses that are taken together each may lose the line, if others write it as often. */
    u32 others = l->writes - l->then[number], times = l->has & me ? 0 : !(l->had & me) ? l->writes > 0 : others < u->times ? others : u->times;
    *(l->had & me ? &out->again : &out->first) += times;
    t->shift += times * r.waits;
    l->had |= me;
    l->has = u->writes ? me : l->has | me;
    l->then[number] = l->writes += u->writes;
    t->next++;
    is_due(f, number);
    if (!u->lock) continue;
    *locks = 1;
    holder[lock] = (u8)(number + 1);
    if (t->next == t->end || u[1].lock != u->lock || u[1].held != u->held) frees(f, lock, threads, u->at + t->shift);
  }
}

/* lost plays, and counts lines as if all threads lost as many, and ended when the last does: that waits for those that others lose who have a lock. */
static struct counts lost(const struct followed *f, struct rules r) {
  struct counts out, none;
  int locks = 0;
  r.waits = WAITS_FOR_LINE;
  double end = play(f, r, &out, &locks), all = out.first + out.again;
  if (!all) return out;
  r.waits = 0;
  r.alone = !locks;
  double later = end - play(f, r, &none, &locks), each = later > 0 ? later / WAITS_FOR_LINE * r.threads / all : 0;
  return (struct counts){out.first * each, out.again * each};
}

/* find_first finds the first use of each iteration. */
static void find_first(const struct followed *f, u32 n) {
  u32 uses = 0;
  for (u32 i = 0; i < n; i++) {
    first_use[i] = uses;
    while (uses < f->uses && f->use[uses].iteration <= i) uses++;
  }
  first_use[n] = uses;
}

static int in_order(const void *x, const void *y) {
  const struct use *a = x, *b = y;
  u32 one = a->iteration, other = b->iteration;
  if (one == other) one = a->at, other = b->at;
  if (one == other) one = a->line, other = b->line;
  return one < other ? -1 : one > other;
}

/* use_alike has an iteration that used a line before anybody knew that it is shared use it as the one that found that. */
static void use_alike(struct followed *f, u32 n) {
  u32 all = f->uses, some = 0;
  for (u32 i = 0; i < all; i++) {
    struct use first = f->use[i], *to = &f->use[i];
    u32 as = first.as - 1, here = first.iteration;
    if (!first.as || as >= n || as == here) continue;
    double length = (double)(f->start[here + 1] - f->start[here]) / (f->start[as + 1] - f->start[as]);
    for (u32 k = first_use[as]; k < first_use[as + 1] && f->uses < 2 * MOST_USES; k++) {
      if (f->use[k].line != first.line) continue;
      *to = f->use[k];
      to->iteration = here;
      to->at = f->start[here] + (u32)((f->use[k].at - f->start[as]) * length);
      to->held = to->lock ? to->at : 0;
      to->writes = first.writes ? to->writes : 0;
      to = &f->use[f->uses++];
      some = 1;
    }
    if (to != &f->use[i]) f->uses--;
  }
  if (!some) return;
  qsort(f->use, f->uses, sizeof *f->use, in_order);
  find_first(f, n);
}

void __pathspan_turns_end(u32 number, u64 iterations) {
  struct followed *f = &followed[number - 1];
  struct turns *t = f->of;
  depth = number - 1;
  u32 n = f->left ? f->left : f->iterations;
  t->uses += (u64)((f->uses + n) * f->weight);
  if (!f->uses || n < 2) return;
  if (!f->left) f->start[n] = (u32)(__pathspan_uses() - f->began);
  double all = (f->turn + 1.0) / (1u << f->log), each = iterations ? (double)iterations / all : 1 << f->log;
  double weight = f->weight * (1u << f->thin) * (f->left ? all / n : 1);
  find_first(f, n);
  use_alike(f, n);
  number_lines(f);
  double chunk = t->chunk / each;
  for (u32 way = 0; way < (t->chunk ? WAYS : BLOCKS); way++) {
    struct counts c = lost(f, (struct rules){.iterations = n, .threads = threads_of[way], .chunk = way < BLOCKS ? 0 : chunk < 1 ? 1 : (u32)(chunk + 0.5)});
    t->of[way].first += weight * c.first;
    t->of[way].again += weight * c.again;
  }
}

void __pathspan_each_turn(void (*tell)(u32 lane, u32 threads, u32 chunk, u64 first, u64 again)) {
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct turns *t = by_hash[i]; t; t = t->more)
      for (u32 way = 0; way < WAYS; way++) {
        /* Those begun since the last that was followed are taken to be as the others. */
        double part = (double)t->begun / (double)(t->begun - t->since), first = t->of[way].first * part, again = t->of[way].again * part;
        if (first + again >= 0.5) tell(t->lane, threads_of[way], way < BLOCKS ? 0 : t->chunk, (u64)(first + 0.5), (u64)(again + 0.5));
      }
}

void __pathspan_forget_turns(void) {
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct turns *t = by_hash[i]; t; t = t->more) __builtin_memset(t->of, 0, sizeof t->of);
}
