/* How much of the program's memory functions of the C library read and write, where what lies
 * there decides: strings and formats. */
#include "memory.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of sizes (memory/library.go). */
enum { TEXT, COMMON, FOLDED, UNTIL };

static u32 letter(u64 at, u32 unit) { return unit == 1 ? *(const u8 *)(uintptr_t)at : *(const u32 *)(uintptr_t)at; }

/* length tells how many bytes of a string are read, of most characters. */
u64 __pathspan_length(u32 kind, u64 string, u64 other, u64 most, u32 unit) {
  u64 n = 0;
  if (!string || (!other && (kind == COMMON || kind == FOLDED))) return 0;
  for (int over = 0; n < most && !over; n++) {
    u32 c = letter(string + n * unit, unit), d;
    over = !c && kind != UNTIL;
    if (kind == COMMON || kind == FOLDED) {
      d = letter(other + n * unit, unit);
      over |= kind == COMMON ? c != d : tolower((int)c) != tolower((int)d);
    }
    if (kind == UNTIL) over = c == (unit == 1 ? (u8)other : (u32)other) || (!c && most == ~(u64)0);
  }
  return n * unit;
}

/* zero returns where a string ends. */
u64 __pathspan_zero(u64 string, u32 unit) { return string + __pathspan_length(TEXT, string, 0, ~(u64)0, unit) - unit; }

/* size_of is how many bytes a number has that is printed or scanned as this. */
static u64 size_of(char what, char size, int twice) {
  switch (size) {
  case 'h': return twice ? 1 : 2;
  case 'l': return twice || strchr("aAeEfFgG", what) ? 8 : sizeof(long);
  case 'z': case 't': return sizeof(long);
  case 'j': case 'q': return 8;
  case 'L': return strchr("aAeEfFgG", what) ? sizeof(long double) : 8;
  }
  return 4;
}

/* printed tells what a function of printf's kind reads and writes: arguments are words, 0 for
 * those that are neither integers nor pointers. */
void __pathspan_printed(struct site *s, u64 format, u32 n, ...) {
  if (!format) return;
  __pathspan_read_range(s, format, strlen((const char *)(uintptr_t)format) + 1);
  va_list ap;
  va_start(ap, n);
  u32 left = n;
#define NEXT() (left ? left--, va_arg(ap, u64) : 0)
  for (const char *f = (const char *)(uintptr_t)format; *f; f++) {
    if (*f != '%') continue;
    i64 precision = -1;
    char size = 0;
    int twice = 0;
    for (f++; *f && strchr("-+ #0'123456789.*$", *f); f++) {
      if (*f == '$') goto numbered;
      if (*f == '*') {
        i64 given = (int)NEXT();
        if (f[-1] == '.') precision = given;
      } else if (*f == '.') {
        precision = f[1] == '*' ? -1 : strtol(f + 1, 0, 10);
      }
    }
    for (; *f && strchr("hlLqjzt", *f); f++) {
      twice = size == *f;
      size = *f;
    }
    if (!*f) break;
    if (*f == '%' || *f == 'm') continue;
    u64 argument = NEXT();
    if (!argument) continue;
    u32 unit = size == 'l' || *f == 'S' ? 4 : 1;
    if (*f == 's' || *f == 'S') __pathspan_read_range(s, argument, __pathspan_length(TEXT, argument, 0, precision < 0 ? ~(u64)0 : (u64)precision, unit));
    else if (*f == 'n') __pathspan_write_range(s, argument, size_of(*f, size, twice));
  }
numbered:
  va_end(ap);
}

/* scanned tells what one of scanf's kind wrote that filled so many. */
void __pathspan_scanned(struct site *s, u64 format, i64 filled, u32 n, ...) {
  if (!format) return;
  __pathspan_read_range(s, format, strlen((const char *)(uintptr_t)format) + 1);
  va_list ap;
  va_start(ap, n);
  u32 left = n;
  for (const char *f = (const char *)(uintptr_t)format; *f; f++) {
    if (*f != '%') continue;
    int skips = 0, twice = 0, new = 0;
    u64 width = 0;
    char size = 0;
    for (f++; *f && strchr("*'m0123456789", *f); f++) {
      skips |= *f == '*';
      new |= *f == 'm';
      if (*f >= '0' && *f <= '9') width = width * 10 + (u64)(*f - '0');
    }
    for (; *f && strchr("hlLqjzt", *f); f++) {
      twice = size == *f;
      size = *f;
    }
    if (!*f) break;
    char what = *f;
    if (what == '[') {
      f++;
      f += *f == '^';
      f += *f == ']';
      while (*f && *f != ']') f++;
      if (!*f) break;
    }
    if (what == '%' || skips) continue;
    u64 to = NEXT();
    if (what != 'n' && filled-- <= 0) break;
    if (!to) continue;
    u32 unit = size == 'l' ? 4 : 1;
    u64 bytes = size_of(what, size, twice);
    if (new || what == 'p') bytes = sizeof(void *);
    else if (what == 'c') bytes = (width ? width : 1) * unit;
    else if (what == 's' || what == '[') bytes = __pathspan_length(TEXT, to, 0, ~(u64)0, unit);
    __pathspan_write_range(s, to, bytes);
  }
  va_end(ap);
}
