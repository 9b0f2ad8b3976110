/* This file knows the section that runs, so that pathspan can say which one does not come
 * to its end: sections run one after another here, and one that waits for another waits
 * for ever. PATHSPAN_WATCH names a file of three words that pathspan looks at: the event of
 * the innermost section (build/probe), 0 for none, a number that moves with each, and the
 * event of a loop whose execution goes by (quiet.h). */
#define _GNU_SOURCE
#include "library.h"
#include "quiet.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DEPTH = 128, REGION = 1, SECTION = 3 };
struct shown __pathspan_shown __attribute__((aligned(SHOWN_PAGE)));
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
  __pathspan_shown.event = now;
  __pathspan_shown.moves++;
}

/* where is the section that runs, as an event; 0 outside of all. */
u64 __pathspan_where(void) {
  u64 last = __pathspan_shown.put_off;
  return last >> 56 == SECTION ? last : __pathspan_shown.event;
}

/* Puts another page in the place of the one that is shown, of a file or of its own. */
static void show_in(int fd, int how) {
  struct shown now;
  memcpy(&now, &__pathspan_shown, sizeof now);
  if (mmap(&__pathspan_shown, sizeof now, PROT_READ | PROT_WRITE, how | MAP_FIXED, fd, 0) == MAP_FAILED) return;
  memcpy(&__pathspan_shown, &now, fd < 0 ? sizeof now : offsetof(struct shown, rest));
}

/* A child of fork has sections of its own. */
static void forked(void) { show_in(-1, MAP_PRIVATE | MAP_ANONYMOUS); }

__attribute__((constructor(101))) static void start(void) {
  const char *name = getenv("PATHSPAN_WATCH");
  if (!name) return;
  int fd = open(name, O_RDWR | O_CLOEXEC);
  unsetenv("PATHSPAN_WATCH"); /* programs that ours starts have no part in it */
  if (fd < 0) return;
  if (sysconf(_SC_PAGESIZE) == SHOWN_PAGE) show_in(fd, MAP_SHARED); /* else nothing is shown */
  close(fd);
  pthread_atfork(0, 0, forked);
}
