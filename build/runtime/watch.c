/* This file knows the section that runs, so that pathspan can say which one does not come
 * to its end: sections run one after another here, and one that waits for another waits
 * for ever. PATHSPAN_WATCH names a file of two words that pathspan looks at: the event of
 * the innermost section (build/probe), 0 for none, and a number that moves with each. */
#define _GNU_SOURCE
#include "library.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DEPTH = 128, REGION = 1, SECTION = 3 };
static u64 own[2];
static volatile u64 *shown = own;
static u64 open_[DEPTH]; /* regions and sections under way, outermost first */
static uint32_t depth;   /* may pass DEPTH */

/* watch is told when a region or a section begins or ends. */
void __pathspan_watch(u64 event) {
  uint32_t kind = (uint32_t)(event >> 56);
  if (kind == REGION || kind == SECTION) {
    if (depth < DEPTH) open_[depth] = event;
    depth++;
  } else if (kind == REGION + 1 || kind == SECTION + 1) {
    u64 began = event - ((u64)1 << 56);
    if (depth > DEPTH) depth--;
    else { /* what a jump left ends with what is around it */
      uint32_t d = depth;
      while (d > 0 && open_[d - 1] != began) d--;
      if (d > 0) depth = d - 1;
    }
  } else return;
  u64 now = 0;
  for (uint32_t d = depth < DEPTH ? depth : DEPTH; d > 0 && !now; d--)
    if (open_[d - 1] >> 56 == SECTION) now = open_[d - 1];
  shown[0] = now;
  shown[1]++;
}

/* where is the section that runs, as an event; 0 outside of all. */
u64 __pathspan_where(void) { return shown[0]; }

/* A child of fork has sections of its own. */
static void forked(void) {
  own[0] = shown[0];
  shown = own;
}

__attribute__((constructor(101))) static void start(void) {
  const char *name = getenv("PATHSPAN_WATCH");
  if (!name) return;
  int fd = open(name, O_RDWR | O_CLOEXEC);
  unsetenv("PATHSPAN_WATCH"); /* programs that ours starts have no part in it */
  if (fd < 0) return;
  void *p = mmap(0, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (p == MAP_FAILED) return;
  shown = p;
  pthread_atfork(0, 0, forked);
}
