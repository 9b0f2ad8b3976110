/* Which objects lie where: the module tells of its variables once, and of what it makes when
 * it does. */
#include "memory.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

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

/* first_in finds the first variable that ends behind a line's begin. */
static u64 first_in(u64 line) {
  if (!variables) sort_variables();
  u64 low = 0, high = count;
  while (low < high) {
    u64 middle = (low + high) / 2;
    if (variables[middle].address + variables[middle].size <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* granules lowers the logarithm of a line's granules until no two variables share one. */
u32 __pathspan_granules(u64 line, u32 log) {
  for (u64 i = first_in(line); i < count && variables[i].address < line + 64; i++)
    while (variables[i].address > line && (variables[i].address & ((1u << log) - 1))) log--;
  return log;
}

/* fill tells the cells of a line that was not accessed before what lies there. */
void __pathspan_fill(u64 line, struct cell *cells, u32 log) {
  u32 none = __pathspan_state(0, 0, 0);
  for (u32 i = 0; i < (64u >> log); i++) cells[i] = (struct cell){none, 0, 0, 0};
  u64 low = first_in(line);
  for (; low < count && variables[low].address < line + 64; low++) {
    u64 from = variables[low].address, to = from + variables[low].size;
    if (from < line) from = line;
    if (to > line + 64) to = line + 64;
    u32 state = __pathspan_state((u32)variables[low].object, 0, 0);
    for (u64 i = (from - line) >> log; i << log < to - line; i++) cells[i].state = state;
  }
}

/* Calls that led to where something is made: a chain, which a call that comes again goes back
 * in. */
enum { MOST_PATHS = 1 << 20, LONGEST = 64 };
static struct path {
  u32 outer, call, depth, chain;
} *paths;
static u32 path_count, *path_slots;
u32 __pathspan_path; /* under way; 0: none */

static u64 mix(u64 a, u64 b) {
  a = (a ^ b * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
  return a ^ a >> 32;
}

/* The program calls what may make objects, and puts back what was under way behind it. */
void __pathspan_path_grows(u32 outer, u32 call) {
  if (!paths) {
    paths = __pathspan_reserve(MOST_PATHS * sizeof *paths);
    path_slots = __pathspan_reserve(MOST_PATHS * sizeof *path_slots);
  }
  for (u32 at = outer; at; at = paths[at].outer)
    if (paths[at].call == call) {
      __pathspan_path = at;
      return;
    }
  u32 *slot = &path_slots[mix(outer, call) & (MOST_PATHS - 1)];
  for (u32 i = *slot; i; i = paths[i].chain)
    if (paths[i].outer == outer && paths[i].call == call) {
      __pathspan_path = i;
      return;
    }
  if (path_count + 1 == MOST_PATHS || paths[outer].depth == LONGEST) {
    __pathspan_passed[PASSED_OBJECTS]++;
    return;
  }
  paths[++path_count] = (struct path){outer, call, paths[outer].depth + 1, *slot};
  __pathspan_path = *slot = path_count;
}

void __pathspan_each_path(void (*tell)(u32 path, u32 outer, u32 call)) {
  for (u32 i = 1; i <= path_count; i++) tell(i, paths[i].outer, paths[i].call);
}

/* Objects by number: those of the program, and behind them those of its places that make
 * some, by path. */
enum { MOST_OBJECTS = ROOM_FOR(1 << 22), MOST_OF_LANES = ROOM_FOR(1 << 22) };
static struct object {
  u32 object, path, lane, lane_entry; /* the lane that made it last */
  u64 made, live, most;               /* times; bytes now, and at most at a time */
  u32 chain;
} *objects;
static u32 object_count, *object_slots;
static struct lane_of {
  u32 lane, more;
} *lanes;
static u32 lane_count;

extern const u64 __pathspan_object_count __attribute__((weak));

static void start(void) {
  objects = __pathspan_reserve(MOST_OBJECTS * sizeof *objects);
  object_slots = __pathspan_reserve(MOST_OBJECTS * sizeof *object_slots);
  lanes = __pathspan_reserve(MOST_OF_LANES * sizeof *lanes);
  object_count = &__pathspan_object_count ? (u32)__pathspan_object_count : 1;
  for (u32 i = 0; i < object_count; i++) objects[i].object = i;
}

/* of_path returns the number of what a place made behind a path. */
static u32 of_path(u32 object) {
  if (!objects) start();
  u32 path = __pathspan_path;
  if (!path) return object;
  u32 *slot = &object_slots[mix(object, path) & (MOST_OBJECTS - 1)];
  for (u32 i = *slot; i; i = objects[i].chain)
    if (objects[i].object == object && objects[i].path == path) return i;
  if (object_count == MOST_OBJECTS) {
    __pathspan_passed[PASSED_OBJECTS]++;
    return object;
  }
  objects[object_count] = (struct object){object, path, 0, 0, 0, 0, 0, *slot};
  *slot = object_count;
  return object_count++;
}

/* count notes that an object was made. */
static void count_made(u32 number) {
  if (!objects) start();
  struct object *o = &objects[number];
  u32 lane = ((u32)(__pathspan_here >> 32) & 0xffff) + 1;
  o->made++;
  if (o->lane == lane) return;
  o->lane = lane;
  u32 *at = &o->lane_entry;
  for (; *at; at = &lanes[*at].more)
    if (lanes[*at].lane == lane) return;
  if (lane_count + 1 == MOST_OF_LANES) {
    __pathspan_passed[PASSED_OBJECTS]++;
    return;
  }
  lanes[*at = ++lane_count].lane = lane;
}

void __pathspan_each_object(void (*tell)(u32 number, u32 object, u32 path, u64 made, u64 most), void (*lane)(u32 number, u32 lane)) {
  if (!variables) sort_variables();
  for (u64 i = 0; i < count; i++) tell((u32)variables[i].object, (u32)variables[i].object, 0, 0, variables[i].size);
  for (u32 i = 0; objects && i < object_count; i++) {
    const struct object *o = &objects[i];
    if (!o->made && !o->path) continue;
    tell(i, o->object, o->path, o->made, o->most);
    for (u32 l = o->lane_entry; l; l = lanes[l].more) lane(i, lanes[l].lane - 1);
  }
}

/* A variable of a function is made. */
void __pathspan_variable(u64 address, u64 size, u32 object) {
  count_made(object);
  if (size > objects[object].most) objects[object].most = size;
  __pathspan_renew(address, size, object);
  if (__pathspan_lanes) __pathspan_on_stack(address, size);
}

/* Memory of a task is its maker's thread's, as what lies on the stack is. */
void __pathspan_task_made(void *block, size_t bytes) {
  if (__pathspan_lanes) __pathspan_on_stack((u64)(uintptr_t)block, bytes);
}

/* A function begins, with a copy of an argument that its caller made. */
u64 __pathspan_copier; /* where the last call is that passes such copies */
void __pathspan_argument(u64 address, u64 size, u32 object) {
  __pathspan_variable(address, size, object);
  if (__pathspan_copier) __pathspan_write_range((struct site *)(uintptr_t)__pathspan_copier, address, size);
}

/* Blocks of the heap, by address. */
static struct block {
  u64 address, size; /* address 0: none, 1: was taken back */
  u32 object;
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
  u64 size = old ? mask + 1 : 0, live = 0;
  for (u64 i = 0; i < size; i++) live += old[i].address > 1;
  mask = !old ? (1 << 12) - 1 : 4 * live > size ? 2 * size - 1 : size - 1;
  blocks = __pathspan_reserve((mask + 1) * sizeof *blocks);
  used = 0;
  for (u64 i = 0; i < size; i++)
    if (old[i].address > 1) {
      *slot_of(old[i].address) = old[i];
      used++;
    }
  if (old) munmap(old, size * sizeof *old);
}

static void put_block(u64 address, u64 size, u32 number) {
  if (2 * used >= mask) grow();
  struct block *b = slot_of(address);
  used += b->address == 0;
  *b = (struct block){address, size, number};
  struct object *o = &objects[number];
  o->live += size;
  if (o->live > o->most) o->most = o->live;
}

static struct block take(u64 address) {
  struct block *b = blocks && address ? slot_of(address) : 0, none = {0, 0, 0};
  if (!b || b->address != address) return none;
  none = *b;
  b->address = 1;
  objects[none.object].live -= none.size;
  return none;
}

void __pathspan_made(u64 object, u64 address, u64 size) {
  if (!address || address == (uintptr_t)-1) return;
  u32 number = of_path((u32)object);
  count_made(number);
  take(address); /* it was freed where pathspan did not see it */
  put_block(address, size, number);
  __pathspan_renew(address, size, number);
}

static u64 gone;
void __pathspan_gone(u64 address) {
  u64 size = take(address).size;
  if (!size && address) size = malloc_usable_size((void *)(uintptr_t)address); /* made where pathspan did not see it */
  __pathspan_renew(address, size, 0);
  gone = address;
}

/* Of C++: libraries, too, take back what they or the program made, as strings that grow do. What comes to lie there is another object. A program's own goes before this. */
__attribute__((weak)) void _ZdlPv(void *pointer) {
  if ((uintptr_t)pointer != gone) __pathspan_gone((uintptr_t)pointer);
  gone = 0;
  free(pointer);
}

/* What realloc moves it reads and writes; what stays where it was, it does not. It makes an object in either case. */
void __pathspan_moved(struct site *s, u64 object, u64 from, u64 to, u64 size) {
  if ((!to && size) || to == (uintptr_t)-1) return;
  u64 before = take(from).size, kept = before < size ? before : size;
  u32 number = of_path((u32)object);
  if (from == to && from) {
    count_made(number);
    __pathspan_renew(from + kept, size - kept, number);
    __pathspan_renew(from + kept, before - kept, 0);
    put_block(to, size, number);
    return;
  }
  __pathspan_made(object, to, size);
  __pathspan_read_range(s, from, kept);
  __pathspan_write_range(s, to, kept);
  __pathspan_renew(from, before, 0);
}

/* munmap takes back a part of what mmap gave, or all. */
void __pathspan_unmapped(u64 address, u64 size) {
  struct block b = take(address);
  if (b.size > size) put_block(address + size, b.size - size, b.object);
  __pathspan_renew(address, size, 0);
}
