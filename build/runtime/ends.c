/* This file knows the ways a program ends. However it does, __pathspan_ended is called
 * first, with the signal that ends it or 0; what it calls must be async-signal-safe. The
 * other run-time libraries define it. */
#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the program was started with, and its status where it ends by itself. */
const char *__pathspan_arguments = "";
u64 __pathspan_arguments_size;
int __pathspan_exit_status;

#ifdef __GLIBC__
static void at_exit(int status, void *unused) {
  __pathspan_exit_status = status;
}
#endif
/* This is the last of the program's destructors, which run behind all handlers of exit. */
__attribute__((destructor(101))) static void last(void) { __pathspan_ended(0); }
static void at_quick(void) { __pathspan_ended(0); }

static const int fatal[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
  SIGSEGV, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGSYS};
static char alternate[1 << 16];

static void on_signal(int sig) {
  __pathspan_ended(sig);
  signal(sig, SIG_DFL); /* the program ends by this signal, as without us */
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, sig);
  sigprocmask(SIG_UNBLOCK, &set, 0);
  raise(sig);
}

/* keep copies the arguments, which the program may change, but not pages of them. */
static void keep(int argc, char **argv) {
  enum { MOST = 1 << 16 };
  size_t size = 0;
  int n = 1;
  for (; n < argc && size + strlen(argv[n]) + 1 <= MOST; n++) size += strlen(argv[n]) + 1;
  char *copy = malloc(size + 4), *p = copy;
  if (!copy) return;
  for (int i = 1; i < n; i++) p = stpcpy(p, argv[i]) + 1;
  if (n < argc) p = stpcpy(p, "...") + 1;
  __pathspan_arguments = copy;
  __pathspan_arguments_size = (u64)(p - copy);
}

#ifdef __GLIBC__ /* which passes main's arguments to constructors */
__attribute__((constructor(101))) static void start(int argc, char **argv) {
  keep(argc, argv);
  on_exit(at_exit, 0);
#else
__attribute__((constructor(101))) static void start(void) {
#endif
  at_quick_exit(at_quick);
  /* A stack overflow leaves no room for a handler on the stack itself. */
  stack_t ss = {.ss_sp = alternate, .ss_size = sizeof alternate};
  stack_t old;
  if (sigaltstack(0, &old) == 0 && (old.ss_flags & SS_DISABLE)) sigaltstack(&ss, 0);
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
    struct sigaction sa, was;
    if (sigaction(fatal[i], 0, &was) != 0 || was.sa_handler != SIG_DFL) continue;
    sa = (struct sigaction){.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaction(fatal[i], &sa, 0);
  }
}

/* _exit runs no atexit hook. These definitions take the place of the library's in
 * the program; its own exit still ends through the system call below. */
__attribute__((noreturn)) void _exit(int status) {
  __pathspan_exit_status = status;
  __pathspan_ended(0);
  for (;;) syscall(SYS_exit_group, status);
}
__attribute__((noreturn)) void _Exit(int status) { _exit(status); }

/* Hooks of quick_exit do not learn the status. */
extern void *dlsym(void *, const char *) __attribute__((weak));
__attribute__((noreturn)) void quick_exit(int status) {
  __pathspan_exit_status = status;
  void (*library)(int) = 0;
  if (dlsym) *(void **)&library = dlsym(RTLD_NEXT, "quick_exit");
  if (library) library(status);
  _exit(status);
}
