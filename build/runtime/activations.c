/* This file keeps the paths that were under way where activations were left other than by
 * returning: when the program ended in a callee, when longjmp went past them, when an
 * exception passed through (package build/probe, frames.go and unwind.go).
 *
 * Activations publish records (site, number of registers, registers), the innermost last,
 * on a stack that lies apart from the program's own: so they are still there when control
 * comes back from a jump, and tell what was left. */
#include "library.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* What is published before the program's constructors run. */
static u64 early[1024];
static u64 *bottom = early;
u64 *__pathspan_top = early;

/* Activations alike are told once. A kind is a record with the count of it behind, in
 * the order in which they came; slots hold one more than where it starts. */
static u64 *kinds, *slots;
static u64 used, room, kinds_count, slots_mask;
static volatile char lock;

static u64 *pages(u64 words) {
  void *p = mmap(0, words * sizeof(u64), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? 0 : p;
}

static void out_of_memory(void) {
  static const char m[] = "pathspan: out of memory for paths under way\n";
  if (write(2, m, sizeof m - 1) < 0) abort();
  abort();
}

static u64 hash_of(const u64 *record) {
  u64 h = 0;
  for (u64 i = 0; i < record[1] + 2; i++) {
    h += record[i] + 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    h ^= h >> 32;
  }
  return h;
}

/* slot finds where a record stands or belongs. */
static u64 slot(const u64 *record) {
  u64 j = hash_of(record) & slots_mask;
  for (; slots[j]; j = (j + 1) & slots_mask)
    if (memcmp(kinds + slots[j] - 1, record, (record[1] + 2) * sizeof(u64)) == 0) break;
  return j;
}

static int grow_slots(void) {
  u64 *old = slots, size = slots ? 2 * (slots_mask + 1) : 256;
  u64 *more = pages(size);
  if (!more) return 0;
  if (old) munmap(old, (slots_mask + 1) * sizeof(u64));
  slots = more;
  slots_mask = size - 1;
  for (u64 at = 0; at < used; at += kinds[at + 1] + 3) slots[slot(kinds + at)] = at + 1;
  return 1;
}

static int grow_kinds(u64 words) {
  u64 size = room ? 2 * room : 1024;
  while (size < used + words) size *= 2;
  u64 *more = pages(size);
  if (!more) return 0;
  if (kinds) {
    memcpy(more, kinds, used * sizeof(u64));
    munmap(kinds, room * sizeof(u64));
  }
  kinds = more;
  room = size;
  return 1;
}

/* add counts a record some times. It returns 0 where there is no memory. */
static int add(const u64 *record, u64 times) {
  u64 words = record[1] + 3;
  if (2 * (kinds_count + 1) > (slots ? slots_mask + 1 : 0) && !grow_slots()) return 0;
  u64 j = slot(record);
  if (!slots[j]) {
    if (used + words > room && !grow_kinds(words)) return 0;
    memcpy(kinds + used, record, (words - 1) * sizeof(u64));
    kinds[used + words - 1] = 0;
    slots[j] = used + 1;
    used += words;
    kinds_count++;
  }
  u64 *count = kinds + slots[j] - 1 + words - 1;
  *count += times;
  return 1;
}

/* in_program returns the program's number of a site or, where kind is 2, of a return. */
static u64 in_program(u64 told, int kind) {
  enum { BITS = 20 };
  u64 from = 0, to = __pathspan_part_count;
  if (!to) return told;
  while (to - from > 1) {
    u64 mid = from + (to - from) / 2;
    if (__pathspan_parts[mid][0] <= told >> BITS) from = mid;
    else to = mid;
  }
  return __pathspan_parts[from][kind] + (told & (((u64)1 << BITS) - 1));
}

/* add_told counts a record as the program published it. */
static int add_told(u64 *record) {
  u64 told = record[0];
  record[0] = in_program(told & 0xffffffffu, 1) | (told >> 32 << 32);
  int done = add(record, 1);
  record[0] = told;
  return done;
}

/* An exception left an activation inside a block. */
void __pathspan_left(u64 site, u64 registers, ...) {
  enum { MOST = 64 };
  u64 record[MOST + 2] = {site, registers};
  va_list ap;
  if (registers > MOST) return; /* loops nest less deep */
  va_start(ap, registers);
  for (u64 i = 0; i < registers; i++) record[2 + i] = va_arg(ap, u64);
  va_end(ap);
  if (__pathspan_threads) while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) ;
  if (!add_told(record)) out_of_memory();
  if (__pathspan_threads) __atomic_clear(&lock, __ATOMIC_RELEASE);
}

/* above counts the records from one on. */
static int above(u64 *record) {
  for (; record < __pathspan_top; record += record[1] + 2)
    if (record[0] != END && !add_told(record)) return 0;
  return 1;
}

/* A call that may return a second time has returned, to an activation whose record is
 * given. At the first return nothing is published above it. */
void __pathspan_returned(u64 number, u64 *own) {
  u64 *end = own + own[1] + 2;
  if (own[0] == END && end == __pathspan_top) return;
  if (own[0] != END) {
    u64 site = own[0];
    own[0] = site | (in_program(number, 2) + 1) << 32; /* where the activation goes on */
    if (!add_told(own)) out_of_memory();
    own[0] = END;
  }
  if (!above(end)) out_of_memory();
  __pathspan_top = end;
}

/* end_activations counts the activations under way as the program ends, and tells how
 * many this run has left. It returns 0 where there is no memory. */
int __pathspan_end_activations(u64 *left) {
  if (!above(bottom)) return 0;
  for (u64 at = 0; at < used; at += kinds[at + 1] + 3) *left += kinds[at + kinds[at + 1] + 2];
  return 1;
}

/* add_activations adds the list up to end that an earlier run left. It returns 0 where
 * there is no memory. */
int __pathspan_add_activations(const u64 *list, const u64 *end) {
  for (; list < end; list += list[1] + 3)
    if (!add(list, list[list[1] + 2])) return 0;
  return 1;
}

void __pathspan_put_activations(void (*put)(u64), u64 (*tally)(u64)) {
  for (u64 at = 0; at < used;) {
    for (u64 end = at + kinds[at + 1] + 2; at < end; at++) put(kinds[at]);
    put(tally(kinds[at++]));
  }
}

/* forget_activations starts anew, in a child of fork: what is under way goes on. */
void __pathspan_forget_activations(void) {
  kinds = slots = 0;
  used = room = kinds_count = slots_mask = 0;
}

/* setup_activations makes the stack of records. A record takes less than the activation
 * that publishes it takes of the program's stack, or little more. */
void __pathspan_setup_activations(void) {
  struct rlimit r;
  u64 most = (u64)1 << (sizeof(void *) > 4 ? 30 : 26), size = most;
  if (getrlimit(RLIMIT_STACK, &r) == 0 && r.rlim_cur != RLIM_INFINITY && r.rlim_cur < most / 4) size = 4 * (u64)r.rlim_cur + (1 << 16);
  u64 *p = pages(size / sizeof(u64));
  if (!p) out_of_memory();
  if (__pathspan_top == early) bottom = __pathspan_top = p;
}
