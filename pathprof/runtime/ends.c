/* The ways a program ends. However it does, __pathspan_ended is called first, with
 * the signal that ends it or 0; what it calls must be async-signal-safe. The other
 * run-time libraries define it. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void __pathspan_ended(int sig);

static void at_exit(void) { __pathspan_ended(0); }

static const int fatal[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
  SIGSEGV, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGSYS};
static char alternate[1 << 14];

static void on_signal(int sig) {
  __pathspan_ended(sig);
  signal(sig, SIG_DFL); /* the program ends by this signal, as without us */
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, sig);
  sigprocmask(SIG_UNBLOCK, &set, 0);
  raise(sig);
}

__attribute__((constructor(101))) static void start(void) {
  atexit(at_exit);
  at_quick_exit(at_exit);
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
  __pathspan_ended(0);
  for (;;) syscall(SYS_exit_group, status);
}
__attribute__((noreturn)) void _Exit(int status) { _exit(status); }
