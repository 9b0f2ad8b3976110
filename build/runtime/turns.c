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
  u32 line, iteration, at, writes;
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
  u32 i = f->iterations - 1;
  while (i && f->moment[i] > moment) i--;
  f->use[f->uses++] = (struct use){line, i, f->start[i], (u32)writes};
  if (f->uses == MOST_USES) thin_out(f);
}

void __pathspan_turn_uses(u32 number, u32 line, int writes) {
  struct followed *f = &followed[number - 1];
  if (f->left || is_left_out(f, line)) return;
  u64 now = __pathspan_here >> 48 ? __pathspan_locked : __pathspan_uses();
  u32 at = now > f->began ? (u32)(now - f->began) : 0;
  struct use *last = &f->use[f->uses - 1];
  if (f->uses && last->line == line && last->iteration == f->iterations - 1 && (last->at == at || (writes && !last->writes && at - last->at == 1))) {
    last->writes |= (u32)writes;
    return;
  }
  f->use[f->uses++] = (struct use){line, f->iterations - 1, at, (u32)writes};
  if (f->uses == MOST_USES) thin_out(f);
}

/* What is shared out among threads: an iteration's thread, and how much later it begins there than in the run. */
static u8 thread_of[ITERATIONS];
static u32 later[ITERATIONS];

/* blocks_of gives each thread a block of iterations, one behind the other. */
static void blocks_of(const struct followed *f, u32 n, u32 threads) {
  for (u32 t = 0, i = 0; t < threads; t++)
    for (u32 first = i, end = first + n / threads + (t < n % threads); i < end; i++) {
      thread_of[i] = (u8)t;
      later[i] = -f->start[first];
    }
}

/* chunks_of gives the next chunk to the thread that is free first. */
static void chunks_of(const struct followed *f, u32 n, u32 threads, u32 chunk) {
  u32 at[32] = {0};
  for (u32 i = 0; i < n;) {
    u32 t = 0;
    for (u32 k = 1; k < threads; k++)
      if (at[k] < at[t]) t = k;
    u32 end = n - i > chunk ? i + chunk : n, took = f->start[end] - f->start[i];
    for (u32 shift = at[t] - f->start[i]; i < end; i++) {
      thread_of[i] = (u8)t;
      later[i] = shift;
    }
    at[t] += took;
  }
}

/* sort puts keys in order, which lie in stretches that are. */
static u64 *sort(u64 *key, u64 *other, u32 n) {
  for (;;) {
    u32 stretches = 0;
    for (u32 i = 0; i < n; stretches++) {
      u32 a = i, b = i + 1;
      while (b < n && key[b - 1] <= key[b]) b++;
      u32 middle = b, end = b < n ? b + 1 : b;
      while (end < n && key[end - 1] <= key[end]) end++;
      while (a < middle || b < end) other[i++] = b == end || (a < middle && key[a] <= key[b]) ? key[a++] : key[b++];
    }
    u64 *to = other;
    other = key;
    key = to;
    if (stretches <= 1) return key;
  }
}

/* count adds what threads lose of a line, by its uses. */
static void count(struct counts *to, const struct use *use, u32 n, double weight) {
  static u64 *key, *other;
  if (!key) {
    key = __pathspan_reserve(MOST_USES * sizeof *key);
    other = __pathspan_reserve(MOST_USES * sizeof *other);
  }
  for (u32 i = 0; i < n; i++) key[i] = (u64)(use[i].at + later[use[i].iteration]) << 8 | (u64)thread_of[use[i].iteration] << 1 | use[i].writes;
  const u64 *k = sort(key, other, n);
  u32 had = 0, has = 0, written = 0;
  for (u32 i = 0; i < n; i++) {
    u32 me = 1u << (k[i] >> 1 & 31);
    if (!(has & me)) {
      if (had & me) to->again += weight;
      else if (written) to->first += weight;
    }
    had |= me;
    has = k[i] & 1 ? me : has | me;
    written |= (u32)k[i] & 1;
  }
}

/* by_line puts uses in the order of their lines, and of one line in the order of the run. */
static const struct use *by_line(struct use *use, u32 n) {
  static struct use *spare;
  if (!spare) spare = __pathspan_reserve(MOST_USES * sizeof *spare);
  struct use *from = use, *to = spare;
  for (u32 shift = 0; shift < 32; shift += 8) {
    u32 at[257] = {0};
    for (u32 i = 0; i < n; i++) at[(from[i].line >> shift & 255) + 1]++;
    for (u32 i = 0; i < 255; i++) at[i + 1] += at[i];
    for (u32 i = 0; i < n; i++) to[at[from[i].line >> shift & 255]++] = from[i];
    struct use *was = from;
    from = to;
    to = was;
  }
  return from;
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
  const struct use *use = by_line(f->use, f->uses);
  for (u32 way = 0; way < TEAMS + CHUNKS * CROWDS; way++) {
    struct counts *to = way < TEAMS ? &t->blocks[way] : &t->chunked[0][way - TEAMS];
    if (way < TEAMS) {
      blocks_of(f, n, __pathspan_team[way]);
    } else {
      double chunk = chunks[(way - TEAMS) / CROWDS] / each;
      chunks_of(f, n, crowds[(way - TEAMS) % CROWDS], chunk < 1 ? 1 : (u32)(chunk + 0.5));
    }
    for (u32 i = 0, end; i < f->uses; i = end) {
      for (end = i + 1; end < f->uses && use[end].line == use[i].line;) end++;
      u32 some = end - i;
      while (some && use[i + some - 1].iteration >= n) some--;
      if (some > 1) count(to, use + i, some, weight);
    }
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
