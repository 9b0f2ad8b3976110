/* This file knows where the profile goes: its name from a pattern, its folders, and how
 * it takes the place of what was there. Everything here is async-signal-safe.
 *
 * In a pattern, as for LLVM's profiles, %p is the process id, %h the host's name, %t the
 * folder that TMPDIR names, %m the module's hash, %Nm (N from 1 to 9) the same with one
 * of N numbers, and %% is %. Processes add what they counted to the file of a name with
 * %m, one after the other; other files are replaced. */
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char name[4096], part[4200], problem[4200];
static const char *pattern, *tmpdir;
static int out = -1, locked = -1, failed, created, held;
static u64 buffer[1 << 13];
static size_t used;         /* words */
static off_t flushed;       /* bytes of the file that are not in the buffer any more */
static off_t section;       /* where the length of the section under way stands, 0 outside of all */
static u64 checksum;
static sigset_t unblocked;

/* ---- messages ---- */

static void say(const char *a, const char *b, const char *c, const char *d) {
  const char *all[] = {"pathspan: ", a, b, c, d, "\n"};
  char *p = problem, *end = problem + sizeof problem;
  for (int i = 0; i < 6; i++)
    for (const char *s = all[i]; *s && p < end; s++) *p++ = *s;
  if (p == end) p[-1] = '\n';
  if (write(2, problem, (size_t)(p - problem)) < 0) return;
}

static void complain(const char *what) { say("cannot write the profile ", name, ": ", what); }

/* ---- the name ---- */

static const char *default_name(void) { return &__pathspan_template_size ? "default.pspan" : "default.pathspan"; }

/* specifier tells the letter behind the % at s, and in number that before it, if any. */
static char specifier(const char *s, int *number) {
  *number = 0;
  if (s[1] >= '1' && s[1] <= '9' && s[2] == 'm') {
    *number = s[1] - '0';
    return 'm';
  }
  return s[1];
}

static int pattern_has(char letter) {
  int n;
  for (const char *s = pattern; *s; s++)
    if (*s == '%') {
      char c = specifier(s, &n);
      if (c == letter) return 1;
      if (c == '%') s++;
    }
  return 0;
}

static char *put_text(char *p, char *end, const char *s) {
  while (*s && p < end) *p++ = *s++;
  return p;
}

static char *put_number(char *p, char *end, u64 v) {
  char digits[24];
  int n = 0;
  do digits[n++] = (char)('0' + v % 10); while ((v /= 10) != 0);
  while (n && p < end) *p++ = digits[--n];
  return p;
}

static char *put_hash(char *p, char *end) {
  for (int i = 0; i < 8 && p + 1 < end; i++) {
    *p++ = "0123456789abcdef"[__pathspan_module_hash[i] >> 4];
    *p++ = "0123456789abcdef"[__pathspan_module_hash[i] & 15];
  }
  return p;
}

/* expand makes the name. It returns 0 where it does not fit. */
static int expand(void) {
  char *p = name, *end = name + sizeof name - 1;
  if (pattern_has('c')) say("%c in PATHSPAN_FILE is not supported: counts are written when the program ends, not while it runs", "", "", "");
  if (pattern_has('t') && !tmpdir) {
    say("TMPDIR is not set, and PATHSPAN_FILE has %t; the profile is written to ", default_name(), "", "");
    pattern = default_name();
  }
  for (const char *s = pattern; *s && p < end; s++) {
    int n;
    if (*s != '%') {
      *p++ = *s;
      continue;
    }
    switch (specifier(s, &n)) {
    case 'p':
      p = put_number(p, end, (u64)getpid());
      break;
    case 'h': {
      char host[256];
      if (gethostname(host, sizeof host) != 0) host[0] = 0;
      host[sizeof host - 1] = 0;
      p = put_text(p, end, host);
      break;
    }
    case 't':
      p = put_text(p, end, tmpdir);
      break;
    case 'm':
      p = put_hash(p, end);
      if (n) {
        p = put_text(p, end, "_");
        p = put_number(p, end, (u64)getpid() % (u64)n);
        s++;
      }
      break;
    case 'c': break;
    case '%':
      *p++ = '%';
      break;
    default:
      *p++ = '%';
      s--;
      break;
    }
    s++;
  }
  *p = 0;
  return p < end;
}

static void make_folders(void) {
  for (char *s = name + 1; *name && *s; s++)
    if (*s == '/' && s[-1] != '/') {
      *s = 0;
      mkdir(name, 0777);
      *s = '/';
    }
}

/* ---- the file ---- */

/* foreign tells what the name stands for where that is no ordinary file: another program
 * may never read from a pipe, and what is there is not ours to replace. */
static const char *foreign(const struct stat *there) {
  switch (there->st_mode & S_IFMT) {
  case S_IFREG: return 0;
  case S_IFDIR: return "it is a folder; name a file in it";
  case S_IFIFO: return "it is a pipe, and counts are only written to ordinary files";
  case S_IFSOCK: return "it is a socket, and counts are only written to ordinary files";
  }
  return "it is a device, and counts are only written to ordinary files";
}

/* lock opens the file of the name, which is made empty where there is none, and waits
 * until no other process has it. One that was replaced meanwhile is opened anew. */
static int lock(const unsigned char **old, size_t *size) {
  for (;;) {
    struct stat ours, named;
    created = access(name, F_OK) != 0;
    locked = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (locked < 0) {
      complain(created ? "it cannot be created" : "what is there cannot be opened");
      return 0;
    }
    int r;
    while ((r = flock(locked, LOCK_EX)) < 0 && errno == EINTR) ;
    if (r < 0) {
      complain("it cannot be locked, and other processes may write it");
      return 0;
    }
    if (fstat(locked, &ours) == 0 && stat(name, &named) == 0 && ours.st_ino == named.st_ino && ours.st_dev == named.st_dev) {
      if (foreign(&ours)) {
        complain(foreign(&ours));
        return 0;
      }
      created = created && ours.st_size == 0;
      *size = (size_t)ours.st_size;
      if (!*size) return 1;
      void *p = mmap(0, *size, PROT_READ, MAP_PRIVATE, locked, 0);
      if (p == MAP_FAILED) {
        complain("what is there cannot be read");
        return 0;
      }
      *old = p;
      return 1;
    }
    close(locked);
  }
}

static void release(void) {
  if (locked >= 0) close(locked);
  locked = -1;
  if (held) { /* what a limit on files or a closed pipe sent for our own writing */
    static const struct timespec now;
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    sigaddset(&ours, SIGPIPE);
    while (sigtimedwait(&ours, 0, &now) > 0) ;
  }
  held = 0;
  sigprocmask(SIG_SETMASK, &unblocked, 0);
}

/* What arrives while the file is written waits, so that none is left half written.
 * Faults cannot wait. */
static void hold_signals(void) {
  sigset_t set;
  sigfillset(&set);
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&set, faults[i]);
  sigprocmask(SIG_BLOCK, &set, 0);
  held = 1;
}

/* file_shared tells whether each process has a file of its own, or adds to the same. */
int __pathspan_file_shared(void) { return pattern_has('p') || pattern_has('m'); }

/* file_abandon gives up: nothing is written, and the file that was there stays. */
void __pathspan_file_abandon(const char *why) {
  complain(why);
  close(out);
  unlink(part);
  if (locked >= 0 && created) unlink(name);
  release();
}

/* file_open opens the file. Where its counts are added to those of the file that is
 * there, old is set to its content. Returns 0 after a complaint when there is none to
 * write, and without one when it is /dev/null. */
int __pathspan_file_open(const unsigned char **old, size_t *size) {
  struct stat there, null;
  *old = 0;
  *size = 0;
  used = 0;
  failed = 0;
  created = 0;
  locked = -1;
  flushed = 0;
  section = 0;
  sigprocmask(SIG_BLOCK, 0, &unblocked);
  if (!expand()) {
    complain("its name is too long");
    return 0;
  }
  make_folders();
  if (stat(name, &there) == 0 && foreign(&there)) {
    if (!S_ISCHR(there.st_mode) || stat("/dev/null", &null) != 0 || there.st_rdev != null.st_rdev) complain(foreign(&there));
    return 0;
  }
  if (&__pathspan_template_size && pattern_has('m') && !lock(old, size)) {
    release();
    return 0;
  }
  hold_signals();
  char *t = put_text(part, part + sizeof part, name);
  t = put_text(t, part + sizeof part, ".tmp");
  t = put_number(t, part + sizeof part - 1, (u64)getpid());
  *t = 0;
  unlink(part); /* of another process of that number */
  out = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (out >= 0) return 1;
  complain("it cannot be created");
  if (locked >= 0 && created) unlink(name);
  release();
  return 0;
}

static void write_all(const unsigned char *p, size_t n) {
  while (n && !failed) {
    ssize_t k = write(out, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) {
      failed = 1;
      return;
    }
    p += k;
    n -= (size_t)k;
  }
}

__attribute__((noinline)) static void flush(void) {
  write_all((const unsigned char *)buffer, used * sizeof *buffer);
  flushed += (off_t)(used * sizeof *buffer);
  used = 0;
}

static u64 little_endian(u64 v) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  v = __builtin_bswap64(v);
#endif
  return v;
}

/* file_bytes writes bytes as they are, and starts the checksum anew. */
void __pathspan_file_bytes(const void *p, size_t n) {
  flush();
  write_all(p, n);
  flushed += (off_t)n;
  checksum = 0;
}

static void append(u64 v) {
  if (used == sizeof buffer / sizeof *buffer) flush();
  buffer[used++] = little_endian(v);
}

static void sum(u64 v) {
  checksum = (checksum ^ v) * 0x9e3779b97f4a7c15u;
  checksum ^= checksum >> 29;
}

void __pathspan_file_put(u64 v) {
  append(v);
  sum(v);
}

/* end_section ends the section under way: its length takes its place, and is summed up
 * last. */
static void end_section(void) {
  if (!section) return;
  u64 n = (u64)(flushed + (off_t)(used * sizeof *buffer) - section) / sizeof *buffer - 1;
  u64 word = little_endian(n);
  if (section >= flushed) buffer[(size_t)(section - flushed) / sizeof *buffer] = word;
  else if (!failed && pwrite(out, &word, sizeof word, section) != (ssize_t)sizeof word) failed = 1;
  sum(n);
  section = 0;
}

/* file_section begins a section of the raw profile (raw.def). */
void __pathspan_file_section(u64 tag) {
  end_section();
  __pathspan_file_put(tag);
  if (used == sizeof buffer / sizeof *buffer) flush();
  section = flushed + (off_t)(used * sizeof *buffer);
  append(0);
}

/* file_close ends the file with the checksum and puts it into place. */
void __pathspan_file_close(void) {
  end_section();
  __pathspan_file_put(checksum);
  flush();
  if (failed) {
    __pathspan_file_abandon("the disk may be full");
    return;
  }
  if (close(out) != 0) {
    out = -1;
    __pathspan_file_abandon("the disk may be full");
    return;
  }
  if (rename(part, name) != 0) {
    out = -1;
    __pathspan_file_abandon("it cannot be renamed into place");
    return;
  }
  release();
}

/* kept copies what is in the environment, to a place outside of the heap where it is not long, so that objects of the heap lie
 * in lines as they do in the program alone, whatever these texts are. */
enum { KEPT = 4096 };
static const char *kept(const char *s, char *room) {
  size_t n = strlen(s) + 1;
  return n > KEPT ? strdup(s) : memcpy(room, s, n);
}

/* This runs before the program's own constructors, which may change the environment. */
__attribute__((constructor(101))) static void start(void) {
  static char of_pattern[KEPT], of_tmpdir[KEPT];
  const char *t = getenv("TMPDIR");
  if (t) tmpdir = kept(t, of_tmpdir);
  if (!pattern) {
    const char *p = getenv("PATHSPAN_FILE");
    pattern = p && *p ? kept(p, of_pattern) : default_name();
  }
  if (!pattern) pattern = default_name();
}

void __pathspan_set_filename(const char *s) {
  pattern = s ? strdup(s) : 0;
  if (!pattern) pattern = default_name();
}
