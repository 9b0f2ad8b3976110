/* Lines that iterations of a worksharing loop use by turns, and some of them write: how often would a thread find one gone that it had, as another has written it
 * meanwhile? That hangs on which thread executes which iterations, and on when each comes to what. So the uses of an execution are noted, with the iteration and
 * how many uses of lines there were since the loop began, and when it ends they are put in the order in which so many threads would come to them: those that
 * have a block of iterations each, and those that take chunks as they are free. What is used under a lock is used when that was taken, as the others are kept off.
 * Of many executions some are followed, and of many lines, both by chance. */
#include "memory.h"

/* ITERATIONS: of an execution, or as many times 2, 4 and so on that are taken together; ENOUGH: uses and iterations of a loop's executions of which
 * all are followed; DEEP: loops within each other. */
enum { MOST_USES = 1 << 17, ITERATIONS = 1 << 13, DEEP = 4, ENOUGH = 1 << 15, CHUNKS = 3, CROWDS = 4 };

static const u32 chunks[CHUNKS] = {1, 4, 16}, crowds[CROWDS] = {2, 4, 8, 16};

struct counts {
  double first, again;
};

/* What is known of a loop, by its lane. */
static struct turns {
  u32 lane, skip;              /* executions until the next is followed */
  u64 uses;                    /* of all executions, and iterations, and as many as would be more by those that were not followed */
  struct turns *more;
  struct counts blocks[TEAMS], chunked[CHUNKS][CROWDS];
} *by_hash[1 << 6];

struct use {
  u32 line, iteration, at;
  u32 held;                    /* when the outermost lock was taken, and which that is, 0: none */
  uint16_t lock;
  u8 writes;
};

static struct followed {
  struct turns *of;
  u64 began;
  double weight;
  u32 turn, iterations, log, uses, thin; /* 2^log turns are an iteration; of lines those are followed whose hash ends with so many zeros */
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

u32 __pathspan_turns_begin(u32 lane) {
  struct turns *t = turns_of(lane);
  if (t->skip) {
    t->skip--;
    return 0;
  }
  if (depth == DEEP) return 0;
  struct followed *f = &followed[depth++];
  if (!f->use) {
    f->use = __pathspan_reserve(MOST_USES * sizeof *f->use);
    f->start = __pathspan_reserve((ITERATIONS + 1) * sizeof *f->start);
    f->moment = __pathspan_reserve(ITERATIONS * sizeof *f->moment);
  }
  u32 mean = (u32)(t->uses / ENOUGH);
  chance = chance * 1664525u + 1013904223u;
  t->skip = mean / 2 + (u32)((u64)mean * chance >> 32);
  *f = (struct followed){.of = t, .began = __pathspan_uses(), .weight = 1 + mean, .iterations = 1, .use = f->use, .start = f->start, .moment = f->moment};
  f->moment[0] = __pathspan_now;
  return depth;
}

void __pathspan_turn_begins(u32 number, u32 turn) {
  struct followed *f = &followed[number - 1];
  u64 at = __pathspan_uses() - f->began;
  f->turn = turn;
  if (f->left || turn >> f->log < f->iterations) return;
  if (at >> 31) {
    f->left = f->iterations - 1;
    return;
  }
  if (f->iterations == ITERATIONS) {
    f->iterations /= 2;
    f->log++;
    for (u32 i = 0; i < f->iterations; i++) {
      f->start[i] = f->start[2 * i];
      f->moment[i] = f->moment[2 * i];
    }
    for (u32 i = 0; i < f->uses; i++) f->use[i].iteration /= 2;
  }
  f->moment[f->iterations] = __pathspan_now;
  f->start[f->iterations++] = (u32)at;
}

static u32 hash_of(u32 line) { return line * 0x9e3779b9u >> 8; }

static int is_left_out(const struct followed *f, u32 line) { return hash_of(line) & ((1u << f->thin) - 1); }

/* thin_out leaves every second line out, until there is room. */
static void thin_out(struct followed *f) {
  while (f->uses > MOST_USES / 4 * 3 && f->thin < 16) {
    f->thin++;
    u32 n = 0;
    for (u32 i = 0; i < f->uses; i++)
      if (!is_left_out(f, f->use[i].line)) f->use[n++] = f->use[i];
    f->uses = n;
  }
  if (f->thin == 16) f->left = f->iterations - 1; /* few lines are used so often: what is known so far stands for all */
}

void __pathspan_turn_used(u32 number, u32 line, u32 moment, int writes) {
  struct followed *f = &followed[number - 1];
  if (f->left || is_left_out(f, line)) return;
  u32 i = f->iterations - 1, k = f->uses++;
  while (i && f->moment[i] > moment) i--;
  for (; k && f->use[k - 1].iteration > i; k--) f->use[k] = f->use[k - 1];
  f->use[k] = (struct use){.line = line, .iteration = i, .at = k && f->use[k - 1].iteration == i ? f->use[k - 1].at : f->start[i], .writes = (u8)writes};
  if (f->uses == MOST_USES) thin_out(f);
}

void __pathspan_turn_uses(u32 number, u32 line, int writes) {
  struct followed *f = &followed[number - 1];
  if (f->left || is_left_out(f, line)) return;
  u32 at = (u32)(__pathspan_uses() - f->began), locked = (u32)(__pathspan_here >> 48);
  struct use *last = &f->use[f->uses - 1];
  if (f->uses && last->line == line && last->iteration == f->iterations - 1 && (last->at == at || (writes && !last->writes && at - last->at == 1))) {
    last->writes |= (u8)writes;
    return;
  }
  f->use[f->uses++] = (struct use){line, f->iterations - 1, at, locked ? (u32)__pathspan_locked : 0, (uint16_t)(locked ? __pathspan_outermost : 0), (u8)writes};
  if (f->uses == MOST_USES) thin_out(f);
}

/* What is played: uses by iteration, what is known of each line, and the threads. */
static u32 first_use[ITERATIONS + 1]; /* of an iteration */
static struct line_played {
  u32 line, had, has, written; /* threads that used it, have it; whether one wrote it */
} *lines;
static u32 line_count;
static struct thread {
  u32 shift, next, end, last;  /* how much later it is than in the run; its next use, and where those of its iterations end, and these */
  u32 worked, waits;           /* for how long; whether for a lock */
  double lost;
} thread[32];
enum { LOCKS = 1 << 8, NOBODY = 0, WAITS_FOR_LINE = 20 /* uses of lines */ };
static u8 holder[LOCKS];         /* by lock: a thread, + 1 */

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

/* goes_on lets a thread execute iterations, from a time on. */
static void goes_on(const struct followed *f, struct thread *t, u32 at, u32 begin, u32 end) {
  t->next = first_use[begin];
  t->end = first_use[end];
  t->shift = at - f->start[begin];
  t->worked += f->start[end] - f->start[begin];
  t->last = end;
}

/* lost_by_all is how often each thread would lose lines, all as often, for the last to end as late. */
static double lost_by_all(u32 threads) {
  double most = 0, work = 0;
  for (u32 k = 0; k < threads; k++) {
    double end = thread[k].worked + WAITS_FOR_LINE * thread[k].lost;
    if (thread[k].worked > work) work = thread[k].worked;
    if (end > most) most = end;
  }
  return (most - work) / WAITS_FOR_LINE;
}

/* play lets so many threads execute iterations, in blocks or in chunks that each takes when it is free, and counts the lines that they lose. */
static struct counts play(const struct followed *f, u32 n, u32 threads, u32 chunk) {
  struct counts out = {0, 0};
  u32 taken = 0;
  for (u32 i = 0; i < line_count; i++) lines[i].had = lines[i].has = lines[i].written = 0;
  for (u32 t = 0; t < threads; t++) {
    u32 begin = taken;
    taken += chunk ? chunk : n / threads + (t < n % threads);
    if (taken > n) taken = n;
    thread[t] = (struct thread){0};
    goes_on(f, &thread[t], 0, begin, taken);
  }
  for (;;) {
    struct thread *t = 0;
    u32 soonest = ~0u;
    for (u32 k = 0; k < threads; k++) {
      struct thread *x = &thread[k];
      while (x->next == x->end && taken < n) {
        u32 begin = taken;
        taken = n - taken > chunk ? taken + chunk : n;
        goes_on(f, x, f->start[x->last] + x->shift, begin, taken);
      }
      if (x->next == x->end || x->waits) continue;
      u32 at = f->use[x->next].at + x->shift;
      if (at < soonest) t = x, soonest = at;
    }
    if (!t) break;
    u32 number = (u32)(t - thread), me = 1u << number;
    const struct use *u = &f->use[t->next++];
    u8 *by = &holder[u->lock % LOCKS];
    if (u->lock && *by && *by != number + 1) {
      t->next--;
      t->waits = 1;
      continue;
    }
    struct line_played *l = &lines[u->line];
    if (!(l->has & me) && (l->written || l->had & me)) {
      *(l->had & me ? &out.again : &out.first) += 1;
      t->lost += 1;
      t->shift += WAITS_FOR_LINE;
    }
    l->had |= me;
    l->has = u->writes ? me : l->has | me;
    l->written |= u->writes;
    if (!u->lock) continue;
    *by = (u8)(number + 1);
    if (t->next < t->end && u[1].lock == u->lock && u[1].held == u->held) continue;
    *by = NOBODY;
    for (u32 k = 0, now = u->at + t->shift; k < threads; k++)
      if (thread[k].waits) {
        u32 at = f->use[thread[k].next].at + thread[k].shift;
        if (f->use[thread[k].next].lock % LOCKS != u->lock % LOCKS) continue;
        thread[k].waits = 0;
        if (at < now) thread[k].shift += now - at;
      }
  }
  double all = out.first + out.again, by_all = all ? threads * lost_by_all(threads) / all : 0;
  return (struct counts){out.first * by_all, out.again * by_all};
}

void __pathspan_turns_end(u32 number, u64 iterations) {
  struct followed *f = &followed[number - 1];
  struct turns *t = f->of;
  depth = number - 1;
  u32 n = f->left ? f->left : f->iterations;
  t->uses += (u64)((f->uses + n) * f->weight);
  if (!f->uses || n < 2) return;
  if (!f->left) f->start[n] = (u32)(__pathspan_uses() - f->began);
  double all = (f->turn + 1.0) / (1u << f->log), each = (double)iterations / all;
  double weight = f->weight * (1u << f->thin) * (f->left ? all / n : 1);
  u32 uses = 0;
  for (u32 i = 0; i < n; i++) {
    first_use[i] = uses;
    while (uses < f->uses && f->use[uses].iteration <= i) uses++;
  }
  first_use[n] = uses;
  number_lines(f);
  for (u32 way = 0; way < TEAMS + CHUNKS * CROWDS; way++) {
    struct counts *to = way < TEAMS ? &t->blocks[way] : &t->chunked[0][way - TEAMS], c;
    if (way < TEAMS) {
      c = play(f, n, __pathspan_team[way], 0);
    } else {
      double chunk = chunks[(way - TEAMS) / CROWDS] / each;
      c = play(f, n, crowds[(way - TEAMS) % CROWDS], chunk < 1 ? 1 : (u32)(chunk + 0.5));
    }
    to->first += weight * c.first;
    to->again += weight * c.again;
  }
}

void __pathspan_each_turn(void (*tell)(u32 lane, u32 threads, u32 chunk, u64 first, u64 again)) {
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct turns *t = by_hash[i]; t; t = t->more)
      for (u32 way = 0; way < TEAMS + CHUNKS * CROWDS; way++) {
        u32 k = way - TEAMS;
        const struct counts *c = way < TEAMS ? &t->blocks[way] : &t->chunked[0][k];
        if (c->first + c->again >= 0.5) tell(t->lane, way < TEAMS ? __pathspan_team[way] : crowds[k % CROWDS], way < TEAMS ? 0 : chunks[k / CROWDS], (u64)(c->first + 0.5), (u64)(c->again + 0.5));
      }
}

void __pathspan_forget_turns(void) {
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct turns *t = by_hash[i]; t; t = t->more) {
      __builtin_memset(t->blocks, 0, sizeof t->blocks);
      __builtin_memset(t->chunked, 0, sizeof t->chunked);
    }
}
