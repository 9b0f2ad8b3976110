/* What accesses.c hands to replay.c. */
#ifndef PATHSPAN_ACCESSES_H
#define PATHSPAN_ACCESSES_H

#include <stdint.h>

/* An access as it is told: the address in the low 48 bits, then how many bytes less one, whether
 * it is to a variable of its thread's own stack, and in the highest whether it writes. It does not cross a line of ACCESS_LINE bytes. */
enum { ACCESS_LINE = 64, ACCESS_LEAST = 16 /* bytes of the smallest lines that caches have */ };
#define ACCESS_WRITES ((uint64_t)1 << 63)
#define ACCESS_OWN ((uint64_t)1 << 62)

void __pathspan_access_tell(uint64_t word);

/* The one told last since the event before, 0 for none: what repeats it changes no cache. */
extern uint64_t __pathspan_access_last;

/* How many regions and deferred tasks are under way, one in the other. */
extern uint32_t __pathspan_access_depth;

#endif
