/* What is told of the program's cells is worked off a batch at a time: by a thread of ours, while the program goes on, where it may run
 * on two processors or more, and else by the program's own. The other thread is none of the C library's, which
 * goes on as in programs of one thread, and calls nothing of it. PATHSPAN_MEMORY_THREAD=off leaves it out. */
#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#ifdef LINES_ARE_MAPPED
struct told *__pathspan_next_told __attribute__((aligned(128)));
static struct told *next_done;   /* the first of the batch under way that is not worked off */
static char *batches;

static void other(u64 what, u64 where) {
  struct cell *c = (struct cell *)(uintptr_t)((where << 16 >> 16) - OTHER);
  u64 low = what << 16 >> 16, more = what >> MORE_AT;
  struct site *s = (struct site *)(uintptr_t)low;
  switch (where >> OTHER_AT) {
  case READ_CELLS: __pathspan_read_cells(s, c, more & 127, more >> 7 & 3, (u32)(more >> 9)); break;
  case WRITE_CELLS: __pathspan_write_cells(s, c, more & 127, more >> 7 & 3, (u32)(more >> 9)); break;
  case SPLIT: __pathspan_split_cells(low, c, more & 3, (u32)(more >> 2)); break;
  case RENEW: __pathspan_renew_cells((u32)low, c, (u32)more); break;
  case HOLDS: __pathspan_met.here = what << 32; break;
  case LOOP_BEGIN: __pathspan_met_begin((u32)what, (u32)(what >> 32)); break;
  case LOOP_LEFT: __pathspan_met_left((u32)what); break;
  }
}
static void next(u64 level, u64 where) { __pathspan_met_next((u32)level); }

/* By the lowest bits of where. */
static void (*const by_kind[16])(u64 what, u64 where) = {
#define ENTRY_one(what, WHAT, each, log) [ACCESS(WHAT, ONE_CELL, log)] = __pathspan_##what##_one##each,
#define ENTRY_two(what, WHAT, each, log) [ACCESS(WHAT, TWO_CELLS, log)] = __pathspan_##what##_two##each,
#define ENTRY(what, WHAT, many, each, log) ENTRY_##many(what, WHAT, each, log)
  EACH_ACCESS(ENTRY, read, READ) EACH_ACCESS(ENTRY, write, WRITE)
  [OTHER] = other, [NEXT] = next,
};

static ALWAYS void work_off(const struct told *t) { by_kind[t->where & 15](t->what, t->where); }

/* work_off_rest works off what is told of the batch under way. A handler of a signal may come amid it: it works off what is left, or
 * leaves by a jump, and what comes behind that does. */
static void work_off_rest(void) {
  while (next_done < __pathspan_next_told) work_off(next_done++);
}

static void begin_batch(char *at) { __pathspan_next_told = next_done = (struct told *)(void *)at; }

/* Of the batches one is under way and one is left free, for handlers of signals that come as it is handed over. */
enum { BATCHES = 16, STACK = 1 << 18, PAUSES = 200 };

static enum { NOT_ASKED, RUNS, NONE } thread;

/* What both threads know. A counter is changed by one of them; the other may sleep until it is. */
struct counter {
  u32 count, awaited;
} __attribute__((aligned(128)));
static struct both {
  struct counter given, done;    /* batches */
  u32 alive;                     /* 0 in a child of fork, which has no such thread */
} *both;

static ALWAYS long futex(u32 *word, int what, u32 value) {
  register long timeout __asm__("r10") = 0;
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_futex), "D"(word), "S"(what), "d"(value), "r"(timeout) : "rcx", "r11", "memory");
  return result;
}

static ALWAYS u32 now(const u32 *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }

/* await returns what a counter is once that is not a value any more. */
static u32 await(struct counter *c, u32 not) {
  enum { WAIT = 128 };           /* of this process alone */
  for (u32 i = 0; i < PAUSES && now(&c->count) == not; i++) __builtin_ia32_pause();
  while (now(&c->count) == not) {
    __atomic_store_n(&c->awaited, 1, __ATOMIC_SEQ_CST);
    if (now(&c->count) == not) futex(&c->count, WAIT, not);
    __atomic_store_n(&c->awaited, 0, __ATOMIC_SEQ_CST);
  }
  return now(&c->count);
}

static void count(struct counter *c) {
  enum { WAKE = 129 };
  __atomic_fetch_add(&c->count, 1, __ATOMIC_SEQ_CST);
  if (now(&c->awaited)) futex(&c->count, WAKE, 1);
}

static char *batch(u32 number) { return batches + (u64)BATCH * (number % BATCHES); }

static int work(void *none) {
  for (u32 done = 0;; done++) {
    await(&both->given, done);
    const char *at = batch(done);
    for (const struct told *t = (const struct told *)(const void *)at, *end = t + BATCH / sizeof *t; t < end; t++) work_off(t);
    count(&both->done);
  }
}

static int may_have_thread(void) {
  const char *s = getenv("PATHSPAN_MEMORY_THREAD");
  cpu_set_t set;
  if (s && !strcmp(s, "off")) return 0;
  return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 1;
}

__attribute__((constructor(101))) static void begin(void) {
  int error = errno;
  if (may_have_thread()) {
    batches = __pathspan_reserve((BATCHES + 2) * (u64)BATCH);
    batches += -(uintptr_t)batches & (BATCH - 1);
    begin_batch(batches);
  }
  errno = error;
}

static sigset_t block(void) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  return before;
}
static void unblock(sigset_t before) { sigprocmask(SIG_SETMASK, &before, 0); }

/* at_once lets what is told from now on be worked off as it is told. */
static void at_once(void) {
  thread = NONE;
  __pathspan_next_told = next_done = 0;
}

/* start makes the thread, which has no signals of the program's. */
static void start(void) {
  int error = errno;           /* the program's */
  both = __pathspan_reserve(sizeof *both);
  char *stack = __pathspan_reserve(STACK);
  if (!madvise(both, 4096, MADV_WIPEONFORK)) {
    both->alive = 1;
    if (clone(work, stack + STACK, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, 0) > 0) thread = RUNS;
  }
  errno = error;
}

/* hand_over has a batch worked off. In a child of fork that writes no profile nobody does. */
void __pathspan_hand_over(void) {
  sigset_t before = block();
  if (thread == NOT_ASKED) start();
  if (thread != RUNS) {
    work_off_rest();
    at_once();
  } else if (both->alive && next_done == (struct told *)(void *)batch(both->given.count)) {
    u32 next = both->given.count + 1;
    for (u32 done = now(&both->done.count); next - done > BATCHES - 2;) done = await(&both->done, done);
    begin_batch(batch(next));
    count(&both->given);
  } else {
    __pathspan_settle();
  }
  unblock(before);
}

void __pathspan_settle(void) {
  /* Where threads begin and end lanes more often than batches are full, the other thread has little to do. */
  enum { MANY = 1 << 12 };
  static u32 settled;
  if (!__pathspan_next_told) return;
  u32 given = 0;
  if (thread == RUNS) {
    given = both->given.count;
    if (!both->alive) {
      begin_batch(batch(given));
      return;
    }
    u32 done = now(&both->done.count);
    if (done != given) {
      sigset_t before = block();
      while (done != given) done = await(&both->done, done);
      unblock(before);
    }
  }
  work_off_rest();
  if (++settled >= MANY && settled / 4 > given) at_once();
  else begin_batch(batch(given));
}

/* A child of fork that goes on from a time when all was settled has no thread. */
void __pathspan_told_by_one(void) {
  if (thread == RUNS && !both->alive) at_once();
}
#endif
