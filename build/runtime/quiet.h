/* Executions of loops that go by without a call of the library, since they are expected to go
 * like one before: what executions.c, inlined.c and watch.c share. */
#ifndef PATHSPAN_QUIET_H
#define PATHSPAN_QUIET_H

#include <stdint.h>

/* What is shown of the program to those who watch it (watch.c): the event of the innermost
 * section, a number that moves with each, and what marks were put off: 0 where none may be,
 * NONE_YET where none was, the event of the region that began last, or that of its loop. */
enum { NONE_YET = 1, SHOWN_PAGE = 4096 };
extern struct shown {
  volatile uint64_t event, moves, put_off;
  char rest[SHOWN_PAGE - 3 * sizeof(uint64_t)];
} __pathspan_shown;

/* How the next executions of a loop are expected to go, by construct. */
extern struct expected {
  uint64_t left;               /* of executions that may go by */
  uint64_t iterations, chunk;
  uint64_t work[8];
} __pathspan_expected[] __attribute__((weak));

#endif
