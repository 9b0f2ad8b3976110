/* What files of the run-time libraries share: what the instrumented module provides, and
 * what each file does for others. What follows executions has headers of its own. */
#ifndef PATHSPAN_LIBRARY_H
#define PATHSPAN_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t u64;
#define END (~(u64)0)

/* ---- what the instrumented module provides (build/probe) ---- */

extern const unsigned char __pathspan_module_hash[32];
extern const u64 __pathspan_threads;       /* the program may start threads */
extern const u64 __pathspan_table_count;
extern const u64 __pathspan_counter_count;
extern const u64 __pathspan_site_count;    /* indirect call sites */
extern const u64 __pathspan_target_count;
extern void *const __pathspan_targets[];   /* functions whose address is taken */
/* Where the program is in parts: of each its identity, which is above the lowest 20 bits of
 * sites and returns that it tells, and its first site and first return in the program. They
 * ascend by identity. */
extern const u64 __pathspan_part_count;
extern const u64 __pathspan_parts[][3];
void __pathspan_each_counter(void);        /* calls __pathspan_emit for each but zeros, ascending */
void __pathspan_hand_over_pairs(void);     /* calls __pathspan_times for what the module holds, and forgets it */

/* Programs that are replayed have these instead. */
extern const u64 __pathspan_meter_count;
void __pathspan_meter_rest(void);          /* adds what the meters hold */

/* What is linked to the module where the program is to write bundles itself. */
extern const unsigned char __pathspan_template[] __attribute__((weak));
extern const u64 __pathspan_template_size __attribute__((weak));

/* ---- profile.c, replay.c, clock.c: each library has one of them ---- */

/* Is called once the program ends, with the signal that ends it or 0. What it calls must
 * be async-signal-safe. */
void __pathspan_ended(int sig);

/* ---- ends.c ---- */

extern int __pathspan_exit_status;
extern const char *__pathspan_arguments;   /* each ends in a zero */
extern u64 __pathspan_arguments_size;

/* ---- file.c ---- */

int __pathspan_file_open(const unsigned char **old, size_t *size);
int __pathspan_file_shared(void);
void __pathspan_file_bytes(const void *p, size_t n);
void __pathspan_file_put(u64 v);
void __pathspan_file_section(u64 tag);
void __pathspan_file_close(void);
void __pathspan_file_abandon(const char *why);

/* ---- executions.c and executionsfile.c, which programs without marks are not linked with ---- */

__attribute__((weak)) void __pathspan_end_executions(void);
__attribute__((weak)) int __pathspan_put_executions(void (*put)(u64));
__attribute__((weak)) int __pathspan_add_executions(const u64 *earlier);
__attribute__((weak)) void __pathspan_forget_executions(void);

/* ---- lockaddresses.c, where executions or memory are told of ---- */

enum { LOCKS_OF_ONE = 1024 }; /* numbers of a name, of which all but the last tell those of an array apart by their addresses */
uint32_t __pathspan_lock_at(uint32_t lock, u64 address);

/* ---- memoryfile.c, with the rest of memory.h, branches.c and flow.c ---- */

__attribute__((weak)) void __pathspan_put_memory(void (*put)(u64));
__attribute__((weak)) void __pathspan_forget_memory(void);
__attribute__((weak)) void __pathspan_put_branches(void (*put)(u64));
__attribute__((weak)) void __pathspan_forget_branches(void);
__attribute__((weak)) void __pathspan_put_flow(void);
__attribute__((weak)) void __pathspan_forget_flow(void);

/* ---- activations.c ---- */

void __pathspan_setup_activations(void);
void __pathspan_forget_activations(void);
int __pathspan_end_activations(u64 *left);
int __pathspan_add_activations(const u64 *list, const u64 *end);
void __pathspan_put_activations(void (*put)(u64), u64 (*tally)(u64));

/* ---- watch.c, which goes with it ---- */

void __pathspan_watch(u64 event);
__attribute__((weak)) u64 __pathspan_where(void);

#endif
