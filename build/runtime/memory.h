/* What profiled programs tell of their memory, where they were built for that: who wrote
 * what others read, what iterations and sections leave to each other, and how much memory
 * lies between two uses of a line. memory.c shadows the program's memory; states.c knows
 * who can have written and read a byte; levels.c knows what iteration is under way;
 * reuse.c keeps lines in the order of their last use; objects.c knows what lies where. */
#ifndef PATHSPAN_MEMORY_H
#define PATHSPAN_MEMORY_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t u64;
typedef int64_t i64;
typedef uint32_t u32;
typedef uint8_t u8;

#pragma GCC visibility push(hidden)

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* An instruction that reads or writes memory, or several of one place that do the same. The
 * module has an array of them; all but place is the library's. What follows place is about
 * the state that the instruction met last. */
struct site {
  u32 place;           /* of the source: index into the profile's list of places */
  u32 here;            /* the lane it was executed in */
  u32 who;             /* place and lane */
  u32 unused;
  u64 key;             /* that lane and the state that was met */
  struct step *step;   /* what becomes of that state here */
};

/* A step is what an access makes of a state. Steps are few, so they hold the counts. */
struct step {
  u32 state, who;      /* who reads, or writes with WRITES */
  u32 next;            /* the state behind it */
  u32 chain;           /* next step of the same hash, 0 for none */
  u32 alone, unused;   /* nobody has read the byte since it was written */
  u64 bytes, first;    /* accessed; of these read for the first time since they were written */
};

enum { WRITES = 1u << 31 };

/* A granule of the program's memory: its state, and when it was accessed, in moments. */
struct cell {
  u32 state;
  u32 written;         /* 0: not since it was made */
  u32 first, last;     /* read since then, 0: not */
};

/* ---- memory.c ---- */

void __pathspan_renew(u64 address, u64 size, u32 object);
void __pathspan_read_range(struct site *s, u64 address, u64 size);
void __pathspan_write_range(struct site *s, u64 address, u64 size);

/* ---- states.c ---- */

/* A state: of which object the byte is, who wrote it last, who has read it since. */
struct state {
  u32 object, writer;  /* writer 0: nobody that is known */
  u32 readers;         /* a set */
  u32 chain;
};
extern struct state *__pathspan_states;
u32 __pathspan_state(u32 object, u32 writer, u32 readers);
u32 __pathspan_who(u32 here, u32 place);
struct step *__pathspan_step(u32 state, u32 who);

void __pathspan_each_step(void (*tell)(u32 object, u32 writer, u32 who, u64 bytes, u64 first));
u64 __pathspan_where_is(u32 who);

/* ---- levels.c ---- */

extern u32 __pathspan_now;   /* the moment: counts what begins */
extern u32 __pathspan_fresh; /* what was accessed since then, was so in this iteration and lane */
extern u64 __pathspan_here;  /* the lane under way, in the upper half */

enum dependence { FLOW, OUTPUT, ANTI }; /* read behind a write; written twice; written behind a read */
__attribute__((preserve_most)) void __pathspan_carried(struct site *s, u32 then, u32 state, enum dependence kind);
void __pathspan_loop_begin(u32 level, u32 loop);
void __pathspan_loop_next(u32 level);
void __pathspan_loop_left(u32 level);
extern u32 __pathspan_level;

void __pathspan_each_carried(void (*tell)(u32 loop, u32 kind, u32 state, u32 who, u64 times));

/* ---- reuse.c ---- */

extern u32 __pathspan_front; /* the line used last */
__attribute__((preserve_most)) void __pathspan_use(u32 *line);
void __pathspan_each_use(void (*tell)(i64 lines, u64 times));

/* ---- objects.c ---- */
void __pathspan_fill(u64 line, struct cell *cells, u32 log);

void *__pathspan_reserve(u64 bytes);

#pragma GCC visibility pop

#endif
