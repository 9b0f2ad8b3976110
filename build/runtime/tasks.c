/* This file is explicit tasks on one thread: they run where they are created, which is an
 * order that their dependences allow, since those point at elder siblings alone. What is
 * known of each when it begins is kept for whoever keeps or streams events (tasks.h).
 *
 * build/openmp calls a task's function itself, between marks, so that paths and costs see a
 * call like any other; what it cannot see through comes to __kmpc_omp_task. Which elder
 * siblings a task waits for is found by the addresses of its dependences, as libomp finds
 * it (openmp/runtime/src/kmp_taskdeps.cpp). */
#include "tasks.h"
#include "openmp.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct task {
  void *shareds;
  i32 (*routine)(i32, struct task *);
  i32 part;
  void *data1, *data2;
} task_t;

/* Stands before each task. */
struct head {
  size_t size, shareds;      /* bytes of the task, and where in it the shared variables are, 0 for none */
  i32 flags;
} __attribute__((aligned(16)));

enum { FINAL = 2, MERGED = 4 }; /* flags (kmp.h) */
enum { IN = 1, OUT = 2, MUTEXINOUTSET = 4, INOUTSET = 8 };

typedef struct {
  intptr_t address;
  size_t length;
  unsigned char flags;
} dep_t;

/* memory.c: what was there is no task's any more. */
void __pathspan_renew(u64 address, u64 size, u32 object) __attribute__((weak));
/* Where replayed programs tell of accesses: memory of zeros for a task, 0 for none, and that it is one's now. */
void *__pathspan_task_memory(size_t bytes) __attribute__((weak));
void __pathspan_task_made(void *block, size_t bytes) __attribute__((weak));

static void out_of_memory(void) {
  static const char m[] = "pathspan: out of memory for tasks\n";
  if (write(2, m, sizeof m - 1)) {}
  abort();
}

static void *more(void *p, size_t bytes) {
  if (!(p = realloc(p, bytes))) out_of_memory();
  return p;
}

/* ---- siblings and their dependences ---- */

/* Siblings that a task with a dependence on an address may wait for: numbers, from 1. */
struct set {
  u32 count, room;
  u32 *of;
};
struct address {
  intptr_t at;
  u32 used;                  /* a number of the table's, so that tables are emptied at once */
  u32 out;                   /* the last that writes, 0 for none */
  unsigned char kind;        /* of those in last */
  struct set last, before;   /* those since then that may run at the same time; those before them */
};
struct table {
  struct address *slot;
  u32 slots, count, used;
};

/* A task under way, or the program outside of all. */
struct frame {
  u32 born;                  /* children that were deferred */
  int final;
  struct table table;
};

static struct frame *frames;
static u32 depth, room;      /* frames under way but for the first; frames that there are */
static u32 included;         /* tasks under way inside of a final one */
static int final;            /* one is under way */
static struct spawn next, waiting;
static u32 *distances;
static u32 distance_count, distance_room;

static struct frame *frame(u32 i) {
  if (i >= room) {
    u32 n = room ? 2 * room : 64;
    while (n <= i) n *= 2;
    frames = more(frames, n * sizeof *frames);
    memset(frames + room, 0, (n - room) * sizeof *frames);
    room = n;
  }
  return &frames[i];
}

static void add(struct set *s, u32 number) {
  if (s->count == s->room) s->of = more(s->of, (s->room = s->room ? 2 * s->room : 4) * sizeof *s->of);
  s->of[s->count++] = number;
}

static struct address *find(struct table *t, intptr_t at);

static void grow(struct table *t) {
  struct table old = *t;
  t->slots = old.slots ? 2 * old.slots : 64;
  if (!(t->slot = calloc(t->slots, sizeof *t->slot))) out_of_memory();
  t->count = 0;
  t->used = 1;
  for (u32 i = 0; i < old.slots; i++) {
    struct address *a = &old.slot[i];
    if (a->used == old.used) {
      struct address *b = find(t, a->at);
      *b = *a;
      b->used = t->used;
    } else {
      free(a->last.of);
      free(a->before.of);
    }
  }
  free(old.slot);
}

static struct address *find(struct table *t, intptr_t at) {
  if (4 * (t->count + 1) > 3 * t->slots) grow(t);
  u32 i = (u32)(((u64)at * 0x9e3779b97f4a7c15u) >> 33) % t->slots;
  for (;; i = (i + 1) % t->slots) {
    struct address *a = &t->slot[i];
    if (a->used == t->used && a->at == at) return a;
    if (a->used == t->used) continue;
    a->at = at;
    a->used = t->used;
    a->out = a->kind = 0;
    a->last.count = a->before.count = 0;
    t->count++;
    return a;
  }
}

static void wait_for(const struct frame *f, u32 number) {
  if (distance_count == distance_room) distances = more(distances, (distance_room = distance_room ? 2 * distance_room : 64) * sizeof *distances);
  distances[distance_count++] = f->born + 1 - number;
}

static void wait_for_all(const struct frame *f, const struct set *s) {
  for (u32 i = 0; i < s->count; i++) wait_for(f, s->of[i]);
}

/* Finds what a task of the frame waits for; number is what it will be, 0 for one that
 * nobody waits for. A write waits for all that reads, or may run at the same time, since the
 * last write, or else for that write. Those of one kind that is no write run at the same
 * time; they wait for the write before, or for those of the kind before. Those of
 * mutexinoutset run in any order, and one at a time: they are taken to be writes, in this order. */
static void depend(struct frame *f, u32 number, i32 n, const dep_t *d) {
  for (i32 i = 0; i < n; i++) {
    struct address *a = find(&f->table, d[i].address);
    unsigned char kind = d[i].flags & INOUTSET;
    if (!kind) kind = d[i].flags & (OUT | MUTEXINOUTSET) ? OUT : IN;
    if (kind == OUT) {
      if (a->last.count) wait_for_all(f, &a->last);
      else if (a->out) wait_for(f, a->out);
      if (!number) continue;
      a->last.count = a->before.count = 0;
      a->out = number;
      a->kind = 0;
      continue;
    }
    if (a->last.count && a->kind != kind) {
      wait_for_all(f, &a->last);
      if (!number) continue;
      struct set spare = a->before;
      a->before = a->last;
      a->last = spare;
      a->last.count = 0;
      a->out = 0;
    } else {
      wait_for_all(f, &a->before);
      if (a->out) wait_for(f, a->out);
    }
    if (!number) continue;
    a->kind = kind;
    add(&a->last, number);
  }
}

static int ascending(const void *a, const void *b) {
  u32 x = *(const u32 *)a, y = *(const u32 *)b;
  return (x > y) - (x < y);
}

/* Fills what is waited for by dependences of two lists. */
static void depends(struct spawn *s, u32 number, i32 n, const dep_t *d, i32 m, const dep_t *e) {
  struct frame *f = frame(depth);
  distance_count = 0;
  depend(f, number, n, d);
  depend(f, number, m, e);
  u32 out = 0;
  if (distance_count) qsort(distances, distance_count, sizeof *distances, ascending);
  for (u32 i = 0; i < distance_count; i++)
    if (distances[i] && (out == 0 || distances[out - 1] != distances[i])) distances[out++] = distances[i];
  s->waits = out;
  s->distance = distances;
}

/* ---- what libraries ask ---- */

int __pathspan_task_included(void) { return final; }

const struct spawn *__pathspan_task_begins(void) {
  if (__pathspan_task_included()) {
    included++;
    return 0;
  }
  struct frame *f = frame(++depth);
  f->born = 0;
  f->final = next.final;
  final |= next.final;
  f->table.used++;
  f->table.count = 0;
  return &next;
}

const struct spawn *__pathspan_task_spawned(void) { return final ? 0 : &next; }
const struct spawn *__pathspan_task_awaited(void) { return final ? 0 : &waiting; }

int __pathspan_task_ends(void) {
  if (included) {
    included--;
    return 0;
  }
  if (depth == 0) return 0;
  if (frames[depth--].final) final = 0;
  return 1;
}

const struct spawn *__pathspan_task_waits(void) {
  return __pathspan_task_included() ? 0 : &waiting;
}

/* ---- what build/openmp calls ---- */

/* A task is about to begin, which waits by two lists of dependences. */
void __pathspan_task(task_t *t, i32 n, const dep_t *d, i32 m, const dep_t *e, i32 undeferred) {
  struct head *h = (struct head *)t - 1;
  if (__pathspan_task_included()) return;
  next.undeferred = undeferred || h->flags & MERGED;
  next.final = (h->flags & FINAL) != 0;
  next.waits = 0;
  if (next.undeferred) return;
  struct frame *f = frame(depth);
  if (n || m) depends(&next, f->born + 1, n, d, m, e);
  f->born++;
}

/* Memory of tasks that are over, by size: most programs make tasks of few sizes. */
enum { SPARE_STEP = 64, SPARE_SIZES = 16 };
static __thread struct head *spare[SPARE_SIZES];

static struct head *new_task(size_t size) {
  size_t step = size / SPARE_STEP;
  struct head *h = step < SPARE_SIZES ? spare[step] : 0;
  if (h) {
    spare[step] = *(struct head **)(h + 1);
    memset(h, 0, sizeof *h + size);
  } else {
    size_t bytes = sizeof *h + (step + 1) * SPARE_STEP;
    h = __pathspan_task_memory && step < SPARE_SIZES ? __pathspan_task_memory(bytes) : 0;
    if (!h && !(h = calloc(1, bytes))) out_of_memory();
  }
  if (__pathspan_task_made) __pathspan_task_made(h, sizeof *h + size);
  h->size = size;
  if (__pathspan_renew) __pathspan_renew((u64)h, sizeof *h + size, 0);
  return h;
}

/* It is over, and nobody has it any more. */
void __pathspan_task_over(task_t *t) {
  struct head *h = (struct head *)t - 1;
  size_t step = h->size / SPARE_STEP;
  if (step >= SPARE_SIZES) {
    free(h);
    return;
  }
  *(struct head **)t = spare[step];
  spare[step] = h;
}

/* A taskwait is about to be met, which waits by dependences if it has some. */
void __pathspan_taskwait(i32 n, const dep_t *d, i32 m, const dep_t *e) {
  waiting.waits = 0;
  waiting.undeferred = n || m;
  if (waiting.undeferred && !__pathspan_task_included()) depends(&waiting, 0, n, d, m, e);
}

/* A taskloop is split as libomp splits it (kmp_tasking.cpp, __kmp_taskloop). Without a
 * clause that says how, it makes ten tasks a thread; how many threads there will be is not
 * known here, and taken to be four. */
enum { UNSAID_TASKS = 40 };
struct taskloop {
  task_t *pattern;
  size_t lower, upper;       /* where its bounds are in the task */
  u64 at, tasks, size, larger; /* tasks that are left, iterations of one, how many have one more */
  i64 stride;
  i32 undeferred;
  void (*dup)(task_t *, task_t *, i32);
};
static struct taskloop *taskloops;
static u32 taskloop_count, taskloop_room;

void __pathspan_taskloop(task_t *t, i32 if_, u64 *lb, u64 *ub, i64 st, i32 sched, u64 grain, void *dup) {
  if (taskloop_count == taskloop_room) taskloops = more(taskloops, (taskloop_room = taskloop_room ? 2 * taskloop_room : 8) * sizeof *taskloops);
  struct taskloop *l = &taskloops[taskloop_count++];
  u64 n = TRIPS((i64)*lb, (i64)*ub, st);
  *l = (struct taskloop){.pattern = t, .lower = (size_t)((char *)lb - (char *)t), .upper = (size_t)((char *)ub - (char *)t),
                         .at = *lb, .stride = st, .undeferred = !if_, .dup = (void (*)(task_t *, task_t *, i32))dup};
  if (n == 0) return;
  if (sched == 1) l->tasks = grain >= n || grain == 0 ? 1 : n / grain;
  else l->tasks = sched == 2 && grain ? grain : UNSAID_TASKS;
  if (l->tasks > n) l->tasks = n;
  l->size = n / l->tasks;
  l->larger = n % l->tasks;
}

static task_t *copy_of(task_t *t) {
  struct head *h = (struct head *)t - 1;
  struct head *g = new_task(h->size);
  memcpy(g, h, sizeof *g + h->size);
  task_t *c = (task_t *)(g + 1);
  if (h->shareds) c->shareds = (char *)c + h->shareds;
  return c;
}

/* The next task of the taskloop that began last, null where it has no more. */
task_t *__pathspan_taskloop_next(void) {
  struct taskloop *l = &taskloops[taskloop_count - 1];
  if (l->tasks == 0) {
    __pathspan_task_over(l->pattern);
    taskloop_count--;
    return 0;
  }
  u64 n = l->size;
  if (l->larger) {
    l->larger--;
    n++;
  }
  task_t *t = copy_of(l->pattern);
  *(u64 *)((char *)t + l->lower) = l->at;
  *(u64 *)((char *)t + l->upper) = l->at + (n - 1) * (u64)l->stride;
  l->at += n * (u64)l->stride;
  l->tasks--;
  if (l->dup) l->dup(t, l->pattern, l->tasks == 0);
  __pathspan_task(t, 0, 0, 0, 0, l->undeferred);
  return t;
}

/* ---- the run-time interface ---- */

task_t *__kmpc_omp_task_alloc(ident_t *l, i32 g, i32 flags, size_t size, size_t shareds, i32 (*f)(i32, task_t *)) {
  size_t at = (size + 15) & ~(size_t)15;
  struct head *h = new_task(at + shareds);
  h->shareds = shareds ? at : 0;
  h->flags = flags;
  task_t *t = (task_t *)(h + 1);
  t->shareds = shareds ? (char *)t + at : 0;
  t->routine = f;
  return t;
}
task_t *__kmpc_omp_target_task_alloc(ident_t *l, i32 g, i32 flags, size_t size, size_t shareds, i32 (*f)(i32, task_t *), i64 dev) {
  return __kmpc_omp_task_alloc(l, g, flags, size, shareds, f);
}
i32 __kmpc_omp_task(ident_t *l, i32 g, task_t *t) {
  t->routine(g, t);
  return 0;
}
i32 __kmpc_omp_task_with_deps(ident_t *l, i32 g, task_t *t, i32 n, void *d, i32 m, void *e) {
  return __kmpc_omp_task(l, g, t);
}
void __kmpc_omp_task_begin_if0(ident_t *l, i32 g, task_t *t) {}
void __kmpc_omp_task_complete_if0(ident_t *l, i32 g, task_t *t) {}
void __kmpc_omp_wait_deps(ident_t *l, i32 g, i32 n, void *d, i32 m, void *e) {}
void __kmpc_omp_taskwait_deps_51(ident_t *l, i32 g, i32 n, void *d, i32 m, void *e, i32 w) {}
i32 __kmpc_omp_taskwait(ident_t *l, i32 g) { return 0; }
i32 __kmpc_omp_taskyield(ident_t *l, i32 g, int e) { return 0; }
void __kmpc_taskgroup(ident_t *l, i32 g) {}
void __kmpc_end_taskgroup(ident_t *l, i32 g) {}
void __kmpc_taskloop(ident_t *l, i32 g, task_t *t, i32 v, u64 *lb, u64 *ub, i64 st, i32 ng, i32 s, u64 gr, void *dup) {
  __kmpc_omp_task(l, g, t);
}
void __kmpc_taskloop_5(ident_t *l, i32 g, task_t *t, i32 v, u64 *lb, u64 *ub, i64 st, i32 ng, i32 s, u64 gr, i32 m, void *dup) {
  __kmpc_taskloop(l, g, t, v, lb, ub, st, ng, s, gr, dup);
}
/* Programs ask this to stop making tasks. */
int omp_in_final(void) { return __pathspan_task_included(); }

/* Task reductions: the items are reduced in place. */
struct red {
  void *shared, *orig;
  size_t size;
  void *init, *fini, *comb;
  u32 flags;
};
void *__kmpc_taskred_init(i32 g, i32 n, void *data) { return data; }
void *__kmpc_task_reduction_init(i32 g, i32 n, void *data) { return data; }
void *__kmpc_taskred_modifier_init(ident_t *l, i32 g, i32 ws, i32 n, void *data) { return data; }
void __kmpc_task_reduction_modifier_fini(ident_t *l, i32 g, i32 ws) {}
void *__kmpc_task_reduction_get_th_data(i32 g, void *tg, void *data) { return data; }
