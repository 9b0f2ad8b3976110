/* Where lines lie, and what else the library keeps of its own. */
#define _GNU_SOURCE
#include "memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Who waits for the profile is told in a file why there is none, others on standard error. */
void __pathspan_out_of_room(void) {
  static const char m[] = "pathspan: what the program uses is more than a profile of memory has room for on this machine; give it less to do, or leave out --memory\n";
  const char *file = getenv("PATHSPAN_WHY");
  int to = file ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : 2;
  if (write(to < 0 ? 2 : to, m, sizeof m - 1) < 0) abort();
  for (;;) syscall(SYS_exit_group, 1); /* at once: half a profile is none */
}

#ifdef LINES_ARE_MAPPED
/* What the library keeps lies apart, so that what the program asks the system for lies as it does without it, whichever
 * thread of ours needs more, and when. */
enum { ROOM_LOG = 43 };
static char *const room = (char *)((u64)1 << 46);
static u64 taken;

static void map(char *at, u64 size) {
  if (mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != at) abort();
}

__attribute__((constructor(101))) static void make_lines(void) {
  map((char *)((u64)1 << LINES_LOG), ((u64)sizeof(struct line)) << (ADDRESS_LOG - LINE_LOG));
  map(room, (u64)1 << ROOM_LOG);
}

void *__pathspan_reserve(u64 bytes) {
  u64 size = (bytes + 4095) & ~(u64)4095, at = __atomic_fetch_add(&taken, size, __ATOMIC_RELAXED);
  if (at + size > (u64)1 << ROOM_LOG) __pathspan_out_of_room();
  return room + at;
}
#else
void *__pathspan_reserve(u64 bytes) {
  void *p = MAP_FAILED;
  if (bytes == (size_t)bytes) p = mmap(0, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) __pathspan_out_of_room();
  return p;
}

struct line __pathspan_untouched[1 << CHUNK_LOG];
uintptr_t __pathspan_nowhere[LEVEL], __pathspan_levels[LEVEL];

/* Chunks lie at multiples of their size, so that lines differ as their addresses do, up to so many (reuse.c). */
static uintptr_t new_chunk(void) {
  enum { CHUNKS = 16 };
  static uintptr_t at, end;
  if (at == end) {
    uintptr_t room = (uintptr_t)__pathspan_reserve((CHUNKS + 1) * sizeof __pathspan_untouched);
    at = (room + sizeof __pathspan_untouched - 1) / sizeof __pathspan_untouched * sizeof __pathspan_untouched;
    end = at + CHUNKS * sizeof __pathspan_untouched;
  }
  at += sizeof __pathspan_untouched;
  return at - sizeof __pathspan_untouched;
}

/* touched returns a line that may be changed. */
struct line *__pathspan_touched(u64 address) {
  uintptr_t *level = level_of(address);
  if (!*level) *level = (uintptr_t)__pathspan_reserve(LEVEL * sizeof *__pathspan_nowhere) - (uintptr_t)__pathspan_nowhere;
  uintptr_t *chunk = chunk_of(address, *level);
  if (!*chunk) *chunk = new_chunk() - (uintptr_t)__pathspan_untouched;
  return line_at(address);
}
#endif

void *__pathspan_arena(u64 bytes) {
  static char *at, *end;
  if (at + bytes > end || !at) {
    u64 n = bytes > (1 << 20) ? bytes : 1 << 20;
    at = __pathspan_reserve(n);
    end = at + n;
  }
  void *p = at;
  at += (bytes + 15) & ~(u64)15;
  return p;
}
