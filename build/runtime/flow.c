/* Which executions of statements wrote what others read (package streams), in a program that may
 * tell memory.c of the same accesses: names here begin with flow. Each byte that the program touches has a tag, which says
 * whose value it holds. The module says where statements begin and end, and what code between
 * them does with values: it passes them on, alone or several joined to one. */
#define _GNU_SOURCE
#include "library.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Tags: of nobody, of an input, that is an element that nobody wrote, of execution n as n + 1,
 * and of several, with SET, as a number of a pair. */
enum { NOBODY = 0, INPUT = 0x7fffffff, MOST = 1 << 22, MOST_SETS = 1 << 26, MOST_READS = 1 << 27, PENDING = 1 << 12 };
#define SET (1u << 31)

/* What an execution does, as streams.Does has it. */
enum { READS = 1, WRITES_ON = 2, ENTERS = 4 };

u64 __pathspan_flow_copier;

static u32 executions;      /* that have begun */
static u64 omitted;         /* behind the last that is kept */
static u64 reads_kept;      /* of all executions together: whose values each read */
static u32 under_way;       /* tag of the execution under way, 0 for none */
static u32 statement, does; /* of it */
static u64 top;             /* its own stack lies below */
static char off;            /* nothing more is kept */

/* ---- tags of memory ---- */

enum { PAGE_LOG = 12, PAGE_SIZE = 1 << PAGE_LOG, MIDDLE_LOG = 17, TOP_LOG = 18 };
static u32 **pages[1 << TOP_LOG];

static void *reserve(u64 bytes) {
  void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    static const char m[] = "pathspan: out of memory for the flow of data\n";
    if (write(2, m, sizeof m - 1) < 0) abort();
    abort();
  }
  return p;
}

/* tags_at returns the tags from an address on to the end of its page, 0 where all are of
 * nobody and none are to be made. Behind a page of tags are as many of readers: by which
 * execution each byte was read last; and of those before, by which before that one, which is
 * what a statement that changes what it reads writes over. */
static u32 *tags_at(u64 address, int make) {
  u64 high = address >> (PAGE_LOG + MIDDLE_LOG) & ((1 << TOP_LOG) - 1);
  u64 middle = address >> PAGE_LOG & ((1 << MIDDLE_LOG) - 1);
  if (!pages[high]) {
    if (!make) return 0;
    pages[high] = reserve(sizeof(u32 *) << MIDDLE_LOG);
  }
  u32 *page = pages[high][middle];
  if (!page) {
    if (!make) return 0;
    page = pages[high][middle] = reserve(3 * sizeof(u32) << PAGE_LOG);
  }
  return page + (address & (PAGE_SIZE - 1));
}

static u64 in_page(u64 address, u64 size) {
  u64 left = PAGE_SIZE - (address & (PAGE_SIZE - 1));
  return size < left ? size : left;
}

static void put_tag(u64 address, u64 size, u32 tag) {
  while (size) {
    u64 n = in_page(address, size);
    u32 *t = tags_at(address, tag != NOBODY);
    if (t)
      for (u64 i = 0; i < n; i++) {
        t[i] = tag;
        if (t[i + PAGE_SIZE]) t[i + PAGE_SIZE] = t[i + 2 * PAGE_SIZE] = NOBODY;
      }
    address += n;
    size -= n;
  }
}

/* ---- several tags as one ---- */

/* Sets are never given back, since values of the program that lie in registers may hold any. */
enum { CHUNK_LOG = 16, RECENT = 1 << 16 };
static struct set {
  u32 a, b;
  u32 seen, next; /* by which execution it was met last; behind it among those that wait to be walked */
} *chunks[MOST_SETS >> CHUNK_LOG];
static u32 set_count;
static u32 recent[RECENT]; /* sets by their two, each plus one */

static struct set *set_of(u32 tag) {
  tag &= ~SET;
  return &chunks[tag >> CHUNK_LOG][tag & ((1 << CHUNK_LOG) - 1)];
}

static int is_of(u32 tag, u32 set) { return set & SET && (set_of(set)->a == tag || set_of(set)->b == tag); }

static void give_up(void) {
  off = 1;
  if (under_way) {
    executions--;
    omitted++;
  }
  under_way = 0;
}

static u32 join(u32 a, u32 b) {
  if (a == b || b == NOBODY) return a;
  if (a == NOBODY) return b;
  if (a == INPUT) return b;
  if (b == INPUT) return a;
  if (is_of(b, a)) return a;
  if (is_of(a, b)) return b;
  u32 *known = &recent[(a * 0x9e3779b1u ^ b * 0x85ebca6bu) >> 8 & (RECENT - 1)];
  if (*known) {
    const struct set *s = set_of(*known - 1);
    if (s->a == a && s->b == b) return SET | (*known - 1);
  }
  if (set_count == MOST_SETS) {
    give_up();
    return NOBODY;
  }
  struct set **chunk = &chunks[set_count >> CHUNK_LOG];
  if (!*chunk) *chunk = reserve(sizeof **chunk << CHUNK_LOG);
  *set_of(set_count) = (struct set){.a = a, .b = b};
  *known = set_count + 1;
  return SET | set_count++;
}

static u32 tag_of(u64 address, u64 size) {
  u32 tag = NOBODY, last = NOBODY;
  while (size) {
    u64 n = in_page(address, size);
    const u32 *t = tags_at(address, 0);
    for (u64 i = 0; t && i < n; i++)
      if (t[i] != last) tag = join(tag, last = t[i]);
    address += n;
    size -= n;
  }
  return tag;
}

/* ---- what an execution reads ---- */

static u32 *seen, *producers; /* seen: by which execution a tag was met last */
static u32 *sizes;                       /* by tag: how many bytes that execution read of it */
static u32 producer_count;

static void met(u32 execution, u32 bytes) {
  if (execution == under_way) return;
  if (seen[execution] != under_way) {
    seen[execution] = under_way;
    sizes[execution] = 0;
    producers[producer_count++] = execution;
  }
  if (sizes[execution] + bytes >= bytes) sizes[execution] += bytes;
}

/* reads has the execution under way read so many bytes of a tag that it has not read before.
 * What was computed of several is no bytes of theirs. */
static void reads(u32 tag, u32 bytes) {
  if (tag == under_way) return;
  does |= READS;
  if (!(tag & SET)) {
    if (tag != NOBODY && tag != INPUT) met(tag, bytes);
    return;
  }
  u32 waiting = 0; /* the first of the sets that are to be walked */
  for (u32 of[2] = {tag, NOBODY};;) {
    for (int i = 0; i < 2; i++) {
      if (!(of[i] & SET)) {
        if (of[i] != NOBODY) met(of[i], 0);
        continue;
      }
      struct set *s = set_of(of[i]);
      if (s->seen == under_way) continue;
      s->seen = under_way;
      s->next = waiting;
      waiting = of[i];
    }
    if (!waiting) return;
    const struct set *s = set_of(waiting);
    waiting = s->next;
    of[0] = s->a;
    of[1] = s->b;
  }
}

/* own tells whether what is at an address is gone when the execution under way is over. */
static int own(u64 address) { return address < top && address >= (u64)(uintptr_t)__builtin_frame_address(0); }

static void reads_range(u64 address, u64 size) {
  if (own(address)) return;
  while (size) {
    u64 n = in_page(address, size);
    u32 *t = tags_at(address, 0);
    if (!t) reads(NOBODY, 0);
    for (u64 i = 0; t && i < n;) {
      u32 tag = t[i], fresh = 0;
      for (; i < n && t[i] == tag; i++)
        if (t[i + PAGE_SIZE] != under_way) {
          if (t[i + PAGE_SIZE]) t[i + 2 * PAGE_SIZE] = t[i + PAGE_SIZE];
          t[i + PAGE_SIZE] = under_way;
          fresh++;
        }
      if (fresh) reads(tag, fresh);
    }
    address += n;
    size -= n;
  }
}

/* ---- what an execution overwrites ---- */

/* Executions as items: how many of their statement came before since the loop around was entered,
 * and how often it had been. */
static struct item {
  u32 statement, entered, number;
} * items, *now; /* by execution; by statement, of the last one */

/* By statements: how many items before the one that a statement wrote over was, a bit each. */
enum { MOST_PAIRS = 1 << 12, FAR = 63, MOST_STATEMENTS = 1 << 16 };
static struct over {
  u32 from, to;
  u64 back;
} overs[MOST_PAIRS];
static u32 over_count;

/* overwrites tells that the execution under way writes over what another read or wrote last. */
static void overwrites(u32 execution) {
  if (execution == NOBODY || execution == under_way || execution & SET || execution == INPUT) return;
  const struct item *a = &items[execution], *b = &items[under_way];
  u32 back = b->number - a->number, i = 0;
  if (a->entered != b->entered || a->number > b->number || back > FAR) return;
  while (i < over_count && (overs[i].from != a->statement || overs[i].to != b->statement)) i++;
  if (i == over_count) {
    if (i == MOST_PAIRS) return;
    overs[over_count++] = (struct over){a->statement, b->statement, 0};
  }
  overs[i].back |= (u64)1 << back;
}

/* writes has the execution under way write bytes. */
static void writes(u64 address, u64 size) {
  u32 reader = NOBODY, writer = NOBODY, before = NOBODY;
  while (size) {
    u64 n = in_page(address, size);
    u32 *t = tags_at(address, 1);
    for (u64 i = 0; i < n; i++) {
      if (t[i + PAGE_SIZE] != reader) overwrites(reader = t[i + PAGE_SIZE]);
      if (reader == under_way && t[i + 2 * PAGE_SIZE] != before) overwrites(before = t[i + 2 * PAGE_SIZE]);
      if (t[i] != writer) overwrites(writer = t[i]);
      t[i] = under_way;
      if (t[i + PAGE_SIZE]) t[i + PAGE_SIZE] = t[i + 2 * PAGE_SIZE] = NOBODY;
    }
    address += n;
    size -= n;
  }
}

static void enter(u32 of, int enters) {
  if (!items) {
    items = reserve(sizeof *items * ((u64)MOST + 1));
    now = reserve(sizeof *now * (u64)MOST_STATEMENTS);
  }
  struct item *last = &now[of < MOST_STATEMENTS ? of : 0];
  last->statement = of;
  last->number++;
  if (enters) {
    last->entered++;
    last->number = 0;
  }
  items[under_way] = *last;
}

/* ---- accesses ---- */

static struct {
  void *site;
  u64 from, size;
} copied; /* what a call between statements read last, which it may write elsewhere */

static void read_range(void *site, u64 address, u64 size) {
  if (off) return;
  if (under_way) reads_range(address, size);
  else {
    copied.site = site;
    copied.from = address;
    copied.size = size;
  }
}

static void copy_tags(u64 to, u64 from, u64 size) {
  int up = to < from;
  for (u64 k = 0; k < size; k++) {
    u64 i = up ? k : size - 1 - k;
    put_tag(to + i, 1, tag_of(from + i, 1));
  }
}

static void write_range(void *site, u64 address, u64 size) {
  if (off) return;
  if (!under_way) {
    if (copied.site == site && copied.size == size && site) copy_tags(address, copied.from, size);
    else put_tag(address, size, NOBODY);
    copied.site = 0;
  } else if (!own(address)) {
    does |= WRITES_ON;
    writes(address, size);
  }
}

#define ACCESS(n)                                                                                \
  void __pathspan_flow_read##n(struct site *s, u64 address) {                                         \
    if (under_way) read_range(s, address, n);                                                    \
  }                                                                                              \
  void __pathspan_flow_write##n(struct site *s, u64 address) { write_range(s, address, n); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __pathspan_flow_read_range(struct site *s, u64 address, u64 size) { read_range(s, address, size); }
void __pathspan_flow_write_range(struct site *s, u64 address, u64 size) { write_range(s, address, size); }

/* ---- objects ---- */

/* What nobody wrote yet is from nobody, whatever lay there before. */
static void renew(u64 address, u64 size) {
  if (!off) put_tag(address, size, NOBODY);
}

void __pathspan_flow_variable(u64 address, u64 size, u32 object) {
  (void)object;
  renew(address, size);
}

void __pathspan_flow_made(u64 object, u64 address, u64 size) {
  (void)object;
  if (address) renew(address, size);
}

/* moved moves what an object held to where it is now, which may be larger. */
void __pathspan_flow_moved(struct site *s, u64 object, u64 from, u64 to, u64 size) {
  (void)s, (void)object;
  if (off || !to || to == ~(u64)0 || from == to) return;
  if (from) copy_tags(to, from, size);
  else renew(to, size);
}

void __pathspan_flow_argument(u64 address, u64 size, u32 object) { (void)address, (void)size, (void)object; }
void __pathspan_flow_gone(u64 address) { (void)address; }
void __pathspan_flow_unmapped(u64 address, u64 size) { (void)address, (void)size; }

/* ---- values between statements ---- */

static u32 pending[PENDING];
static u32 pending_count;

/* load says whose value code between statements loads. Of variables nobody need have written
 * what they hold; an element of something larger that nobody wrote is an input. */
u32 __pathspan_flow_load(u64 address, u64 size, u32 element) {
  if (off || under_way) return NOBODY;
  u32 tag = tag_of(address, size);
  return tag == NOBODY && element ? INPUT : tag;
}

u32 __pathspan_flow_join(u32 a, u32 b) { return off || under_way ? NOBODY : join(a, b); }

/* take has the next statement, or what is stored next, made of a value as well. */
void __pathspan_flow_take(u32 tag) {
  if (off || under_way || tag == NOBODY) return;
  if (pending_count == PENDING) pending[0] = join(pending[0], tag);
  else pending[pending_count++] = tag;
}

void __pathspan_flow_take_range(u64 address, u64 size) {
  u32 tag = off || under_way ? NOBODY : tag_of(address, size);
  if (tag == NOBODY) tag = INPUT;
  __pathspan_flow_take(tag);
}

void __pathspan_flow_store(u64 address, u64 size) {
  if (off || under_way) return;
  u32 tag = NOBODY;
  for (u32 i = 0; i < pending_count; i++) tag = join(tag, pending[i]);
  pending_count = 0;
  put_tag(address, size, tag);
}

/* ---- statements ---- */

static unsigned char buffer[1 << 16];
static u64 used;
static const char *name;
static pid_t owner;

static void flush(void) {
  int fd = name && getpid() == owner ? open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  for (u64 at = 0; fd >= 0 && at < used;) {
    ssize_t n = write(fd, buffer + at, used - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    at += (u64)n;
  }
  if (fd >= 0) close(fd);
  used = 0;
}

static void byte(u64 v) {
  if (used == sizeof buffer) flush();
  buffer[used++] = (unsigned char)v;
}

static void number(u64 v) {
  for (; v >= 0x80; v >>= 7) byte((v & 0x7f) | 0x80);
  byte(v);
}

/* descend sorts producers, descending: by gaps, since a signal may ask for it. */
static void descend(void) {
  u32 gap = 1;
  while (gap < producer_count / 3) gap = 3 * gap + 1;
  for (; gap; gap /= 3)
    for (u32 i = gap; i < producer_count; i++) {
      u32 p = producers[i], k = i;
      for (; k >= gap && producers[k - gap] < p; k -= gap) producers[k] = producers[k - gap];
      producers[k] = p;
    }
}

/* begin begins an execution, unless one is under way, and returns its tag. The stack of the caller ends at
 * an address; the loop around the statement has been entered so many times; when the statement began last is in met. */
u32 __pathspan_flow_begin(u32 of, u32 writes, u64 stack, u64 entered_at, u64 met_where) {
  const u64 *entered = (const u64 *)(uintptr_t)entered_at;
  u64 *met_at = (u64 *)(uintptr_t)met_where;
  if (under_way) return NOBODY;
  if (off || executions == MOST) {
    omitted++;
    off = 1;
    return NOBODY;
  }
  if (!seen) {
    seen = reserve(sizeof *seen * ((u64)MOST + 1));
    producers = reserve(sizeof *producers * ((u64)MOST + 1));
    sizes = reserve(sizeof *sizes * ((u64)MOST + 1));
  }
  under_way = ++executions;
  statement = of;
  does = writes ? WRITES_ON : 0;
  if (*met_at != *entered) does |= ENTERS;
  enter(of, *met_at != *entered);
  *met_at = *entered;
  top = stack;
  producer_count = 0;
  for (u32 i = 0; i < pending_count; i++) reads(pending[i], 0);
  pending_count = 0;
  return under_way;
}

static void keep(void) {
  reads_kept += producer_count;
  if (reads_kept > MOST_READS) {
    give_up();
    return;
  }
  number((u64)statement << 3 | does);
  number(producer_count);
  descend();
  for (u32 i = 0; i < producer_count; i++) number(under_way - producers[i]);
  for (u32 i = 0; i < producer_count; i++) number(sizes[producers[i]]);
  under_way = 0;
}

/* end ends the execution of a tag. */
void __pathspan_flow_end(u32 tag) {
  if (tag != NOBODY && tag == under_way) keep();
}

/* caught says that an exception left whatever was under way. */
void __pathspan_flow_caught(void) {
  if (under_way) keep();
}

/* What a child of fork does is no part of the flow. */
void __pathspan_forget_flow(void) {
  name = 0;
  used = 0;
  give_up();
}

static void word(u64 v) {
  for (int i = 0; i < 8; i++) byte(v >> (8 * i) & 0xff);
}

/* The flow is a file of its own; nothing goes into the profile. */
void __pathspan_put_flow(void) {
  if (under_way) keep();
  for (u32 i = 0; i < over_count; i++) {
    word(overs[i].from);
    word(overs[i].to);
    word(overs[i].back);
  }
  word(over_count);
  word(executions);
  word(omitted);
  flush();
}

__attribute__((constructor(101))) static void start(void) {
  const char *n = getenv("PATHSPAN_FLOW");
  name = n ? strdup(n) : 0;
  owner = getpid();
}

/* What functions of the library do with texts. */
#define __pathspan_read_range __pathspan_flow_read_range
#define __pathspan_write_range __pathspan_flow_write_range
#define __pathspan_length __pathspan_flow_length
#define __pathspan_zero __pathspan_flow_zero
#define __pathspan_printed __pathspan_flow_printed
#define __pathspan_scanned __pathspan_flow_scanned
#include "texts.c"
