/* Feeds the library that keeps executions with the events of a file, and prints what it
 * would write. Events are words: 0, kind, work; 1, mark; 2, n, the n words that an earlier
 * run wrote; 3 forks as a child does; 4, n, chunk: a loop of n iterations begins; 5, word,
 * step: an iteration of one begins, which is told of by that mark when it is asked for; 6
 * ends what is under way;
 * 7, how, n, n addresses and kinds: a task is about to begin, undeferred (1) or final (2),
 * with dependences; 8, n, n addresses and kinds: a taskwait. */
#include "../../build/runtime/executions.h"
#include "../../build/runtime/openmp.h"
#include "../../build/runtime/quiet.h"

#include <stdio.h>
#include <stdlib.h>

const u64 __pathspan_meter_count = KINDS;
const u32 __pathspan_meter_weights[] = {WEIGHTS};
const u32 __pathspan_region_count = REGIONS;
const u32 __pathspan_constructs[] = {CONSTRUCTS};
const u32 __pathspan_sections[] = {SECTIONS};
const u32 __pathspan_traits[] = {TRAITS};
u64 __pathspan_loop_iterations, __pathspan_loop_chunk;
struct shown __pathspan_shown;
extern i64 __pathspan_iterations_left;

extern u64 __pathspan_metered[];
void __pathspan_meter_mark(u64 word);
void __pathspan_end_executions(void);
int __pathspan_put_executions(void (*put)(u64));
int __pathspan_add_executions(const u64 *earlier);
void __pathspan_forget_executions(void);
struct depend {
  intptr_t address;
  size_t length;
  unsigned char kind;
};
void *__kmpc_omp_task_alloc(ident_t *l, i32 g, i32 flags, size_t size, size_t shareds, void *f);
void __pathspan_task(void *t, i32 n, const struct depend *d, i32 m, const struct depend *e, i32 undeferred);
void __pathspan_task_over(void *t);
void __pathspan_taskwait(i32 n, const struct depend *d, i32 m, const struct depend *e);
void __pathspan_watch(u64 event) { (void)event; }

static u64 word(FILE *in) {
  u64 v = 0;
  if (fread(&v, sizeof v, 1, in) != 1) exit(3);
  return v;
}

static void put(u64 v) { fwrite(&v, sizeof v, 1, stdout); }

int main(int argc, char **argv) {
  FILE *in = argc > 1 ? fopen(argv[1], "rb") : 0;
  u64 op;
  if (!in) return 2;
  while (fread(&op, sizeof op, 1, in) == 1) {
    if (op == 0) {
      u64 kind = word(in);
      __pathspan_metered[kind] += word(in);
    } else if (op == 1) {
      __pathspan_meter_mark(word(in));
    } else if (op == 2) {
      u64 n = word(in);
      u64 *words = calloc(n + 1, sizeof *words);
      for (u64 i = 0; i < n; i++) words[i] = word(in);
      if (!__pathspan_add_executions(words)) return 4;
      free(words);
    } else if (op == 3) {
      __pathspan_forget_executions();
    } else if (op == 7 || op == 8) {
      u64 how = op == 7 ? word(in) : 0, n = word(in);
      struct depend d[64];
      for (u64 i = 0; i < n && i < 64; i++) {
        d[i].address = (intptr_t)word(in);
        d[i].kind = (unsigned char)word(in);
      }
      if (op == 8) {
        __pathspan_taskwait((i32)n, d, 0, 0);
        continue;
      }
      void *t = __kmpc_omp_task_alloc(0, 0, how & 2 ? 2 : 0, 64, 0, 0);
      __pathspan_task(t, (i32)n, d, 0, 0, how & 1);
      __pathspan_task_over(t);
    } else if (op == 4) {
      __pathspan_loop_iterations = word(in);
      __pathspan_loop_chunk = word(in);
    } else if (op == 6) {
      __pathspan_end_executions();
    } else {
      u64 mark = word(in);
      __pathspan_iterations_left -= (i64)word(in);
      if (__pathspan_iterations_left < 0) __pathspan_meter_mark(mark);
    }
  }
  return __pathspan_put_executions(put) ? 0 : 5;
}
