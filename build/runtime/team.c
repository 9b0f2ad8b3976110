/* This file is OpenMP on the threads of a mapping: each processor of the mapping is a thread,
 * pinned to a processor of this machine; each section runs on the thread that the
 * mapping says, in its order, and worksharing loops share their iterations as it says
 * (loops.c). openmp.c holds what does not depend on the number of
 * threads. build/openmp's Parallel puts the calls __pathspan_run_* into the program.
 *
 * The mapping is a text file that PATHSPAN_MAPPING names (package measure writes it):
 *
 *   processors 2 serial 0 spin 20000 regions 1
 *   cpu 0                           processor 0 on this machine's processor 0
 *   cpu 1
 *   region explicit 1 constructs 3
 *   construct 3 0 0 2 0 1 1         three sections: section 0 on 0, 2 on 0, 1 on 1
 *   loop dynamic 4 2 1 0            in chunks of 4, of two threads: 0 on 1, 1 on 0
 *   loop weighted 0 2 0 1.5 1 0.5   thread 0 on 0 has three times the iterations of 1 on 1
 *
 * A loop is static, weighted, dynamic, stealing, guided or auto; a chunk of 0 is none, of -1
 * what the program says.
 *
 * A region that stays on one processor runs there. Inside a region that is spread
 * over processors, one that the mapping does not name stays on its processor, as
 * OpenMP runs nested regions by default. A thread that waits, at the end of a region
 * or at a barrier, runs what others have for its processor meanwhile: otherwise two
 * nested regions could wait for each other for ever. What is neither sections nor a loop
 * that the mapping knows (tasks, loops outside of the text of regions) runs on the first
 * thread of its region, as it is counted. */
#define _GNU_SOURCE
#include "loops.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void die(const char *what) {
  static const char name[] = "pathspan: measured program: ";
  if (write(2, name, sizeof name - 1) < 0 || write(2, what, strlen(what)) < 0 || write(2, "\n", 1) < 0) _exit(125);
  _exit(125);
}

static void *need(void *p) {
  if (!p) die("out of memory");
  return p;
}

/* ---- the mapping ---- */

struct construct {
  i32 n, *section, *processor;
  struct schedule *loop;   /* 0 for sections */
};
struct region {
  i32 named, constructs, members, *member;
  struct construct *construct;
};

static i32 processors = 1, serial, regions, spin = 1000;
static i32 *cpu;
static struct region *region;

/* ---- who runs what ---- */

/* A team is one execution of a region on several processors. */
struct team {
  i32 region;              /* -1: one thread runs everything */
  i32 size;
  micro f;
  i32 args;
  void **arg;
  const i32 *member;       /* processors; the one that forks is member 0 */
  i32 owner;               /* processor that forks */
  i32 left;                /* members that have not ended */
  i32 arrived, generation; /* barrier */
  i32 singles;             /* single constructs that someone has taken */
  void *copied;            /* copyprivate */
  i32 lock;                /* of pools */
  struct pool *pools;      /* of loops under way, in no order */
};

struct job {
  struct job *next;
  struct team *team;
  i32 number;
};

/* A loop as a thread meets it. */
struct loop {
  struct taker taker;
  u64 first, step;         /* value of iteration 0, distance to the next */
  struct pool *pool;
  i32 ordered, passed;     /* parts of iterations wait for their turn; mine has been */
  u64 now;                 /* iteration under way, of ordered loops */
};

/* self is what a thread is doing. */
struct self {
  i32 processor;
  i32 spread;              /* inside a region that is spread over processors */
  i32 number;              /* in its team */
  i32 pending;             /* region that the next fork is, -1 */
  i32 singles;             /* single constructs met */
  i32 loops;               /* loops met */
  i32 in_region, next;     /* construct that the loop to begin is, -1 where none is said */
  struct team *team;
  struct loop loop;        /* that is under way, or was the last */
};

/* Members of me that begin anew in a region. */
static void enter(struct self *s, struct team *t, i32 number) {
  s->team = t;
  s->number = number;
  s->pending = s->next = -1;
  s->singles = s->loops = 0;
  memset(&s->loop, 0, sizeof s->loop);
}

static struct team alone = {.region = -1, .size = 1};
static __thread struct self me = {.pending = -1, .next = -1, .team = &alone};
static __thread i32 *dealt; /* my sections of the construct under way */

/* ---- inboxes ---- */

struct inbox {
  i32 lock;
  i32 events;              /* changes whenever the owner may have to look */
  i32 asleep;
  struct job *first, *last;
} __attribute__((aligned(128)));
static struct inbox *inboxes;

static void pause_(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#else
  __asm__ volatile("" ::: "memory");
#endif
}

void __pathspan_lock(i32 *l) {
  for (i32 n = 0; __atomic_exchange_n(l, 1, __ATOMIC_ACQUIRE); n++)
    if (n < spin) pause_();
    else sched_yield();
}
void __pathspan_unlock(i32 *l) { __atomic_store_n(l, 0, __ATOMIC_RELEASE); }

static void notify(i32 processor) {
  struct inbox *in = &inboxes[processor];
  __atomic_add_fetch(&in->events, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&in->asleep, __ATOMIC_SEQ_CST)) syscall(SYS_futex, &in->events, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void send(i32 processor, struct job *j) {
  struct inbox *in = &inboxes[processor];
  j->next = 0;
  __pathspan_lock(&in->lock);
  if (in->last) in->last->next = j;
  else __atomic_store_n(&in->first, j, __ATOMIC_RELEASE);
  in->last = j;
  __pathspan_unlock(&in->lock);
  notify(processor);
}

static struct job *receive(void) {
  struct inbox *in = &inboxes[me.processor];
  if (!__atomic_load_n(&in->first, __ATOMIC_ACQUIRE)) return 0;
  __pathspan_lock(&in->lock);
  struct job *j = in->first;
  if (j && !(in->first = j->next)) in->last = 0;
  __pathspan_unlock(&in->lock);
  return j;
}

static void run(struct job *j) {
  struct self before = me;
  i32 *sections = dealt;
  struct team *t = j->team;
  enter(&me, t, j->number);
  me.spread = 1;
  dealt = 0;
  __pathspan_call_region(t->f, j->number, t->args, t->arg);
  free(dealt);
  me = before;
  dealt = sections;
  i32 owner = t->owner;
  if (__atomic_sub_fetch(&t->left, 1, __ATOMIC_ACQ_REL) == 0) notify(owner);
}

/* wait runs jobs until *word is, or is no longer, value. */
static void wait_for(const i32 *word, i32 value, int equal) {
  struct inbox *in = &inboxes[me.processor];
  for (i32 n = 0;; n++) {
    if ((__atomic_load_n(word, __ATOMIC_ACQUIRE) == value) == equal) return;
    struct job *j = receive();
    if (j) {
      run(j);
      n = 0;
      continue;
    }
    if (n < spin) {
      pause_();
      continue;
    }
    i32 seen = __atomic_load_n(&in->events, __ATOMIC_SEQ_CST);
    __atomic_store_n(&in->asleep, 1, __ATOMIC_SEQ_CST);
    if ((__atomic_load_n(word, __ATOMIC_SEQ_CST) == value) != equal && !__atomic_load_n(&in->first, __ATOMIC_SEQ_CST))
      syscall(SYS_futex, &in->events, FUTEX_WAIT_PRIVATE, seen, 0, 0, 0);
    __atomic_store_n(&in->asleep, 0, __ATOMIC_SEQ_CST);
  }
}

/* ---- regions ---- */

void __pathspan_run_region(i32 r) { me.pending = r; }

static void fork_(micro f, i32 args, void **arg) {
  i32 r = me.pending;
  struct team t = {.region = -1, .size = 1, .f = f, .args = args, .arg = arg, .owner = me.processor, .left = 1};
  struct self before = me;
  i32 *sections = dealt;
  me.pending = -1;
  if (r >= 0 && r < regions && (!me.spread || region[r].named)) t.region = r;
  i32 *members = 0;
  struct job *jobs = 0;
  if (t.region >= 0) {
    struct region *g = &region[r];
    i32 others = 0;
    for (i32 i = 0; i < g->members; i++) others += g->member[i] != me.processor;
    if (others) {
      members = need(malloc((size_t)(others + 1) * sizeof *members));
      jobs = need(malloc((size_t)others * sizeof *jobs));
      members[0] = me.processor;
      for (i32 i = 0, n = 1; i < g->members; i++)
        if (g->member[i] != me.processor) members[n++] = g->member[i];
      t.size = others + 1;
      t.left = others + 1;
      t.member = members;
      me.spread = 1;
      for (i32 i = 1; i <= others; i++) {
        jobs[i - 1].team = &t;
        jobs[i - 1].number = i;
        send(members[i], &jobs[i - 1]);
      }
    }
  }
  enter(&me, &t, 0);
  dealt = 0;
  __pathspan_call_region(t.f, 0, t.args, t.arg);
  free(dealt);
  dealt = sections;
  if (t.size > 1 && __atomic_sub_fetch(&t.left, 1, __ATOMIC_ACQ_REL)) wait_for(&t.left, 0, 1);
  me = before;
  me.pending = -1;
  free(members);
  free(jobs);
}

static void fork_list(micro f, i32 n, va_list ap) {
  void *a[MOST_VARIABLES];
  __pathspan_variables(n, ap, a);
  fork_(f, n, a);
}
void __kmpc_fork_call(ident_t *l, i32 n, micro f, ...) {
  va_list ap;
  va_start(ap, f);
  fork_list(f, n, ap);
  va_end(ap);
}
void __kmpc_fork_teams(ident_t *l, i32 n, micro f, ...) {
  va_list ap;
  me.pending = -1;
  va_start(ap, f);
  fork_list(f, n, ap);
  va_end(ap);
}

/* A region whose if clause is false: the program calls its function itself. */
struct kept {
  struct self self;
  i32 *dealt;
  struct kept *below;
  struct team team;
};
static __thread struct kept *kept;
void __kmpc_serialized_parallel(ident_t *l, i32 g) {
  struct kept *k = need(malloc(sizeof *k));
  k->self = me;
  k->dealt = dealt;
  k->below = kept;
  k->team = (struct team){.region = -1, .size = 1, .owner = me.processor, .left = 1};
  kept = k;
  enter(&me, &k->team, 0);
  dealt = 0;
}
void __kmpc_end_serialized_parallel(ident_t *l, i32 g) {
  struct kept *k = kept;
  if (!k) return;
  free(dealt);
  me = k->self;
  me.pending = -1;
  dealt = k->dealt;
  kept = k->below;
  free(k);
}

/* ---- sections ---- */

/* The program asks for its share of a construct of n sections: iterations lower to
 * upper, which it clamps to n-1, and for each iteration which section that is. */
void __pathspan_run_sections(i32 r, i32 c, i32 n, i32 *last, i32 *lower, i32 *upper) {
  i32 count = 0;
  free(dealt);
  dealt = need(malloc((size_t)(n ? n : 1) * sizeof *dealt));
  if (me.team->region != r || r < 0) { /* all on one thread */
    if (me.number == 0) for (; count < n; count++) dealt[count] = count;
  } else {
    struct construct *k = &region[r].construct[c];
    for (i32 i = 0; i < k->n; i++)
      if (k->processor[i] == me.processor) dealt[count++] = k->section[i];
  }
  *lower = 0;
  *upper = count - 1;
  *last = count > 0 && dealt[count - 1] == n - 1;
}
i32 __pathspan_run_pick(i32 i) { return dealt[i]; }

/* ---- worksharing loops ---- */

/* The loop that begins next is construct c of region r. */
void __pathspan_run_loop(i32 r, i32 c) {
  me.in_region = r;
  me.next = c;
}

/* The pool of the loop, which the first of its threads to come makes. */
static struct pool *pool_of(struct team *team, i32 number, const struct taker *t) {
  __pathspan_lock(&team->lock);
  struct pool *p = team->pools;
  while (p && p->number != number) p = p->next;
  if (!p) {
    p = need(calloc(1, sizeof *p));
    if (!__pathspan_fill(p, t)) need(0);
    p->number = number;
    p->left = t->threads;
    p->next = team->pools;
    team->pools = p;
  }
  __pathspan_unlock(&team->lock);
  return p;
}

/* The thread has done its part of the loop; the last one to be done takes the pool away. */
static void leave(void) {
  struct pool *p = me.loop.pool;
  struct team *team = me.team;
  me.loop.taker.thread = -1;
  me.loop.pool = 0;
  me.loop.ordered = 0;
  if (!p) return;
  __pathspan_lock(&team->lock);
  i32 left = --p->left;
  if (left == 0) {
    struct pool **at = &team->pools;
    while (*at != p) at = &(*at)->next;
    *at = p->next;
  }
  __pathspan_unlock(&team->lock);
  if (left) return;
  __pathspan_empty(p);
  free(p);
}

/* Where the mapping says nothing, the first thread does it all. */
static i32 only[1];
static const struct schedule undivided = {.kind = STATIC, .threads = 1, .processor = only};

static struct taker *begin_loop(i32 schedule, i64 chunk, u64 n, u64 first, u64 step) {
  struct loop *l = &me.loop;
  const struct schedule *s = &undivided;
  i32 thread = me.number == 0 ? 0 : -1, r = me.in_region, c = me.next;
  me.next = -1;
  if (c >= 0 && r >= 0 && me.team->region == r && c < region[r].constructs && region[r].construct[c].loop) {
    s = region[r].construct[c].loop;
    thread = s->threads - 1;
    while (thread >= 0 && s->processor[thread] != me.processor) thread--;
  }
  u64 given = s->chunk > 0 ? (u64)s->chunk : 0;
  if (s->chunk < 0 && __pathspan_chunked(schedule)) given = chunk > 0 ? (u64)chunk : 1;
  memset(l, 0, sizeof *l);
  __pathspan_take_part(&l->taker, s, thread, n, given);
  l->first = first;
  l->step = step;
  l->ordered = s->threads > 1 && __pathspan_ordered(schedule);
  i32 number = me.loops++;
  if (l->taker.thread >= 0 && (__pathspan_pooled(&l->taker) || l->ordered)) l->taker.pool = l->pool = pool_of(me.team, number, &l->taker);
  return &l->taker;
}

/* The next iterations of the thread, as values of the loop's variable; 0: there are none. */
static int next(i32 *last, u64 *lower, u64 *upper) {
  struct loop *l = &me.loop;
  u64 begin, end;
  if (!__pathspan_take(&l->taker, &begin, &end)) {
    leave();
    return 0;
  }
  if (end == l->taker.n && last) *last = 1;
  l->now = begin;
  *lower = l->first + begin * l->step;
  *upper = l->first + (end - 1) * l->step;
  return 1;
}

/* Loops whose code runs through one range. Where there is more for the thread, build/openmp
 * lets it run through the next. Code for chunks finds others at a stride by itself. */
#define STATIC_LOOP(SUFFIX, T, S)                                                            \
  i32 __pathspan_run_more_##SUFFIX(i32 *last, T *lower, T *upper, S *stride) {               \
    u64 from, to;                                                                            \
    if (!next(last, &from, &to)) return 0;                                                   \
    *lower = (T)from;                                                                        \
    *upper = (T)to;                                                                          \
    *stride = (S)(me.loop.taker.n * me.loop.step + me.loop.first - from); /* past the end */ \
    return 1;                                                                                \
  }                                                                                          \
  void __kmpc_for_static_init_##SUFFIX(ident_t *l, i32 g, i32 schedule, i32 *last, T *lower, T *upper, S *stride, S incr, S chunk) { \
    u64 first = (u64)*lower, step = (u64)incr;                                               \
    struct taker *t = begin_loop(schedule, chunk, TRIPS(*lower, *upper, incr), first, step); \
    if (last) *last = 0;                                                                     \
    if (t->kind == STATIC && __pathspan_chunked(schedule) && t->at < t->end) {               \
      *lower = (T)(first + t->at * step);                                                    \
      *upper = (T)(first + (t->at + t->length - 1) * step);                                  \
      *stride = (S)(t->step * step);                                                         \
      if (last) *last = (t->end - 1 - t->at) % t->step < t->length && t->end == t->n;        \
      leave();                                                                               \
      return;                                                                                \
    }                                                                                        \
    if (__pathspan_run_more_##SUFFIX(last, lower, upper, stride)) return;                    \
    *lower = (T)(first + step);                                                              \
    *upper = (T)first;                                                                       \
    *stride = incr;                                                                          \
  }
STATIC_LOOP(4, i32, i32)
STATIC_LOOP(4u, u32, i32)
STATIC_LOOP(8, i64, i64)
STATIC_LOOP(8u, u64, i64)

/* Loops whose code asks for ranges until there are none. */
#define DISPATCH(SUFFIX, T, S)                                                               \
  void __kmpc_dispatch_init_##SUFFIX(ident_t *l, i32 g, i32 schedule, T lower, T upper, S stride, S chunk) { \
    begin_loop(schedule, chunk, TRIPS(lower, upper, stride), (u64)lower, (u64)stride);       \
  }                                                                                          \
  i32 __kmpc_dispatch_next_##SUFFIX(ident_t *l, i32 g, i32 *last, T *lower, T *upper, S *stride) { \
    u64 from, to;                                                                            \
    if (!next(last, &from, &to)) return 0;                                                   \
    *lower = (T)from;                                                                        \
    *upper = (T)to;                                                                          \
    if (stride) *stride = (S)me.loop.step;                                                   \
    return 1;                                                                                \
  }                                                                                          \
  void __kmpc_dispatch_fini_##SUFFIX(ident_t *l, i32 g) { iterated(); }

/* ---- ordered: parts of iterations, one after another ---- */

static void my_turn(void) {
  struct pool *p = me.loop.pool;
  for (;;) {
    i32 seen = __atomic_load_n(&p->turns, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&p->turn, __ATOMIC_ACQUIRE) == me.loop.now) return;
    wait_for(&p->turns, seen, 0);
  }
}
static void pass(void) {
  struct pool *p = me.loop.pool;
  __atomic_store_n(&p->turn, me.loop.now + 1, __ATOMIC_RELEASE);
  __atomic_add_fetch(&p->turns, 1, __ATOMIC_SEQ_CST);
  me.loop.passed = 1;
  for (i32 i = 0; i < me.team->size; i++)
    if (me.team->member[i] != me.processor) notify(me.team->member[i]);
}
void __kmpc_ordered(ident_t *l, i32 g) {
  if (me.loop.ordered && me.loop.pool) my_turn();
}
void __kmpc_end_ordered(ident_t *l, i32 g) {
  if (me.loop.ordered && me.loop.pool) pass();
}
/* An iteration of an ordered loop ends, which may have had no ordered part. */
static void iterated(void) {
  if (!me.loop.ordered || !me.loop.pool) return;
  if (!me.loop.passed) {
    my_turn();
    pass();
  }
  me.loop.passed = 0;
  me.loop.now++;
}
DISPATCH(4, i32, i32)
DISPATCH(4u, u32, i32)
DISPATCH(8, i64, i64)
DISPATCH(8u, u64, i64)

/* ---- synchronisation ---- */

static void barrier(void) {
  struct team *t = me.team;
  if (t->size == 1) return;
  i32 generation = __atomic_load_n(&t->generation, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&t->arrived, 1, __ATOMIC_ACQ_REL) == t->size) {
    __atomic_store_n(&t->arrived, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&t->generation, generation + 1, __ATOMIC_SEQ_CST);
    for (i32 i = 0; i < t->size; i++)
      if (t->member[i] != me.processor) notify(t->member[i]);
    return;
  }
  wait_for(&t->generation, generation, 0);
}

i32 __kmpc_global_thread_num(ident_t *l) { return me.number; }
i32 __kmpc_global_num_threads(ident_t *l) { return me.team->size; }
i32 __kmpc_bound_thread_num(ident_t *l) { return me.number; }
i32 __kmpc_bound_num_threads(ident_t *l) { return me.team->size; }
i32 __kmpc_in_parallel(ident_t *l) { return me.team->size > 1; }
void __kmpc_barrier(ident_t *l, i32 g) { barrier(); }
i32 __kmpc_barrier_master(ident_t *l, i32 g) {
  barrier();
  return me.number == 0;
}
i32 __kmpc_barrier_master_nowait(ident_t *l, i32 g) {
  barrier();
  return me.number == 0;
}
i32 __kmpc_cancel_barrier(ident_t *l, i32 g) {
  barrier();
  return 0;
}
i32 __kmpc_master(ident_t *l, i32 g) { return me.number == 0; }
i32 __kmpc_masked(ident_t *l, i32 g, i32 filter) { return me.number == filter; }
i32 __kmpc_single(ident_t *l, i32 g) {
  i32 n = me.singles++, seen = n;
  return me.team->size == 1 || __atomic_compare_exchange_n(&me.team->singles, &seen, n + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
void __kmpc_critical(ident_t *l, i32 g, lock_t *c) { __pathspan_lock(&(*c)[0]); }
void __kmpc_critical_with_hint(ident_t *l, i32 g, lock_t *c, u32 h) { __pathspan_lock(&(*c)[0]); }
void __kmpc_end_critical(ident_t *l, i32 g, lock_t *c) { __pathspan_unlock(&(*c)[0]); }
void __kmpc_copyprivate(ident_t *l, i32 g, size_t n, void *data, void (*copy)(void *, void *), i32 did) {
  struct team *t = me.team;
  if (did) __atomic_store_n(&t->copied, data, __ATOMIC_RELEASE);
  barrier();
  if (!did && t->size > 1) copy(data, __atomic_load_n(&t->copied, __ATOMIC_ACQUIRE));
  barrier();
}
void *__kmpc_copyprivate_light(ident_t *l, i32 g, void *data) {
  struct team *t = me.team;
  if (data) __atomic_store_n(&t->copied, data, __ATOMIC_RELEASE);
  barrier();
  return __atomic_load_n(&t->copied, __ATOMIC_ACQUIRE);
}
/* Each thread adds its part itself, one at a time. */
i32 __kmpc_reduce(ident_t *l, i32 g, i32 n, size_t size, void *data, void (*f)(void *, void *), lock_t *c) {
  __pathspan_lock(&(*c)[0]);
  return 1;
}
i32 __kmpc_reduce_nowait(ident_t *l, i32 g, i32 n, size_t size, void *data, void (*f)(void *, void *), lock_t *c) {
  return __kmpc_reduce(l, g, n, size, data, f, c);
}
void __kmpc_end_reduce(ident_t *l, i32 g, lock_t *c) {
  __pathspan_unlock(&(*c)[0]);
  barrier();
}
void __kmpc_end_reduce_nowait(ident_t *l, i32 g, lock_t *c) { __pathspan_unlock(&(*c)[0]); }
static i32 wide;
void __kmpc_atomic_start(void) { __pathspan_lock(&wide); }
void __kmpc_atomic_end(void) { __pathspan_unlock(&wide); }

/* ---- thread-private data: the serial processor has the original ---- */

struct copy {
  struct copy *next;
  void *data, *mine;
};
static __thread struct copy *copies;
struct maker {
  struct maker *next;
  void *data;
  void *(*make)(void *);
};
static struct maker *makers;

void *__kmpc_threadprivate(ident_t *l, i32 g, void *data, size_t n) {
  if (me.processor == serial) return data;
  for (struct copy *c = copies; c; c = c->next) if (c->data == data) return c->mine;
  struct copy *c = need(malloc(sizeof *c));
  c->mine = need(malloc(n ? n : 1));
  c->data = data;
  c->next = copies;
  copies = c;
  struct maker *m = makers;
  while (m && m->data != data) m = m->next;
  if (m && m->make) m->make(c->mine);
  else memcpy(c->mine, data, n);
  return c->mine;
}
void *__kmpc_threadprivate_cached(ident_t *l, i32 g, void *data, size_t n, void ***cache) {
  return __kmpc_threadprivate(l, g, data, n);
}
void __kmpc_threadprivate_register(ident_t *l, void *d, void *c, void *cc, void *dt) {
  struct maker *m = need(malloc(sizeof *m));
  m->data = d;
  m->make = (void *(*)(void *))c;
  m->next = makers;
  makers = m;
}

/* ---- the user's interface (omp.h) ---- */

int omp_get_thread_num(void) { return me.number; }
int omp_get_num_threads(void) { return me.team->size; }
int omp_in_parallel(void) { return me.spread; }
int omp_get_level(void) { return me.team != &alone; }
int omp_get_active_level(void) { return me.spread; }
int omp_get_ancestor_thread_num(int l) { return l == 0 ? 0 : me.number; }
int omp_get_team_size(int l) { return l == 0 ? 1 : me.team->size; }
void omp_init_lock(omp_lock_t *l) { l->held = 0; }
void omp_init_lock_with_hint(omp_lock_t *l, int h) { l->held = 0; }
void omp_destroy_lock(omp_lock_t *l) {}
void omp_set_lock(omp_lock_t *l) { __pathspan_lock((i32 *)(void *)l); }
void omp_unset_lock(omp_lock_t *l) { __pathspan_unlock((i32 *)(void *)l); }
int omp_test_lock(omp_lock_t *l) { return !__atomic_exchange_n((i32 *)(void *)l, 1, __ATOMIC_ACQUIRE); }
/* The low half of a nested lock is its depth, the high half its owner plus one. */
static i32 *halves(omp_nest_lock_t *l) { return (i32 *)(void *)l; }
int omp_test_nest_lock(omp_nest_lock_t *l) {
  i32 none = 0, *h = halves(l);
  if (__atomic_load_n(&h[1], __ATOMIC_ACQUIRE) == me.processor + 1 ||
      __atomic_compare_exchange_n(&h[1], &none, me.processor + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return ++h[0];
  return 0;
}
void omp_init_nest_lock(omp_nest_lock_t *l) { l->held = 0; }
void omp_init_nest_lock_with_hint(omp_nest_lock_t *l, int h) { l->held = 0; }
void omp_destroy_nest_lock(omp_nest_lock_t *l) {}
void omp_set_nest_lock(omp_nest_lock_t *l) {
  for (i32 n = 0; !omp_test_nest_lock(l); n++)
    if (n < spin) pause_();
    else sched_yield();
}
void omp_unset_nest_lock(omp_nest_lock_t *l) {
  i32 *h = halves(l);
  if (--h[0] == 0) __atomic_store_n(&h[1], 0, __ATOMIC_RELEASE);
}

/* ---- the start ---- */

static void pin(i32 processor) {
  cpu_set_t set;
  if (cpu[processor] < 0) return;
  CPU_ZERO(&set);
  CPU_SET((size_t)cpu[processor], &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) die("a thread cannot be pinned to its processor");
}

static void *work(void *arg) {
  static const i32 never;
  me.processor = (i32)(intptr_t)arg;
  me.team = &alone;
  pin(me.processor);
  wait_for(&never, 0, 0);
  return 0;
}

static i32 number(FILE *f) {
  int v;
  if (fscanf(f, "%d", &v) != 1) die("PATHSPAN_MAPPING names a file that cannot be read");
  return v;
}

static void word(FILE *f, const char *want) {
  char got[16];
  if (fscanf(f, "%15s", got) != 1 || strcmp(got, want) != 0) die("PATHSPAN_MAPPING names a file that cannot be read");
}

static i32 *numbers(i32 n) { return need(calloc((size_t)(n > 0 ? n : 1), sizeof(i32))); }

static void join(struct region *g, i32 p) {
  i32 known = 0;
  if (p < 0 || p >= processors) die("PATHSPAN_MAPPING names a processor that there is not");
  for (i32 j = 0; j < g->members; j++) known |= g->member[j] == p;
  if (!known) g->member[g->members++] = p;
}

static struct schedule *read_loop(FILE *f, struct region *g) {
  static const char *const kinds[] = {"static", "weighted", "dynamic", "stealing", "guided", "auto"};
  struct schedule *s = need(calloc(1, sizeof *s));
  char kind[16];
  int found = 0;
  long long chunk;
  if (fscanf(f, "%15s %lld", kind, &chunk) != 2) die("PATHSPAN_MAPPING names a file that cannot be read");
  for (int k = STATIC; k <= AUTO; k++)
    if (strcmp(kind, kinds[k]) == 0) {
      s->kind = (enum kind)k;
      found = 1;
    }
  s->chunk = chunk;
  s->threads = number(f);
  if (!found || s->threads < 1 || s->threads > processors) die("PATHSPAN_MAPPING names a file that cannot be read");
  s->processor = numbers(s->threads);
  s->share = need(calloc((size_t)s->threads, sizeof *s->share));
  for (i32 i = 0; i < s->threads; i++) {
    join(g, s->processor[i] = number(f));
    if (s->kind == WEIGHTED && fscanf(f, "%lf", &s->share[i]) != 1) die("PATHSPAN_MAPPING names a file that cannot be read");
  }
  return s;
}

static void read_region(FILE *f, struct region *g) {
  g->member = numbers(processors);
  word(f, "explicit");
  g->named = number(f);
  word(f, "constructs");
  g->constructs = number(f);
  g->construct = need(calloc((size_t)(g->constructs + 1), sizeof *g->construct));
  for (i32 c = 0; c < g->constructs; c++) {
    struct construct *k = &g->construct[c];
    char what[16] = "";
    if (fscanf(f, "%15s", what) == 1 && strcmp(what, "loop") == 0) {
      k->loop = read_loop(f, g);
      continue;
    }
    if (strcmp(what, "construct") != 0) die("PATHSPAN_MAPPING names a file that cannot be read");
    k->n = number(f);
    k->section = numbers(k->n);
    k->processor = numbers(k->n);
    for (i32 i = 0; i < k->n; i++) {
      k->section[i] = number(f);
      join(g, k->processor[i] = number(f));
    }
  }
}

__attribute__((constructor(101))) static void start(void) {
  const char *name = getenv("PATHSPAN_MAPPING");
  FILE *f = name ? fopen(name, "r") : 0;
  if (name && !f) die("PATHSPAN_MAPPING names a file that cannot be opened");
  if (f) {
    word(f, "processors");
    processors = number(f);
    word(f, "serial");
    serial = number(f);
    word(f, "spin");
    spin = number(f);
    word(f, "regions");
    regions = number(f);
    if (processors < 1 || serial < 0 || serial >= processors || regions < 0) die("PATHSPAN_MAPPING names a file that cannot be read");
  }
  cpu = numbers(processors);
  for (i32 p = 0; p < processors; p++) cpu[p] = -1;
  if (f) {
    for (i32 p = 0; p < processors; p++) {
      word(f, "cpu");
      cpu[p] = number(f);
    }
    region = need(calloc((size_t)(regions + 1), sizeof *region));
    for (i32 r = 0; r < regions; r++) {
      word(f, "region");
      read_region(f, &region[r]);
    }
    fclose(f);
  }
  unsetenv("PATHSPAN_MAPPING");
  inboxes = need(aligned_alloc(128, (size_t)processors * sizeof *inboxes));
  memset(inboxes, 0, (size_t)processors * sizeof *inboxes);
  me.processor = serial;
  alone.owner = serial;
  if (f) pin(serial);
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, (size_t)64 << 20);
  for (i32 p = 0; p < processors; p++) {
    pthread_t t;
    if (p != serial && pthread_create(&t, &attr, work, (void *)(intptr_t)p) != 0) die("a thread cannot be started");
  }
}
