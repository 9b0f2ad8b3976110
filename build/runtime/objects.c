/* Which objects lie where: the module tells of its variables once, and of what it makes when
 * it does. */
#include "memory.h"

#include <stdlib.h>

/* What the module provides: address, size, object. */
struct variable {
  u64 address, size, object;
};
extern const struct variable __pathspan_globals[] __attribute__((weak));
extern const u64 __pathspan_globals_count __attribute__((weak));

static struct variable *variables; /* by address */
static u64 count;

static int by_address(const void *a, const void *b) {
  u64 x = ((const struct variable *)a)->address, y = ((const struct variable *)b)->address;
  return x < y ? -1 : x > y;
}

static void sort_variables(void) {
  count = &__pathspan_globals_count ? __pathspan_globals_count : 0;
  variables = __pathspan_reserve((count + 1) * sizeof *variables);
  for (u64 i = 0; i < count; i++) variables[i] = __pathspan_globals[i];
  qsort(variables, count, sizeof *variables, by_address);
}

/* fill tells the cells of a line that was not accessed before what lies there. */
void __pathspan_fill(u64 line, struct cell *cells, u32 log) {
  u32 none = __pathspan_state(0, 0, 0);
  for (u32 i = 0; i < (64u >> log); i++) cells[i] = (struct cell){none, 0, 0, 0};
  if (!variables) sort_variables();
  u64 low = 0, high = count; /* the first variable that ends behind the line's begin */
  while (low < high) {
    u64 middle = (low + high) / 2;
    if (variables[middle].address + variables[middle].size <= line) low = middle + 1;
    else high = middle;
  }
  for (; low < count && variables[low].address < line + 64; low++) {
    u64 from = variables[low].address, to = from + variables[low].size;
    if (from < line) from = line;
    if (to > line + 64) to = line + 64;
    u32 state = __pathspan_state((u32)variables[low].object, 0, 0);
    for (u64 i = (from - line) >> log; i << log < to - line; i++) cells[i].state = state;
  }
}

/* Blocks of the heap, by address. */
static struct block {
  u64 address, size; /* address 0: none, 1: was taken back */
} *blocks;
static u64 used, mask;

static struct block *slot_of(u64 address) {
  u64 i = (address >> 4) * 0x9e3779b97f4a7c15u >> 20 & mask;
  struct block *gone = 0;
  for (; blocks[i].address; i = (i + 1) & mask) {
    if (blocks[i].address == address) return &blocks[i];
    if (blocks[i].address == 1 && !gone) gone = &blocks[i];
  }
  return gone ? gone : &blocks[i];
}

static void grow(void) {
  struct block *old = blocks;
  u64 size = old ? mask + 1 : 0;
  mask = old ? 2 * size - 1 : (1 << 12) - 1;
  blocks = __pathspan_reserve((mask + 1) * sizeof *blocks);
  used = 0;
  for (u64 i = 0; i < size; i++)
    if (old[i].address > 1) {
      *slot_of(old[i].address) = old[i];
      used++;
    }
}

void __pathspan_made(u64 object, u64 address, u64 size) {
  if (!address) return;
  if (2 * used >= mask) grow();
  struct block *b = slot_of(address);
  used += b->address == 0;
  *b = (struct block){address, size};
  __pathspan_renew(address, size, (u32)object);
}

static u64 take(u64 address) {
  struct block *b = blocks && address ? slot_of(address) : 0;
  if (!b || b->address != address) return 0;
  b->address = 1;
  return b->size;
}

void __pathspan_gone(u64 address) { __pathspan_renew(address, take(address), 0); }

/* What realloc moves it reads and writes; what stays where it was, it does not. */
void __pathspan_moved(struct site *s, u64 object, u64 from, u64 to, u64 size) {
  if (!to && size) return;
  u64 before = take(from), kept = before < size ? before : size;
  if (from == to && from) {
    __pathspan_renew(from + kept, size - kept, (u32)object);
    __pathspan_renew(from + kept, before - kept, 0);
    if (2 * used >= mask) grow();
    *slot_of(to) = (struct block){to, size};
    return;
  }
  __pathspan_made(object, to, size);
  __pathspan_read_range(s, from, kept);
  __pathspan_write_range(s, to, kept);
  __pathspan_renew(from, before, 0);
}
