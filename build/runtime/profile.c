/* The run-time library that every profiled program is linked with: it keeps the
 * hash tables, and writes all counts to a file when the program ends, however it
 * ends. The probes themselves are in the program (package build/probe); file.c knows
 * which file.
 *
 * A program with a template (profile/template.go) writes it before the counts, which
 * makes the file a bundle. It can also add its counts to those that earlier runs left,
 * and its children do as much with what they count from fork on.
 *
 * Everything on the way to the file is async-signal-safe: a program killed by a
 * signal that can be caught leaves its counts too. */
#define _GNU_SOURCE
#include "library.h"
#include "raw.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define put __pathspan_file_put

static pid_t owner;
static char written;
static int short_of_memory;
static u64 counted; /* paths that ended, and activations left, in this run */
static u64 total;   /* of all that is written: readers rely on its being below MOST */
#define MOST ((u64)1 << 63)

static u64 tally(u64 n) {
  if (n >= MOST || (total += n) >= MOST) total = MOST; /* for good */
  return n;
}

static struct earlier before;

/* next is the first word of what is left of an earlier section; END where nothing is. */
static u64 next(enum raw_tag tag) {
  struct words *w = &before.section[tag];
  return w->at < w->end ? *w->at : END;
}

static const u64 *take(enum raw_tag tag, u64 n) {
  const u64 *p = before.section[tag].at;
  before.section[tag].at += n;
  return p;
}

/* ---- counters ---- */

/* Counters at the fork that made this process, which the parent counts. */
static u64 *at_fork;
static const uint32_t *maxima;              /* counters that keep a maximum, ascending */
static u64 maximum, maxima_count;
static enum { WRITE, COPY } emit_to;

/* emit takes a counter that is not zero. What an earlier file has of others stays as it is. */
void __pathspan_emit(u64 index, u64 value) {
  if (emit_to == COPY) {
    at_fork[index] = value;
    return;
  }
  while (maximum < maxima_count && maxima[maximum] < index) maximum++;
  int max = maximum < maxima_count && maxima[maximum] == index;
  if (!max) {
    if (at_fork) value -= at_fork[index];
    counted += value;
  }
  while (next(RAW_COUNTERS) < index) {
    const u64 *p = take(RAW_COUNTERS, 2);
    put(p[0]);
    put(p[1]);
  }
  if (next(RAW_COUNTERS) == index) {
    u64 v = take(RAW_COUNTERS, 2)[1];
    if (!max) value += v;
    else if (value < v) value = v;
  }
  if (value == 0) return;
  put(index);
  put(max ? value : tally(value));
}

/* ---- hash tables of levels with too many paths for an array ---- */

struct table {
  u64 *keys, *counts;
  u64 mask, n;
};
static struct table *tables;
static volatile char table_lock;

static u64 mix(u64 k) {
  k ^= k >> 32;
  k *= 0xd6e8feb86659fd93u;
  k ^= k >> 32;
  return k;
}

static void *pages(u64 bytes) {
  void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? 0 : p;
}

static void out_of_memory(void) {
  static const char m[] = "pathspan: out of memory for path counts\n";
  if (write(2, m, sizeof m - 1) < 0) abort();
  abort();
}

/* need is pages for what the program cannot go on without. */
static void *need(u64 bytes) {
  void *p = pages(bytes);
  if (!p) out_of_memory();
  return p;
}

/* Most tables hold few keys, and all of a table is searched for counts at the end. */
enum { SMALLEST = 64 };

static int grow(struct table *t) {
  struct table old = *t;
  u64 size = old.keys ? (old.mask + 1) * 2 : SMALLEST;
  u64 *keys = pages(size * 16), *counts = keys + size, mask = size - 1;
  if (!keys) return 0;
  for (u64 i = 0; old.keys && i <= old.mask; i++) {
    if (!old.counts[i]) continue;
    u64 j = mix(old.keys[i]) & mask;
    while (counts[j]) j = (j + 1) & mask;
    keys[j] = old.keys[i];
    counts[j] = old.counts[i];
  }
  t->keys = keys;
  t->counts = counts;
  t->mask = mask;
  if (old.keys) munmap(old.keys, (old.mask + 1) * 16);
  return 1;
}

/* add_key counts a key some times. It returns 0 where there is no memory. */
static int add_key(struct table *t, u64 key, u64 times) {
  if (t->n * 2 >= t->mask && !grow(t)) return 0;
  u64 j = mix(key) & t->mask;
  while (t->counts[j] && t->keys[j] != key) j = (j + 1) & t->mask;
  if (!t->counts[j]) {
    t->keys[j] = key;
    t->n++;
  }
  t->counts[j] += times;
  return 1;
}

static void count_key(struct table *t, u64 key) {
  if (!add_key(t, key, 1)) out_of_memory();
}

/* times_of tells how often a key was counted. */
static u64 times_of(const struct table *t, u64 key) {
  if (!t->keys) return 0;
  u64 j = mix(key) & t->mask;
  while (t->counts[j] && t->keys[j] != key) j = (j + 1) & t->mask;
  return t->counts[j];
}

static void empty(struct table *t) {
  if (t->keys) munmap(t->keys, (t->mask + 1) * 16);
  memset(t, 0, sizeof *t);
}

static void add_all(struct table *to, const struct table *t) {
  for (u64 j = 0; t->keys && j <= t->mask; j++)
    if (t->counts[j] && !add_key(to, t->keys[j], t->counts[j])) short_of_memory = 1;
}

static u64 sum(const struct table *t) {
  u64 all = 0;
  for (u64 j = 0; t->keys && j <= t->mask; j++) all += t->counts[j];
  return all;
}

static void put_table(u64 i, const struct table *t) {
  const u64 *keys = t->keys, *counts = t->counts, size = keys ? t->mask + 1 : 0;
  for (u64 j = 0; j < size; j++)
    if (counts[j]) {
      put(i);
      put(keys[j]);
      put(tally(counts[j]));
    }
}

/* put_tables writes the tables with what was counted before. */
static void put_tables(void) {
  for (u64 i = 0; i < __pathspan_table_count; i++) {
    struct table *t = tables ? &tables[i] : 0, both = {0};
    if (t) counted += sum(t);
    if (next(RAW_KEYS) == i) {
      if (t) add_all(&both, t);
      while (next(RAW_KEYS) == i) {
        const u64 *p = take(RAW_KEYS, 3);
        if (!add_key(&both, p[1], p[2])) short_of_memory = 1;
      }
      t = &both;
    }
    if (t) put_table(i, t);
    empty(&both);
  }
}

static void setup(void);

void __pathspan_hash(u64 table, u64 key) {
  if (!tables) setup();
  if (!__pathspan_threads) {
    count_key(&tables[table], key);
    return;
  }
  while (__atomic_test_and_set(&table_lock, __ATOMIC_ACQUIRE)) ;
  count_key(&tables[table], key);
  __atomic_clear(&table_lock, __ATOMIC_RELEASE);
}

/* ---- targets of indirect calls ---- */

/* By site * 2^32 + index of the target, counted from 1, or 0 for one that the module does
 * not know: what the module gave away while the program ran, and all when it is written. */
static struct table calls_before, calls;
static struct table target_index; /* by address */

static u64 index_of(u64 target) {
  struct table *t = &target_index;
  if (!t->keys)
    for (u64 i = 0; i < __pathspan_target_count; i++) {
      u64 key = (u64)(uintptr_t)__pathspan_targets[i];
      if (times_of(t, key) == 0 && !add_key(t, key, i + 1)) out_of_memory();
    }
  return times_of(t, target);
}

/* ---- what the module counts itself (build/probe/functions.ll) ---- */

static int handing_over;

/* count_times counts a key of an owner: a target of a site, or a path of a table, which
 * are numbered behind the sites. */
static int count_times(u64 owner, u64 key, u64 times) {
  if (owner >= __pathspan_site_count) return add_key(&tables[owner - __pathspan_site_count], key, times);
  return add_key(handing_over ? &calls : &calls_before, owner << 32 | index_of(key), times);
}

void __pathspan_times(u64 owner, u64 key, u64 times) {
  if (!tables) setup();
  int locks = __pathspan_threads && !handing_over; /* other threads may have been stopped with the lock */
  if (locks) while (__atomic_test_and_set(&table_lock, __ATOMIC_ACQUIRE)) ;
  if (!count_times(owner, key, times)) {
    if (!handing_over) out_of_memory();
    short_of_memory = 1;
  }
  if (locks) __atomic_clear(&table_lock, __ATOMIC_RELEASE);
}

static void take_pairs(void) {
  handing_over = 1;
  __pathspan_hand_over_pairs();
  handing_over = 0;
}

/* put_calls writes the targets of indirect calls with those from before. Sites and
 * targets fit 32 bits, since each is an instruction or a function of one program. */
static void put_calls(void) {
  struct table *all = &calls;
  add_all(all, &calls_before);
  while (next(RAW_CALLS) != END) {
    const u64 *p = take(RAW_CALLS, 3);
    if (!add_key(all, p[0] << 32 | p[1], p[2])) short_of_memory = 1;
  }
  /* By site, as raw.go and earlier.c want it: sites are few, or each has few targets. */
  u64 n = 0;
  for (u64 j = 0; all->keys && j <= all->mask; j++)
    if (all->counts[j]) {
      all->keys[n] = all->keys[j];
      all->counts[n++] = all->counts[j];
    }
  for (u64 gap = n / 2; gap > 0; gap /= 2)
    for (u64 i = gap; i < n; i++) {
      u64 k = all->keys[i], c = all->counts[i], j = i;
      for (; j >= gap && all->keys[j - gap] > k; j -= gap) {
        all->keys[j] = all->keys[j - gap];
        all->counts[j] = all->counts[j - gap];
      }
      all->keys[j] = k;
      all->counts[j] = c;
    }
  for (u64 i = 0; i < n; i++) {
    put(all->keys[i] >> 32);
    put(all->keys[i] & 0xffffffffu);
    put(tally(all->counts[i]));
  }
  empty(all);
}

/* ---- runs ---- */

enum { LISTED_RUNS = 100 }; /* what is beyond is only counted */

static void put_runs(int sig) {
  struct words *runs = &before.section[RAW_RUNS];
  u64 listed = 0, more = runs->at < runs->end ? *runs->at++ : 0;
  for (const u64 *p = runs->at; p < runs->end; p += 5 + (p[4] + 7) / 8) listed++;
  int list = listed < LISTED_RUNS;
  put(more + (u64)!list);
  for (const u64 *p = runs->at; p < runs->end; p++) put(*p);
  if (list) {
    put(counted);
    put(sig ? END : (u64)(__pathspan_exit_status & 0xff));
    put((u64)sig);
    put(__pathspan_where ? __pathspan_where() : 0);
    put(__pathspan_arguments_size);
    for (u64 i = 0; i < __pathspan_arguments_size; i += 8) {
      u64 v = 0;
      for (u64 j = 0; j < 8 && i + j < __pathspan_arguments_size; j++) v |= (u64)(unsigned char)__pathspan_arguments[i + j] << (8 * j);
      put(v);
    }
  }
}

/* ---- writing ---- */

static void read_template(void) {
  u64 n;
  if (!&__pathspan_template_size) return;
  memcpy(&n, __pathspan_template + 16, sizeof n);
  maxima_count = n;
  maxima = (const uint32_t *)(const void *)(__pathspan_template + 32);
}

/* put_activations writes what was under way with that of earlier runs. */
static void put_activations(void) {
  if (!__pathspan_end_activations(&counted) || !__pathspan_add_activations(before.section[RAW_FRAMES].at, before.section[RAW_FRAMES].end)) short_of_memory = 1;
  else __pathspan_put_activations(put, tally);
}

static void put_executions(void) {
  enum { HEAD = 5 };
  if (!__pathspan_put_executions)
    for (int i = 0; i < HEAD; i++) put(0); /* a section without entries */
  else if (!__pathspan_put_executions(put)) short_of_memory = 1;
}

static volatile pid_t writer;
static volatile int complete;

/* await gives another thread that writes the profile the time to do so. */
static void await(void) {
  static const struct timespec pause_ = {0, 1000000};
  for (int i = 0; i < 10000 && !complete && writer != (pid_t)syscall(SYS_gettid); i++) nanosleep(&pause_, 0);
}

static void write_profile(int sig) {
  const unsigned char *old;
  size_t size;
  if (!__pathspan_file_open(&old, &size)) return;
  before = (struct earlier){0};
  /* A signal from outside comes where paths under way are not known, with which the work
   * of what it ends would be compared. */
  if (__pathspan_end_executions && (sig == 0 || sig == SIGABRT)) __pathspan_end_executions();
  if (size) {
    const char *wrong = __pathspan_read_earlier(&before, old, size);
    if (wrong) {
      __pathspan_file_abandon(wrong);
      return;
    }
    if (__pathspan_add_executions && !__pathspan_add_executions(before.section[RAW_TREES].at)) short_of_memory = 1;
  }
  read_template();
  if (&__pathspan_template_size) __pathspan_file_bytes(__pathspan_template, __pathspan_template_size);
  __pathspan_file_bytes(RAW_MAGIC, 8);
  for (int i = 0; i < 4; i++) {
    u64 v = 0;
    for (int j = 0; j < 8; j++) v |= (u64)__pathspan_module_hash[i * 8 + j] << (8 * j);
    put(v);
  }
  __pathspan_file_section(RAW_SIGNAL);
  put((u64)sig);
  __pathspan_file_section(RAW_COUNTERS);
  emit_to = WRITE;
  maximum = 0;
  counted = 0;
  total = 0;
  __pathspan_each_counter();
  while (next(RAW_COUNTERS) != END) put(*take(RAW_COUNTERS, 1));
  take_pairs();
  __pathspan_file_section(RAW_KEYS);
  put_tables();
  __pathspan_file_section(RAW_CALLS);
  put_calls();
  __pathspan_file_section(RAW_FRAMES);
  put_activations();
  __pathspan_file_section(RAW_TREES);
  put_executions();
  __pathspan_file_section(RAW_RUNS);
  put_runs(sig);
  __pathspan_file_section(RAW_MEMORY);
  for (struct words *w = &before.section[RAW_MEMORY]; w->at < w->end; w->at++) put(*w->at); /* END is among them */
  if (__pathspan_put_memory) __pathspan_put_memory(put);
  if (__pathspan_put_branches) __pathspan_put_branches(put);
  if (__pathspan_put_flow) __pathspan_put_flow();
  if (short_of_memory) __pathspan_file_abandon("there is no memory for it");
  else if (total >= MOST) __pathspan_file_abandon("its counts would pass 2^63; move it away to count anew");
  else __pathspan_file_close();
}

void __pathspan_ended(int sig) {
  if (getpid() != owner) return;
  if (__atomic_test_and_set(&written, __ATOMIC_ACQ_REL)) {
    if (__pathspan_threads) await();
    return;
  }
  writer = (pid_t)syscall(SYS_gettid);
  write_profile(sig);
  complete = 1;
}

/* A child of fork writes a file of its own, or adds to the one that all add to, and so
 * counts from here on. Where it would take the place of its parent's file, it writes
 * nothing. What was under way at the fork goes on in both, and ends in both. */
static void forked(void) {
  if (!__pathspan_file_shared()) return;
  __atomic_clear(&table_lock, __ATOMIC_RELEASE);
  struct table *t = pages((__pathspan_table_count + 1) * sizeof *tables);
  if (!at_fork) at_fork = pages((__pathspan_counter_count + 1) * sizeof *at_fork);
  if (!t || !at_fork) return;
  emit_to = COPY;
  __pathspan_each_counter();
  take_pairs();
  tables = t;
  empty(&calls);
  empty(&calls_before);
  if (__pathspan_forget_executions) __pathspan_forget_executions();
  if (__pathspan_forget_memory) __pathspan_forget_memory();
  if (__pathspan_forget_branches) __pathspan_forget_branches();
  if (__pathspan_forget_flow) __pathspan_forget_flow();
  __pathspan_forget_activations();
  __atomic_clear(&written, __ATOMIC_RELEASE);
  complete = 0;
  owner = getpid();
}

static void setup(void) {
  if (owner) return;
  owner = getpid();
  tables = need((__pathspan_table_count + 1) * sizeof *tables);
  __pathspan_setup_activations();
  if (&__pathspan_template_size) pthread_atfork(0, 0, forked);
}

__attribute__((constructor(101))) static void start(void) { setup(); }
