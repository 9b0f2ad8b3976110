/* Which lock is meant where one is taken: locks are told apart by their addresses, whoever asks. */
#include "library.h"

/* An address is a lock of the name under which it was taken first. Where there are more
 * than numbers, they share these in turn. */
uint32_t __pathspan_lock_at(uint32_t lock, u64 address) {
  enum { SLOTS = 1 << 16, MOST_NAMES = 4096, NUMBERS = LOCKS_OF_ONE - 1 };
  static u64 known[SLOTS], first;
  static uint32_t number[SLOTS], all, of[MOST_NAMES]; /* how many addresses a name has */
  if (address == 0 || lock >= MOST_NAMES) return lock * LOCKS_OF_ONE;
  if (!first) first = address; /* what is told does not hang on where the program lies */
  u64 slot = ((address - first) >> 3) * 0x9e3779b97f4a7c15u >> 48;
  for (; known[slot]; slot = (slot + 1) % SLOTS)
    if (known[slot] == address) return number[slot];
  uint32_t n = lock * LOCKS_OF_ONE + (all < SLOTS / 2 ? of[lock]++ : (uint32_t)slot) % NUMBERS;
  if (all < SLOTS / 2) {
    all++;
    known[slot] = address;
    number[slot] = n;
  }
  return n;
}
