/* This file shares the iterations of worksharing loops among threads as LLVM's OpenMP
 * run-time library does, and in proportion to weights. Package mapping/loops says the same
 * for estimates, and gives the sources in libomp for each schedule. */
#include "loops.h"

#include <stdlib.h>
#include <string.h>

static u64 least(u64 a, u64 b) { return a < b ? a : b; }
static u64 chunks(const struct taker *t) { return t->n / t->chunk + (t->n % t->chunk != 0); }

/* ---- shares that are known beforehand ---- */

/* t has the one piece of iterations from begin to end. */
static void piece(struct taker *t, u64 begin, u64 end) {
  t->at = begin;
  t->end = end;
  t->length = end - begin;
  t->step = t->n; /* past all there is */
}

/* Equal pieces, the larger ones first. */
static void even(struct taker *t) {
  u64 n = t->n, team = (u64)t->threads, i = (u64)t->thread, small = n / team, extras = n % team;
  u64 begin = i * small + least(i, extras);
  piece(t, begin, begin + small + (i < extras));
}

static void round_robin(struct taker *t) {
  u64 begin, step;
  if (__builtin_mul_overflow((u64)t->thread, t->chunk, &begin) || begin >= t->n) return;
  if (__builtin_mul_overflow((u64)t->threads, t->chunk, &step)) step = t->n;
  t->at = begin;
  t->length = t->chunk;
  t->step = step;
  t->end = t->n;
}

static int counts(double share) { return share > 0 && share <= 1.7976931348623157e308; }

/* Consecutive pieces in proportion to shares: whole parts, and what is left one by one to
 * those with the largest remainders, the first among equals. */
static void weighted(struct taker *t) {
  i32 threads = t->threads;
  const double *share = t->schedule->share;
  u64 length[threads], left = t->n, begin = 0;
  double remainder[threads], scale = 0, sum = 0;
  i32 order[threads], n = 0;
  for (i32 i = 0; i < threads; i++)
    if (counts(share[i]) && share[i] > scale) scale = share[i];
  for (i32 i = 0; i < threads; i++)
    if (counts(share[i])) sum += share[i] / scale;
  for (i32 i = 0; i < threads; i++) {
    length[i] = 0;
    if (!counts(share[i])) continue;
    double due = (double)t->n * (share[i] / scale / sum);
    u64 whole = due < 18446744073709551616.0 ? (u64)due : ~(u64)0;
    length[i] = (double)whole < (double)left ? whole : left;
    left -= length[i];
    remainder[i] = due - (double)whole;
    i32 at = n++;
    for (; at > 0 && remainder[order[at - 1]] < remainder[i]; at--) order[at] = order[at - 1];
    order[at] = i;
  }
  for (i32 i = 0; i < n; i++) {
    u64 rest = (u64)(n - i), more = left / rest + (left % rest != 0);
    length[order[i]] += more;
    left -= more;
  }
  if (n == 0) length[0] = t->n;
  for (i32 i = 0; i < t->thread; i++) begin += length[i];
  piece(t, begin, begin + length[t->thread]);
}

void __pathspan_take_part(struct taker *t, const struct schedule *s, i32 thread, u64 n, u64 chunk) {
  memset(t, 0, sizeof *t);
  t->schedule = s;
  t->kind = s->kind;
  t->n = n;
  t->threads = s->threads;
  t->thread = thread;
  t->chunk = least(chunk, n);
  if (s->kind != STATIC && (chunk == 0 || s->kind == AUTO)) t->chunk = 1;
  if (n == 0) t->thread = -1;
  if (t->thread < 0) return;
  if (t->threads == 1) {
    t->kind = STATIC;
    piece(t, 0, n);
    return;
  }
  if (t->kind == STEALING && chunks(t) < (u64)t->threads) t->kind = DYNAMIC;
  if (t->kind == WEIGHTED) weighted(t);
  else if (t->kind == STATIC && t->chunk == 0) even(t);
  else if (t->kind == STATIC) round_robin(t);
}

int __pathspan_pooled(const struct taker *t) { return t->kind >= DYNAMIC; }

/* ---- chunks that are handed out ---- */

/* Whether guided and auto loops begin with chunks that are larger than the one given. */
static int wide(const struct taker *t) {
  u64 least_wide;
  return !__builtin_mul_overflow(2 * t->chunk + 1, (u64)t->threads, &least_wide) && least_wide < t->n;
}

static int dynamic(struct taker *t, u64 *begin, u64 *end) {
  u64 k = __atomic_fetch_add(&t->pool->taken, 1, __ATOMIC_ACQ_REL);
  if (k >= chunks(t)) return 0;
  *begin = k * t->chunk;
  *end = *begin + least(t->chunk, t->n - *begin);
  return 1;
}

/* The remaining iterations divided by twice the number of threads. */
static int guided(struct taker *t, u64 *begin, u64 *end) {
  u64 few = 0, at = __atomic_load_n(&t->pool->taken, __ATOMIC_ACQUIRE);
  int large = wide(t) && !__builtin_mul_overflow(2 * (u64)t->threads, t->chunk + 1, &few);
  while (at < t->n) {
    u64 left = t->n - at, size = least(t->chunk, left);
    if (large && left >= few) size = (u64)((double)left * (0.5 / t->threads));
    if (__atomic_compare_exchange_n(&t->pool->taken, &at, at + size, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      *begin = at;
      *end = at + size;
      return 1;
    }
  }
  return 0;
}

/* Analytical guided: after k chunks, n*x^k iterations remain, rounded up. */
static long double base(const struct taker *t) { return 1 - 0.5 / t->threads; }

static long double power(long double x, u64 y) {
  long double s = 1;
  for (; y > 0; y >>= 1, x *= x)
    if (y & 1) s *= x;
  return s;
}

static u64 remaining(const struct taker *t, u64 k) {
  long double left = power(base(t), k) * (long double)t->n;
  u64 whole = (u64)left;
  return whole + ((long double)whole != left);
}

/* The first k for which x^k is at most 3*threads/n, by libomp's own bisection. */
static u64 crossover(const struct taker *t) {
  long double x = base(t), target = (long double)(3 * (i64)t->threads) / (long double)t->n;
  u64 left = 0, right = 229;
  long double p = power(x, right);
  if (p > target) {
    do {
      p *= p;
      right <<= 1;
    } while (p > target && right < (u64)1 << 27);
    left = right >> 1;
  }
  while (left + 1 < right) {
    u64 middle = (left + right) / 2;
    if (power(x, middle) > target) left = middle;
    else right = middle;
  }
  return right;
}

static int automatic(struct taker *t, u64 *begin, u64 *end) {
  for (;;) {
    u64 k = __atomic_fetch_add(&t->pool->taken, 1, __ATOMIC_ACQ_REL), cross = t->pool->crossover;
    if (k < cross) {
      *begin = t->n - remaining(t, k);
      *end = t->n - remaining(t, k + 1);
      if (*begin < *end) return 1; /* else rounding left it empty */
      continue;
    }
    *begin = t->n - (cross ? remaining(t, cross) : t->n) + (k - cross);
    *end = *begin + 1;
    return *begin < t->n;
  }
}

/* ---- chunks that are shared out beforehand, and stolen ---- */

/* A hoard waits until its thread comes, then others steal from it. It is closed
 * when its thread finds it empty, and opened by what the thread steals, but for a single
 * chunk. The share of a thread that has not come yet is taken whole. */
enum { WAITING, READY, CLOSED };
enum { LAST_PUT_OFF = 1, LAST_RUN };

static void own(const struct taker *t, i32 thread, struct hoard *to) {
  struct taker other = {.threads = t->threads, .thread = thread, .n = chunks(t)};
  even(&other);
  to->from = other.at;
  to->to = other.end;
}

static int steal(struct taker *t) {
  struct hoard *all = t->pool->hoard, *h = &all[t->thread];
  i32 team = t->threads, victim = h->victim; /* which its thread alone reads */
  for (i32 tries = team - 1; tries > 0; tries--) {
    i32 last = (victim + team - 1) % team;
    while ((victim == t->thread || __atomic_load_n(&all[victim].state, __ATOMIC_ACQUIRE) == CLOSED) && victim != last)
      victim = (victim + 1) % team;
    if (victim == t->thread) continue;
    struct hoard *v = &all[victim], got = {.from = 0};
    int whole = 0;
    __pathspan_lock(&v->lock);
    if (v->state == WAITING) {
      v->state = CLOSED;
      own(t, victim, &got);
      whole = 1;
    } else if (v->state == READY && v->from < v->to) {
      u64 left = v->to - v->from, part = left > 7 ? left / 4 : 1;
      got.to = v->to;
      got.from = v->to -= part;
    } else {
      whole = v->state == READY;
    }
    __pathspan_unlock(&v->lock);
    if (whole) victim = (victim + 1) % team;
    if (got.from == got.to) continue;
    __pathspan_lock(&h->lock);
    h->from = got.from;
    h->to = got.to;
    h->victim = victim;
    if (got.to - got.from > 1) h->state = READY;
    __pathspan_unlock(&h->lock);
    return 1;
  }
  h->victim = victim;
  return 0;
}

static int stealing(struct taker *t, u64 *begin, u64 *end) {
  struct hoard *h = &t->pool->hoard[t->thread];
  u64 last = chunks(t) - 1;
  for (;;) {
    __pathspan_lock(&h->lock);
    if (!h->come) {
      h->come = 1;
      h->victim = (t->thread + 1) % t->threads;
      if (h->state == WAITING) {
        own(t, t->thread, h);
        h->state = READY;
      }
    }
    u64 k = h->from;
    int some = k < h->to;
    if (some) h->from++;
    else h->state = CLOSED;
    __pathspan_unlock(&h->lock);
    if (!some) {
      if (t->put_off == LAST_RUN) return 0;
      if (steal(t)) continue;
      if (!t->put_off) return 0;
      t->put_off = LAST_RUN; /* what others still have is theirs to run */
      k = last;
    } else if (k == last) {
      /* What lastprivate copies is to be what the last iteration leaves behind. */
      t->put_off = LAST_PUT_OFF;
      continue;
    }
    *begin = k * t->chunk;
    *end = *begin + least(t->chunk, t->n - *begin);
    return 1;
  }
}

int __pathspan_fill(struct pool *p, const struct taker *t) {
  if (t->kind == AUTO && wide(t)) p->crossover = crossover(t);
  if (t->kind != STEALING) return 1;
  size_t size = (size_t)t->threads * sizeof *p->hoard;
  p->hoard = aligned_alloc(64, size);
  if (p->hoard) memset(p->hoard, 0, size);
  return p->hoard != 0;
}

void __pathspan_empty(struct pool *p) { free(p->hoard); }

int __pathspan_take(struct taker *t, u64 *begin, u64 *end) {
  if (t->thread < 0) return 0;
  switch (t->kind) {
  case DYNAMIC: return dynamic(t, begin, end);
  case STEALING: return stealing(t, begin, end);
  case GUIDED: return guided(t, begin, end);
  case AUTO: return automatic(t, begin, end);
  default:;
  }
  if (t->at >= t->end) return 0;
  *begin = t->at;
  *end = *begin + least(t->length, t->end - *begin);
  t->at = t->step < t->end - t->at ? t->at + t->step : t->end;
  return 1;
}
