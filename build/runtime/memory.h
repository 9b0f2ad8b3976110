/* What profiled programs tell of their memory, where they were built for that: who wrote
 * what others read, what iterations and sections leave to each other, and how much memory
 * lies between two uses of a line. memory.c shadows the program's memory; states.c knows
 * who can have written and read a byte, crowds.c of bytes that are read in too many ways for
 * that; levels.c knows what iteration is under way, lanes.c
 * what lane; reuse.c keeps lines in the order of their last use; sharing.c knows which go
 * back and forth between lanes that run at the same time; objects.c knows what lies where. memoryfile.c writes what they know. */
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
#define ALWAYS inline __attribute__((always_inline))

/* What does its work seldom keeps registers for who calls it, where compilers know how. */
#if defined __x86_64__ || defined __aarch64__
#define KEEPS __attribute__((preserve_most))
#else
#define KEEPS
#endif

/* How many of something there may be: where addresses are of 32 bits, so few that a program may come to have them. */
enum { FEW = sizeof(void *) < 8 };
#define ROOM_FOR(n) (FEW ? (n) >> 6 : (n))

/* What was compared is read again where that is seldom, rather than kept in a register for it. */
#define AGAIN __asm__ volatile("" ::: "memory")

/* Chance, the same in each run: a number below so many. */
static ALWAYS u64 below(u32 *chance, u64 many) {
  *chance = *chance * 1664525u + 1013904223u;
  return many * *chance >> 32;
}

/* An instruction that reads or writes memory, or several of one place that do the same. The
 * module has an array of them; all but place is the library's. What follows place is about
 * the state that the instruction met last. */
struct site {
  u32 place;           /* of the source: index into the profile's list of places */
  u32 here;            /* the lane it was executed in */
  u32 who;             /* place and lane */
  u32 spread;          /* of who, where recent steps are looked for */
  u64 key;             /* that lane and the state that was met, and with WRITES whether it wrote */
  struct step *step;   /* what becomes of that state here */
};

/* A step is what an access makes of a state. Steps are few, so they hold the counts. */
struct step {
  u32 state, who;      /* who reads, or writes with WRITES */
  u32 next;            /* the state behind it; of who reads bytes of a crowd: which of its readers that is, with CROWD */
  u32 chain;           /* next step of the same hash, 0 for none */
  u64 bytes;           /* accessed; where the state behind it is another, all for the first time since they were written */
  struct {
    struct carried *last; /* what it was that was carried last, by kind; never 0 */
    struct carried *other; /* and the last before that was not the same */
  } kind[2];           /* of a read: FLOW; of a write: OUTPUT and ANTI */
  i64 alone;           /* 1: nobody has read the byte since it was written, 0: somebody has; -1: it is read in a crowd */
};

enum { WRITES = 1u << 31, CROWD = 1u << 31, AMONG = 1u << 30 };

/* A granule of the program's memory: its state, and when it was accessed, in moments. */
struct cell {
  u32 state;
  u32 written;         /* 0: not since it was made */
  u32 first, last;     /* read since then, 0: not */
};

/* A line of the program's memory. */
struct line {
  struct cell *cell;   /* 0: nothing of it was accessed */
  u32 number;          /* of reuse.c; 0: it was not used */
  u8 granule;          /* bytes of one: 1, 2, 4 or 8; 0: nothing was accessed */
  u8 place;            /* among the lines near, where it is one of them */
  u8 log;              /* of granule */
};

/* What the program calls, and what it reads, besides functions for accesses, each in the file
 * that defines it. */

void __pathspan_lane_begins(u32 lane); /* of a region */
void __pathspan_single_begins(u32 lane);
void __pathspan_loop_lane_begins(u32 lane);
void __pathspan_turn_next(u32 level, u32 step);
void __pathspan_section_begins(u32 lane, u32 first);
void __pathspan_lane_ends(u32 lane);
void __pathspan_lock_held(u32 lock, u64 address);
void __pathspan_lock_given(void);

void __pathspan_put_memory(void (*put)(u64));

/* ---- memory.c ---- */

void __pathspan_renew(u64 address, u64 size, u32 object);
void __pathspan_read_range(struct site *s, u64 address, u64 size);
void __pathspan_write_range(struct site *s, u64 address, u64 size);
/* Accesses of each so many bytes one behind the other, each with a site of its own. */
void __pathspan_read_row(struct site *s, u64 address, u64 size, u64 each);
void __pathspan_write_row(struct site *s, u64 address, u64 size, u64 each);

/* ---- states.c ---- */

/* A state: of which object the byte is, who wrote it last, who has read it since. */
struct state {
  u32 object, writer;  /* writer 0: nobody that is known */
  u32 readers;         /* a set; with CROWD: of a crowd, each byte of which has a set of its own; with AMONG: how many, of which writer stands for one */
  u32 chain;
  u32 taken, crowd;    /* where nobody has read: words that states took of this object and writer, and its crowd */
};
extern struct state *__pathspan_states;
u32 __pathspan_state(u32 object, u32 writer, u32 readers);
u32 __pathspan_who(u32 here, u32 place);
struct step *__pathspan_step(u32 state, u32 who); /* 0: the byte has to become one of a crowd */
u32 __pathspan_unread(u32 state);                 /* that of bytes of the same object and writer that nobody has read */
static ALWAYS int __pathspan_in_crowd(u32 state) { return (__pathspan_states[state].readers & CROWD) != 0; }

void __pathspan_forget_steps(void);
void __pathspan_each_step(void (*tell)(u32 object, u32 writer, u32 who, u64 bytes, u64 first));
u64 __pathspan_where_is(u32 who);
u32 __pathspan_readers(u32 state, const u32 **list, u32 *among); /* how many are listed, ascending, of how many */

/* ---- crowds.c ---- */

u32 __pathspan_crowd_grew(u32 crowd);              /* how many bytes, or granules, were in it */
u32 __pathspan_reader(u32 crowd, u32 who);         /* who reads in it from now on */
u64 *__pathspan_read_first(u32 crowd, u32 reader); /* bytes that it read for the first time since they were written */
void __pathspan_join_crowd(struct cell *c, u32 n); /* so many cells, of one state */
void __pathspan_read_in_crowd(struct step *s, struct cell *c, u32 n, u32 size);
void __pathspan_leave_crowd(struct step *s, struct cell *c, u32 n, u32 size); /* they are written by that step: what does that depend on? */
void __pathspan_copy_readers(struct cell *to, const struct cell *from);

/* ---- levels.c ---- */

/* Moments are counted: one begins with every iteration and lane. What was accessed since
 * one, and before another, may be what iterations or lanes under way leave to each other. */
/* What there was no room for, how often: lanes and loops within others, and tasks that nobody waited for; locks held within others; uses of
 * lines that lanes share; objects, calls that led to them, and lanes that made them. */
enum { PASSED_LANES, PASSED_LOCKS, PASSED_LINES, PASSED_OBJECTS, PASSED };
extern u64 __pathspan_passed[PASSED];

extern u32 __pathspan_now;
extern u32 __pathspan_since, __pathspan_span; /* those from the first on, so many, are to be looked at */
static inline int __pathspan_old(u32 then) { return then - __pathspan_since < __pathspan_span; }
u32 __pathspan_tick(void);   /* lets a lane begin or go on */

enum dependence { FLOW, OUTPUT, ANTI }; /* read behind a write; written twice; written behind a read */

/* A loop, where it is under way, and of several of its executions, in one another, the innermost. */
struct loop {
  u32 entered;         /* since when */
  u64 length;          /* moments from then on until the iteration under way; 0: it was left */
};

/* Dependences that iterations or lanes carry: by whom, kind, what was there and who came to it. */
enum { SIZES = 5 };
struct carried {
  const struct loop *under_way; /* where a loop carries it */
  u64 nearer;          /* of the loop: 1 less than the moments from what was there to the iteration under way, at the least */
  u64 times[SIZES];    /* by the logarithm of how many bytes each has */
  u32 loop, lane, kind, state, who;
  u32 chain;
};
extern struct carried __pathspan_no_carried;

/* What was accessed in these moments neither loops nor lanes under way carry. */
extern u32 __pathspan_quiet, __pathspan_quiet_length;
extern u32 __pathspan_quieter, __pathspan_quieter_length; /* nor in those, which were found before */

/* How many accesses, of how many bytes each, depend, and how, in one word: at most a line. Two cells that are alike are of one access,
 * as those of a pointer are where its line has cells of four bytes. */
static ALWAYS u32 __pathspan_so_many(u32 kind, u32 n, u32 size) { return kind << 16 | (n == 2 ? 1 : n) << 8 | (u32)__builtin_ctz(n == 2 ? 2 * size : size); }
KEEPS void __pathspan_find_carried(struct step *s, u32 then, u32 so_many);

/* A loop under way carries what was accessed then, from no nearer than it has. */
static ALWAYS int __pathspan_carries(const struct carried *c, u32 then) {
  return (u32)(then - c->under_way->entered) + c->nearer < c->under_way->length;
}

/* By a step something is accessed that was accessed before, in one of the moments to be looked at:
 * is that counted, since it is carried as it was the last time, or by none? */
static ALWAYS int __pathspan_counted(struct step *s, u32 then, u32 kind, u32 n, u32 size) {
  struct carried *c = s->kind[kind == ANTI].last;
  if (likely(__pathspan_carries(c, then))) {
    c->times[__builtin_ctz(n == 2 ? 2 * size : size)] += n == 2 ? 1 : n;
    return 1;
  }
  return then - __pathspan_quiet < __pathspan_quiet_length || then - __pathspan_quieter < __pathspan_quieter_length;
}

static ALWAYS void __pathspan_carried(struct step *s, u32 then, u32 kind, u32 n, u32 size) {
  if (!__pathspan_counted(s, then, kind, n, size)) __pathspan_find_carried(s, then, __pathspan_so_many(kind, n, size));
}

void __pathspan_loop_begin(u32 level, u32 loop);
void __pathspan_loop_next(u32 level);
void __pathspan_loop_left(u32 level);
extern u32 __pathspan_level;

/* What carries a dependence: a loop, or lanes of a lane: 1 more than its number. Least is how many moments
 * before the iteration under way it comes from, at the least: as many iterations where nothing inside of the loop has moments. */
void __pathspan_each_carried(void (*tell)(u32 loop, u32 lane, u32 kind, u32 state, u32 who, u64 least, u64 times, u64 bytes));
void __pathspan_forget_carried(void);

/* ---- lanes.c ---- */

extern u64 __pathspan_here;  /* the lane under way, 16 bits, and above it what it holds of locks, 15: in the upper half */
extern u64 __pathspan_locked; /* uses until the outermost of the locks was taken that are held */
extern u32 __pathspan_outermost; /* which that is, + 1 */
extern u32 __pathspan_lanes; /* under way, one in another */
extern u32 __pathspan_first_lane; /* the moment in which the outermost began */
/* 1 more than the lane whose lanes a dependence is between, 0 for none: then what is asked of lies between
 * two moments of which this is so, the latter not. */
u32 __pathspan_between(u32 then, u32 *from, u32 *to);
int __pathspan_tasks_are_out(void); /* that nobody waited for */
extern u32 __pathspan_lane_began; /* of the lane under way, the last moment before */
extern u64 __pathspan_lane_lines; /* that it used since then */
void __pathspan_each_span(void (*tell)(u32 lane, u64 times, u64 lines, u64 most));
void __pathspan_each_guard(void (*tell)(u32 guard, u32 outer, u32 lock));

/* ---- sharing.c ---- */

/* Of parts of a loop, blocks or chunks, a bit each; 0: not known. */
struct bits { u32 block, chunk; };

/* What may run at the same time as others of its kind: a section, an iteration of a worksharing loop, a task. */
struct party {
  u32 self;            /* its first moment; 0: what runs is none */
  u32 since;           /* and that of the execution of the construct, or of the outermost region of a task */
  u32 lane;
  u32 turns, turn;     /* whether it is an iteration, and which */
  u32 section;         /* whether it is a section */
  u64 began;           /* of a section: __pathspan_uses then */
  u32 brief;           /* the iteration before was short */
  u32 followed;        /* of an iteration: as what its uses of shared lines are noted (turns.c), 0: they are not */
  struct bits part;    /* of an iteration: of its part of the loop's */
  u32 loop;            /* the lane whose part that is: where regions lie within loops, of the outermost, whose threads execute them */
};
extern struct party __pathspan_party;
enum { ALONE = ~0u };
/* lanes.c: how many siblings what is under way is behind what began at a moment; ALONE: it does not run beside it. Of tasks, how many uses of lines the sibling took. */
u32 __pathspan_apart(u32 then, u64 *took);
void __pathspan_turns(u32 step); /* lanes.c: the loop under way goes round, and so many iterations are over */
void __pathspan_lines_are_far(void); /* reuse.c: the next use of each line that is near is asked for */
void __pathspan_share_begins(void);
void __pathspan_section_took(const struct party *p); /* it ends */
void __pathspan_party_is(const struct party *p); /* reuse.c */
void __pathspan_part_takes(u32 loop, u32 chunk); /* a loop whose parts are told apart has chunks of so many iterations */
u64 __pathspan_uses(void); /* reuse.c: how many uses of lines there were */
void __pathspan_is_shared(struct line *l); /* reuse.c: it is not near any more */
void __pathspan_share(struct line *l, u64 address, u32 then, int writes, int again);
/* What was noted of lines, by number: the first moment of the party that wrote last, when something was made in it last, and when that lay on
 * the stack, since the outermost lane began in which words; whether it is shared (sharing.c), and the lane that used it last. */
enum { LINE_LOG = 6, LINE = 1 << LINE_LOG, WORD = 8 }; /* bytes */
struct noted {
  u32 wrote, made, stacked, known;
  u32 first, last;     /* of short iterations, the first that used it behind another, + 1; of tasks, how many uses there were when one used it first, and last */
  uint16_t user;
  u8 words;
};
extern struct noted *__pathspan_noted;

/* A party uses a line that was used before in a moment: was it written by another of the same execution, or was it used by another, and is written now? */
static ALWAYS int __pathspan_may_share(u32 line, u32 then, int writes) {
  const struct party *p = &__pathspan_party;
  struct noted *n = &__pathspan_noted[line];
  u32 span = p->self - p->since;
  if (n->known | (n->wrote - p->since < span) | (writes && then - p->since < span)) return 1;
  n->user = (uint16_t)p->lane;
  if (then < p->self && !p->turns) n->first = (u32)__pathspan_uses();
  return 0;
}
void __pathspan_ran_beside(u32 lane, u32 with, u32 apart, u32 moments);
void __pathspan_line_made(u32 line, u32 on_stack); /* a bit for each word that lies there */
void __pathspan_on_stack(u64 address, u64 size); /* memory.c: a variable was made */
u32 __pathspan_number(struct line *l);           /* reuse.c: that of a line, which may not have been used */
void __pathspan_each_shared(void (*tell)(u32 lane, u32 with, u32 apart, u64 fresh, u64 again)); /* fresh: of tasks moments */
int __pathspan_is_noted(u32 line); /* whether iterations' uses of it are, in the execution under way */
void __pathspan_forget_shared(void);

/* ---- turns.c ---- */

u32 __pathspan_turns_begin(u32 lane, u64 chunk); /* a loop: as what its uses are noted, or 0 */
void __pathspan_turn_begins(u32 followed, u32 turn);
void __pathspan_turn_uses(u32 followed, u32 line, int writes);
void __pathspan_turn_used(u32 followed, u32 line, u32 moment, int writes); /* in a moment before */
void __pathspan_turns_end(u32 followed, u64 iterations);
/* So many threads, which have blocks or take chunks, find lines gone that they had, so often, and come to lines that another has written before. */
void __pathspan_each_turn(void (*tell)(u32 lane, u32 threads, u32 chunk, u64 first, u64 again));
void __pathspan_forget_turns(void);

/* ---- reuse.c ---- */

/* The lines used last: each has a place, which says when that was. */
enum { NEAR = 128, COARSEST = 3, CLEAN = 255 };
struct near {
  struct line *line[COARSEST + 1][NEAR]; /* by the logarithm of its granule as well; 0 where it was not used since the lane began, or went on */
  int32_t used[NEAR];          /* by a clock of uses; 0: no line has the place */
  struct {
    u8 farthest;               /* the group that it was used from since it was written; CLEAN: it was not */
    u8 written;                /* since the lane began, or went on */
    u8 came;                   /* by a loop's iteration: how far it was then, where other iterations had it; else DISTANCES */
  } mark[NEAR];
  int32_t clock;
  int32_t sample;              /* when a use of a line that is near is asked next how far that was */
};
extern struct near __pathspan_near;

extern void (*__pathspan_use_far)(struct line *, u64 address, int writes); /* or one that is asked */

/* A line has granules of some size, is near, was used since the lane began, or went on, and is used without being asked. */
static ALWAYS int __pathspan_used_near(const struct line *l, u32 log, int writes) {
  struct near *n = &__pathspan_near;
  u32 p = l->place;
  if (unlikely(n->line[log][p] != l)) return 0;
  AGAIN;
  int32_t now = n->clock + 1;
  if (unlikely(now == n->sample)) return 0;
  n->clock = now;
  n->used[p] = now;
  if (writes) {
    n->mark[p].farthest = 0;
    n->mark[p].written = 1;
  }
  return 1;
}

void __pathspan_lane_changes(void); /* the next use is by another lane, or by one that goes on */
void __pathspan_each_use(void (*tell)(u32 lane, u32 from, int first, i64 lines, u64 reads, u64 writes, i64 back));
void __pathspan_each_fresh(void (*tell)(u32 lane, u32 from, u32 last, u64 reads, u64 fresh_reads, u64 writes, u64 fresh_writes));
void __pathspan_each_set(void (*tell)(u32 lane, u32 log, i64 lines, u64 times, u64 reads));
void __pathspan_each_between(void (*tell)(u32 lane, u32 last, u32 by, i64 lines, u64 times));
void __pathspan_forget_uses(void);

enum { DISTANCES = 52 };     /* how far apart uses of a line lie, in groups */

/* ---- taken.c ---- */

/* Which threads would have a line, where those of a loop have the same parts of its iterations in each execution, and of each loop: a bit for each of so many
 * blocks, one for every so manieth chunk (of one iteration, where the program has none), and one for what is outside of sections, loops and tasks. Who uses the
 * line has it, and who writes it has it alone. What the loop read that used the line last is told from what was read before. */
enum { PARTS = 24, OUTSIDE = 1u << PARTS, TEAMS = 8, BY_CHUNKS = 1, OTHERS_BY_CHUNKS = 2, TAKEN_WAYS = 4 };
struct has {
  struct bits now, before;
  uint16_t loop, wrote;      /* the loop of the former, and of who wrote the line last; 0: none */
  u8 block, chunk;           /* of the latter, their numbers */
};
extern struct has *__pathspan_has; /* by number of the line */
extern struct bits __pathspan_part; /* of what is under way */
extern u32 __pathspan_stands_for; /* so many iterations does the one under way stand for, where chunks are asked for; 0: they are not */
extern u32 __pathspan_turn_before; /* the moment with which the iteration before that one began */
extern const u8 __pathspan_team[TAKEN_WAYS][TEAMS]; /* how many threads there are; 0: no more */
enum { NEXT = TEAMS - 1 };   /* by chunks, in place of threads: uses of what the iteration before used as well, by how far that was when it came near */

/* So many threads come by lines: that their own part of the loop does not have, and others have. Of uses that are the loop's first
 * since it began: of how many it is known who has the line, and of how many the thread does. */
struct came { u64 reads, writes, outer, known, kept; };
struct taken {
  u64 samples[2], unasked[2]; /* of uses, of all that are in blocks and of others, and until the next */
  u32 chunk;                 /* iterations */
  struct came of[TAKEN_WAYS][TEAMS][DISTANCES];
};

/* An iteration uses a line: is it one that its thread has? */
void __pathspan_came_by(struct taken *of, u32 line, u32 distance, int writes, int first, int by_chunks);
void __pathspan_each_taken(void (*tell)(u32 lane, u32 way, u32 threads, u32 chunk, i64 lines, const struct came *)); /* reuse.c */

/* ---- objects.c ---- */
u32 __pathspan_granules(u64 line, u32 log);
void __pathspan_fill(u64 line, struct cell *cells, u32 log);
void __pathspan_each_object(void (*tell)(u32 number, u32 object, u32 path, u64 made, u64 most), void (*lane)(u32 number, u32 lane));
void __pathspan_each_path(void (*tell)(u32 path, u32 outer, u32 call));

void *__pathspan_reserve(u64 bytes);
__attribute__((noreturn)) void __pathspan_out_of_room(void);
void *__pathspan_arena(u64 bytes);  /* zeros, never given back one by one */

#pragma GCC visibility pop

#endif
