/* The run-time library of programs that are replayed: it streams what happens, in
 * order, to pathspan, which simulates mappings as the program runs.
 *
 * The stream goes to the descriptor that PATHSPAN_EVENTS names. An event is a 64-bit
 * word (kind in the top 8 bits, then region 24, construct 16, section 16), followed
 * by one word a meter: what it counted since the event before. Behind the begin of a
 * worksharing loop come words that hold a number in their low 56 bits: of kind 8, how many
 * iterations it has, and of kind 9, how many a chunk has, if one was given. Of kind 16, a lock
 * is taken: its number in place of the region, and which of that name in place of the
 * section; of kind 17, the last one is released. Of kind 18, something is updated atomically: the
 * number of its line in the low 32 bits. Behind the begin of a task, and behind a
 * taskwait, come words of kind 30, each with how many tasks before it
 * one was created that it waits for by its dependences; section is 1 for a task whose creator
 * goes on behind it, and for a taskwait that waits by dependences alone. An event of kind 40
 * tells of accesses to memory in place of meters, 0 for none (accesses.c). Kind 255 ends
 * the stream; a stream without it was cut off. Words are little-endian. */
#define _GNU_SOURCE
#include "accesses.h"
#include "executions.h"
#include "library.h"
#include "tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { WORDS = 1 << 13, MOST = 256 }; /* MOST: meters, held to by build/probe */
static u64 buffer[WORDS];
static size_t used;
u64 __pathspan_metered[MOST] __attribute__((aligned(16)));
static int out = -1;
static pid_t owner;
static volatile int ended, busy;

static void flush_events(void) {
  const char *p = (const char *)buffer;
  size_t left = used * sizeof *buffer;
  used = 0;
  if (out < 0 || getpid() != owner) return; /* a child's events are not ours to tell */
  while (left) {
    ssize_t n = write(out, p, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) { /* nobody listens any more */
      out = -1;
      return;
    }
    p += n;
    left -= (size_t)n;
  }
}

/* Accesses that are not told of yet, as many as there are meters at most. */
static u64 accesses[MOST], accessed;
u64 __pathspan_access_last;

/* Regions and deferred tasks under way; of tasks whether each is one. */
u32 __pathspan_access_depth;
static uint8_t deferred[1 << 12];
static u32 tasks;

static void deepen(u32 kind, int is_deferred) {
  switch (kind) {
  case 1: __pathspan_access_depth++; break;
  case 2: __pathspan_access_depth -= __pathspan_access_depth > 0; break;
  case TASK_BEGIN:
    if (tasks < sizeof deferred) __pathspan_access_depth += deferred[tasks] = (uint8_t)is_deferred;
    tasks++;
    break;
  case TASK_END:
    if (tasks && --tasks < sizeof deferred && __pathspan_access_depth) __pathspan_access_depth -= deferred[tasks];
    break;
  }
}

static void tell_accesses(void) {
  if (used + 1 + __pathspan_meter_count > WORDS) flush_events();
  buffer[used++] = (u64)40 << 56;
  for (u64 i = 0; i < __pathspan_meter_count; i++) buffer[used++] = i < accessed ? accesses[i] : 0;
  accessed = 0;
}

void __pathspan_access_tell(u64 word) {
  accesses[accessed++] = word;
  if (accessed == __pathspan_meter_count) tell_accesses();
}

static void event(u64 word) {
  if (accessed) tell_accesses();
  __pathspan_access_last = 0; /* who comes next may be another processor */
  if (used + 1 + __pathspan_meter_count > WORDS) flush_events();
  buffer[used++] = word;
  for (u64 i = 0; i < __pathspan_meter_count; i++) {
    buffer[used++] = __pathspan_metered[i];
    __pathspan_metered[i] = 0;
  }
}

int64_t __pathspan_iterations_left; /* never more than 0: of every iteration is told */

/* Tells the number of a loop, as far as there is room. */
static void number(u64 kind, u64 value) {
  const u64 most = ((u64)1 << 56) - 1;
  event(kind << 56 | (value < most ? value : most));
}

static int begins_loop(u64 word) {
  u32 region = (u32)(word >> 32) & 0xffffff;
  return word >> 56 == 3 && __pathspan_traits[__pathspan_constructs[region] + ((u32)(word >> 16) & 0xffff)] & IS_LOOP;
}

/* Tells of a task, or of what waits for tasks. */
static void task(u64 word) {
  const struct spawn *s = 0;
  u32 kind = (u32)(word >> 56);
  if (kind == TASK_BEGIN ? !(s = __pathspan_task_begins()) : kind == TASK_END ? !__pathspan_task_ends() : !(s = __pathspan_task_waits())) return;
  if (kind != TASK_BEGIN && kind != TASK_WAIT) s = 0;
  event(word | (s && s->undeferred));
  deepen(kind, s && !s->undeferred);
  for (u32 i = 0; s && i < s->waits; i++) number(30, s->distance[i]);
}

void __pathspan_meter_mark(u64 word) {
  busy = 1;
  if (word >> 56 >= TASK_BEGIN && word >> 56 <= GROUP_END) {
    task(word);
    busy = 0;
    return;
  }
  event(word);
  deepen((u32)(word >> 56), 0);
  if (begins_loop(word)) {
    if (&__pathspan_loop_iterations) number(8, __pathspan_loop_iterations);
    if (&__pathspan_loop_chunk && __pathspan_loop_chunk) number(9, __pathspan_loop_chunk);
  }
  busy = 0;
  __pathspan_watch(word);
}

/* A lock is taken: in the low 32 bits its name, or which address it has, from 1 in the low 16. */
void __pathspan_lock_taken(u64 word, u64 address) {
  enum { MOST_LOCKS = 1 << 12 };
  static u64 known[MOST_LOCKS];
  u64 i = 0;
  if (address) {
    u64 slot = (address >> 3) * 0x9e3779b97f4a7c15u >> 52;
    while (known[slot] && known[slot] != address && i++ < MOST_LOCKS) slot = (slot + 1) % MOST_LOCKS;
    known[slot] = address;
    word = word >> 56 << 56;
    i = 1 + slot;
  }
  busy = 1;
  event(word | i);
  busy = 0;
}

/* ---- atomic updates ---- */

extern void *__libc_stack_end __attribute__((weak));

static u64 update;

/* Lines are numbered as their addresses fall into a table; what lies on the stack is told apart by
 * itself, as in profiles (updates.c). */
int __pathspan_atomic_met(u64 word, u64 address) {
  enum { MOST_LINES = 1 << 18, TRIES = 1 << 10 };
  static u64 known[MOST_LINES];
  u64 here = (u64)(uintptr_t)__builtin_frame_address(0);
  int stack = &__libc_stack_end && address > here && address < (u64)(uintptr_t)__libc_stack_end;
  u64 line = (address & ~(u64)(stack ? 7 : 63)) | 1, slot = (line >> 3) * 0x9e3779b97f4a7c15u >> 46;
  for (u32 i = 0; known[slot] && known[slot] != line && i < TRIES; i++) slot = (slot + 1) % MOST_LINES;
  known[slot] = line;
  update = word >> 56 << 56 | slot;
  return 1;
}

void __pathspan_atomic_told(void) {
  busy = 1;
  event(update);
  busy = 0;
}

void __pathspan_ended(int sig) {
  if (ended || getpid() != owner) return;
  ended = 1;
  /* A signal amid an event leaves the buffer in pieces: the stream is cut off there. */
  if (!busy) {
    __pathspan_meter_rest();
    event((u64)255 << 56);
    flush_events();
  }
  out = -1;
}

__attribute__((constructor(101))) static void open_stream(void) {
  owner = getpid();
  const char *s = getenv("PATHSPAN_EVENTS");
  if (!s) return;
  int fd = atoi(s);
  unsetenv("PATHSPAN_EVENTS"); /* programs that ours starts have no part in it */
  /* Out of the way of descriptors that the program numbers or closes itself. */
  out = fcntl(fd, F_DUPFD_CLOEXEC, 200);
  if (out < 0) out = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  close(fd);
}
