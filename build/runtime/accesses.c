/* Streams what a replayed program reads and writes, so that caches can be simulated access by
 * access: in place of memory.c and what goes with it, which profiled programs have. */
#include "accesses.h"

typedef uint64_t u64;

u64 __pathspan_copier; /* where copies of arguments are made, which nobody asks for here */

/* Where one access is followed by others to the same few bytes, only the first is told, and the
 * first that writes. */
static inline void tell(u64 address, u64 size, u64 writes) {
  u64 place = address / ACCESS_LEAST << 1, last = __pathspan_access_last;
  if ((last >> 1 << 1) == (place | ACCESS_WRITES) && ((last & 1) || !writes) && (address % ACCESS_LEAST) + size <= ACCESS_LEAST) return;
  __pathspan_access_last = place | ACCESS_WRITES | (writes != 0);
  __pathspan_access_tell(writes | (size - 1) << 48 | (address & (((u64)1 << 48) - 1)));
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
