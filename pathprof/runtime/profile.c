/* The run-time library that every profiled program is linked with: it keeps the
 * hash tables, and writes all counts to a file when the program ends, however it
 * ends. The probes themselves are in the program (package ir/probe).
 *
 * The file's name comes from __pathspan_set_filename, then from the environment
 * variable PATHSPAN_FILE, then it is "default.pathspan"; %p stands for the
 * process id, %h for the host name, %m for the module's hash, %% for %. It is
 * written beside itself under a temporary name and renamed when complete.
 *
 * Everything on the way to the file is async-signal-safe: a program killed by a
 * signal that can be caught leaves its counts too. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef uint64_t u64;

/* What the instrumented module provides. */
extern const unsigned char __pathspan_module_hash[32];
extern const u64 __pathspan_table_count;
extern const u64 __pathspan_site_count;     /* indirect call sites */
extern const u64 __pathspan_target_count;
extern void *const __pathspan_targets[];    /* functions whose address is taken */
extern const u64 __pathspan_threads;        /* the program may start threads */
extern void __pathspan_each_counter(void);  /* calls __pathspan_emit for each */
extern void __pathspan_put_executions(void (*put)(u64)); /* executions.c */

/* ---- the file ---- */

static char name_buf[4096], tmp_buf[4200];
static const char *name_pattern;
static pid_t owner;
static volatile int written;
static int out = -1, failed;
static unsigned char buffer[1 << 16];
static size_t used;
static u64 checksum;

static void flush_buffer(void) {
  size_t done = 0;
  while (done < used && !failed) {
    ssize_t n = write(out, buffer + done, used - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) { failed = 1; break; }
    done += (size_t)n;
  }
  used = 0;
}

static void put(u64 v) {
  if (used + 8 > sizeof buffer) flush_buffer();
  for (int i = 0; i < 8; i++) buffer[used++] = (unsigned char)(v >> (8 * i));
  checksum = (checksum ^ v) * 0x9e3779b97f4a7c15u;
  checksum ^= checksum >> 29;
}

static char *put_number(char *p, char *end, u64 v) {
  char digits[24];
  int n = 0;
  do digits[n++] = (char)('0' + v % 10); while ((v /= 10) != 0);
  while (n && p < end) *p++ = digits[--n];
  return p;
}

static void expand_name(void) {
  const char *s = name_pattern;
  char *p = name_buf, *end = name_buf + sizeof name_buf - 1;
  for (; *s && p < end; s++) {
    if (*s != '%') { *p++ = *s; continue; }
    switch (*++s) {
    case 'p': p = put_number(p, end, (u64)getpid()); break;
    case 'h': {
      char host[256];
      if (gethostname(host, sizeof host) != 0) host[0] = 0;
      host[sizeof host - 1] = 0;
      for (char *h = host; *h && p < end; h++) *p++ = *h;
      break;
    }
    case 'm':
      for (int i = 0; i < 8 && p + 1 < end; i++) {
        *p++ = "0123456789abcdef"[__pathspan_module_hash[i] >> 4];
        *p++ = "0123456789abcdef"[__pathspan_module_hash[i] & 15];
      }
      break;
    case '%': *p++ = '%'; break;
    default: *p++ = '%'; s--; break;
    }
  }
  *p = 0;
}

static void complain(const char *what) {
  const char *a = "pathspan: cannot write the profile ", *nl = "\n";
  ssize_t r = write(2, a, strlen(a));
  r = write(2, name_buf, strlen(name_buf));
  r = write(2, ": ", 2);
  r = write(2, what, strlen(what));
  r = write(2, nl, 1);
  (void)r;
}

void __pathspan_emit(u64 index, u64 value) {
  if (value == 0) return;
  put(index);
  put(value);
}

/* ---- hash tables of levels with too many paths for an array ---- */

struct table { u64 *keys, *counts; u64 mask, n, zero; };
static struct table *tables;
static volatile char table_lock;

static u64 mix(u64 k) {
  k ^= k >> 32; k *= 0xd6e8feb86659fd93u; k ^= k >> 32;
  return k;
}

static void *pages(u64 bytes) {
  void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) {
    static const char m[] = "pathspan: out of memory for path counts\n";
    ssize_t r = write(2, m, sizeof m - 1);
    (void)r;
    abort();
  }
  return p;
}

static void grow(struct table *t) {
  struct table old = *t;
  u64 size = old.keys ? (old.mask + 1) * 2 : 1024;
  u64 *keys = pages(size * 16), *counts = keys + size, mask = size - 1;
  for (u64 i = 0; old.keys && i <= old.mask; i++) {
    if (!old.counts[i]) continue;
    u64 j = mix(old.keys[i]) & mask;
    while (counts[j]) j = (j + 1) & mask;
    keys[j] = old.keys[i];
    counts[j] = old.counts[i];
  }
  t->keys = keys; t->counts = counts; t->mask = mask;
  if (old.keys) munmap(old.keys, (old.mask + 1) * 16);
}

static void count_key(struct table *t, u64 key) {
  if (t->n * 2 >= t->mask) grow(t);
  u64 j = mix(key) & t->mask;
  while (t->counts[j] && t->keys[j] != key) j = (j + 1) & t->mask;
  if (!t->counts[j]) { t->keys[j] = key; t->n++; }
  t->counts[j]++;
}

static void setup(void);

void __pathspan_hash(u64 table, u64 key) {
  if (!tables) setup();
  if (!__pathspan_threads) { count_key(&tables[table], key); return; }
  while (__atomic_test_and_set(&table_lock, __ATOMIC_ACQUIRE)) ;
  count_key(&tables[table], key);
  __atomic_clear(&table_lock, __ATOMIC_RELEASE);
}

/* ---- targets of indirect calls ---- */

enum { WAYS = 4 };
struct site { void *target[WAYS]; u64 count[WAYS]; };
static struct site *sites;
static struct table other_targets; /* key: site * 2^32 + function + 1 */

static u64 target_index(void *p) {
  for (u64 i = 0; i < __pathspan_target_count; i++)
    if (__pathspan_targets[i] == p) return i + 1;
  return 0;
}

void __pathspan_icall(u64 site, void *target) {
  if (!sites) setup();
  struct site *s = &sites[site];
  if (!__pathspan_threads && s->target[0] == target) { s->count[0]++; return; }
  if (__pathspan_threads) while (__atomic_test_and_set(&table_lock, __ATOMIC_ACQUIRE)) ;
  int i = 0;
  while (i < WAYS && s->target[i] && s->target[i] != target) i++;
  if (i < WAYS) { s->target[i] = target; s->count[i]++; }
  else count_key(&other_targets, site << 32 | target_index(target));
  if (__pathspan_threads) __atomic_clear(&table_lock, __ATOMIC_RELEASE);
}

/* ---- activations under way, published around calls that may end the program ---- */

struct frame { struct frame *up; u64 site, n, regs[]; };
struct frame *__pathspan_frames;

/* ---- writing ---- */

static void write_profile(int sig) {
  if (written || getpid() != owner) return;
  written = 1;
  expand_name();
  char *t = tmp_buf;
  for (char *s = name_buf; *s; s++) *t++ = *s;
  for (const char *s = ".tmp"; *s; s++) *t++ = *s;
  t = put_number(t, tmp_buf + sizeof tmp_buf - 1, (u64)owner);
  *t = 0;
  out = open(tmp_buf, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (out < 0) { complain("it cannot be created"); return; }
  used = 0; failed = 0; checksum = 0;
  memcpy(buffer, "PSPRAW03", 8);
  used = 8;
  for (int i = 0; i < 4; i++) {
    u64 v = 0;
    for (int j = 0; j < 8; j++) v |= (u64)__pathspan_module_hash[i * 8 + j] << (8 * j);
    put(v);
  }
  put((u64)sig);
  __pathspan_each_counter();
  put(~(u64)0);
  for (u64 i = 0; tables && i < __pathspan_table_count; i++)
    for (u64 j = 0; tables[i].keys && j <= tables[i].mask; j++)
      if (tables[i].counts[j]) { put(i); put(tables[i].keys[j]); put(tables[i].counts[j]); }
  put(~(u64)0);
  for (u64 i = 0; sites && i < __pathspan_site_count; i++)
    for (int j = 0; j < WAYS; j++)
      if (sites[i].count[j]) { put(i); put(target_index(sites[i].target[j])); put(sites[i].count[j]); }
  for (u64 j = 0; other_targets.keys && j <= other_targets.mask; j++)
    if (other_targets.counts[j]) {
      put(other_targets.keys[j] >> 32);
      put(other_targets.keys[j] & 0xffffffffu);
      put(other_targets.counts[j]);
    }
  put(~(u64)0);
  for (struct frame *f = __pathspan_frames; f; f = f->up) {
    if (f->site == ~(u64)0) continue; /* in no published block */
    put(f->site);
    put(f->n);
    for (u64 i = 0; i < f->n; i++) put(f->regs[i]);
    put(1);
  }
  put(~(u64)0);
  __pathspan_put_executions(put);
  put(~(u64)0);
  put(0); put(0);
  u64 sum = checksum;
  put(sum);
  flush_buffer();
  if (close(out) != 0) failed = 1;
  if (failed) { complain("the disk may be full"); unlink(tmp_buf); return; }
  if (rename(tmp_buf, name_buf) != 0) { complain("it cannot be renamed into place"); unlink(tmp_buf); }
}

void __pathspan_ended(int sig) { write_profile(sig); }

static void setup(void) {
  if (owner) return;
  owner = getpid();
  tables = pages((__pathspan_table_count + 1) * sizeof *tables);
  sites = pages((__pathspan_site_count + 1) * sizeof *sites);
}

__attribute__((constructor(101))) static void start(void) {
  setup();
  if (!name_pattern) name_pattern = getenv("PATHSPAN_FILE");
  if (!name_pattern || !*name_pattern) name_pattern = "default.pathspan";
  else name_pattern = strdup(name_pattern);
}

void __pathspan_set_filename(const char *name) {
  name_pattern = name ? strdup(name) : "default.pathspan";
}
