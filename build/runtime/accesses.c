/* Streams what a replayed program reads and writes, so that caches can be simulated access by
 * access: in place of memory.c and what goes with it, which profiled programs have. */
#define _GNU_SOURCE
#include "accesses.h"

#include <stddef.h>
#include <sys/mman.h>

typedef uint64_t u64;

u64 __pathspan_copier; /* where copies of arguments are made, which nobody asks for here */

/* ---- variables of threads ----
 *
 * What is made on the stack inside of a region, or of a task, is on the stack of whoever executes that: the same
 * addresses here, others in the parallel program. So granules of the stack know how deep they were made, and what
 * is accessed as deep is its thread's own. What is made further out others may use as well. */
extern void *__libc_stack_end __attribute__((weak));

enum { MOST_GRANULES = 1 << 19 }; /* 8 MiB, which stacks are by default; what lies beyond is nobody's own */
static uint16_t made[MOST_GRANULES];

static inline u64 granule(u64 address) {
  return (((u64)(uintptr_t)(&__libc_stack_end ? __libc_stack_end : 0) | (ACCESS_LEAST - 1)) - address) / ACCESS_LEAST;
}

void __pathspan_variable(u64 address, u64 size, uint32_t object) {
  (void)object;
  if (!size) return;
  u64 i = granule(address + size - 1), first = granule(address);
  if (first < i) return;
  for (; i <= first && i < MOST_GRANULES; i++) made[i] = (uint16_t)__pathspan_access_depth;
}

void __pathspan_argument(u64 address, u64 size, uint32_t object) { __pathspan_variable(address, size, object); }

/* ---- tasks ----
 *
 * Blocks of tasks that are over are used again for the next, which another thread may execute meanwhile: in the
 * parallel program it has another block. So blocks lie side by side, and what their maker, as deep, and the task, one
 * deeper, access there is their thread's own. What tasks deeper in find there they share. */
enum { BLOCK = 64, MOST_BLOCKS = 1 << 24 }; /* 1 GiB; tasks behind it have blocks that are nobody's own */
static char *blocks;
static u64 blocks_used;
static uint16_t block_made[MOST_BLOCKS];

void *__pathspan_task_memory(size_t bytes);
void *__pathspan_task_memory(size_t bytes) {
  u64 n = (bytes + BLOCK - 1) / BLOCK;
  if (!blocks) {
    blocks = mmap(0, (u64)MOST_BLOCKS * BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (blocks == MAP_FAILED) {
      blocks = 0;
      blocks_used = MOST_BLOCKS;
    }
  }
  if (n > MOST_BLOCKS - blocks_used) return 0;
  char *b = blocks + blocks_used * BLOCK;
  blocks_used += n;
  return b;
}

void __pathspan_task_made(void *block, size_t bytes);
void __pathspan_task_made(void *block, size_t bytes) {
  u64 first = (u64)((char *)block - blocks) / BLOCK;
  for (u64 i = first; blocks && i < blocks_used && i < first + (bytes + BLOCK - 1) / BLOCK; i++) block_made[i] = (uint16_t)__pathspan_access_depth;
}

static inline u64 own(u64 address) {
  if (!__pathspan_access_depth) return 0;
  u64 block = (address - (u64)(uintptr_t)blocks) / BLOCK;
  if (block < blocks_used && blocks) return __pathspan_access_depth - block_made[block] <= 1 ? ACCESS_OWN : 0;
  u64 i = granule(address);
  return i < MOST_GRANULES && made[i] == __pathspan_access_depth ? ACCESS_OWN : 0;
}

/* Where one access is followed by others to the same few bytes, only the first is told, and the
 * first that writes. */
static inline void tell(u64 address, u64 size, u64 writes) {
  u64 place = address / ACCESS_LEAST << 1, last = __pathspan_access_last;
  if ((last >> 1 << 1) == (place | ACCESS_WRITES) && ((last & 1) || !writes) && (address % ACCESS_LEAST) + size <= ACCESS_LEAST) return;
  __pathspan_access_last = place | ACCESS_WRITES | (writes != 0);
  __pathspan_access_tell(writes | own(address) | (size - 1) << 48 | (address & (((u64)1 << 48) - 1)));
}

static void range(u64 address, u64 size, u64 writes) {
  while (size) {
    u64 n = ACCESS_LINE - address % ACCESS_LINE;
    if (n > size) n = size;
    tell(address, n, writes);
    address += n;
    size -= n;
  }
}

#define ACCESS(n)                                                              \
  void __pathspan_read##n(void *s, u64 address) { (void)s, range(address, n, 0); } \
  void __pathspan_write##n(void *s, u64 address) { (void)s, range(address, n, ACCESS_WRITES); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __pathspan_read_range(void *s, u64 address, u64 size) { (void)s, range(address, size, 0); }
void __pathspan_write_range(void *s, u64 address, u64 size) { (void)s, range(address, size, ACCESS_WRITES); }
