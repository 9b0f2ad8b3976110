/* What loops.c and team.c share: worksharing loops on the threads of a mapping. */
#ifndef PATHSPAN_LOOPS_H
#define PATHSPAN_LOOPS_H

#include "openmp.h"

/* Schedules that a mapping can say of a loop. Stealing is dynamic and nonmonotonic. */
enum kind { STATIC, WEIGHTED, DYNAMIC, STEALING, GUIDED, AUTO };
struct schedule {
  enum kind kind;
  i64 chunk;               /* iterations; 0: none is given, -1: the program says it */
  i32 threads;
  i32 *processor;          /* by thread */
  double *share;           /* by thread, weighted only */
};

/* Chunks that a thread may take under STEALING. */
struct hoard {
  i32 lock, state, victim, come;
  u64 from, to;
} __attribute__((aligned(64)));

/* A pool is what the threads of one execution of a loop share. */
struct pool {
  struct pool *next;
  i32 number, left;        /* which loop of the team, and how many threads are not done */
  u64 turn;                /* iteration whose ordered part is next */
  i32 turns;               /* changes with turn */
  u64 taken;               /* chunks, or of GUIDED iterations, that have gone */
  u64 crossover;           /* chunks of AUTO that are larger than 1 */
  struct hoard *hoard;
};

/* A taker is one thread in a loop; iterations count from 0. */
struct taker {
  const struct schedule *schedule;
  enum kind kind;          /* that of the schedule, unless the loop is too short for it */
  struct pool *pool;       /* 0 where the share is known beforehand */
  u64 n, chunk;
  i32 threads, thread;     /* a negative thread takes nothing */
  u64 at, length, step, end;
  i32 put_off;             /* has the last chunk and goes on with others first, or has run it */
};

/* ---- loops.c ---- */

/* Begins a loop of n iterations for a thread; chunk is 0 where neither the mapping nor the
 * program gives one. Who asks then sets pool, where __pathspan_pooled says that there is one. */
void __pathspan_take_part(struct taker *t, const struct schedule *s, i32 thread, u64 n, u64 chunk);
int __pathspan_pooled(const struct taker *t);
/* Makes the pool ready for the first thread that comes. */
int __pathspan_fill(struct pool *p, const struct taker *t);
void __pathspan_empty(struct pool *p);
/* The next iterations of the thread, begin up to, but without, end; 0 when nothing is left. */
int __pathspan_take(struct taker *t, u64 *begin, u64 *end);

/* ---- team.c ---- */

void __pathspan_lock(i32 *l);
void __pathspan_unlock(i32 *l);

#endif
