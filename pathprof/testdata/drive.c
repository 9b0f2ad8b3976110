/* Feeds the library that keeps executions with the events of a file, and prints what it
 * would write. Events are words: 0, kind, work; 1, mark; 2, n, the n words that an earlier
 * run wrote; 3 forks as a child does; 4, n, chunk: a loop of n iterations begins; 5, word,
 * step: an iteration of one begins, which is told of by that mark when it is asked for. */
#include "../runtime/executions.h"

#include <stdio.h>
#include <stdlib.h>

const u64 __pathspan_meter_count = KINDS;
const u32 __pathspan_meter_weights[] = {WEIGHTS};
const u32 __pathspan_region_count = REGIONS;
const u32 __pathspan_constructs[] = {CONSTRUCTS};
const u32 __pathspan_sections[] = {SECTIONS};
const u32 __pathspan_loops[] = {LOOPS};
u64 __pathspan_loop_iterations, __pathspan_loop_chunk;
extern i64 __pathspan_iterations_left;

void __pathspan_meter_add(u64 meter, u64 value);
void __pathspan_meter_mark(u64 word);
void __pathspan_end_executions(void);
int __pathspan_put_executions(void (*put)(u64));
int __pathspan_add_executions(const u64 *earlier);
void __pathspan_forget_executions(void);
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
      __pathspan_meter_add(kind, word(in));
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
