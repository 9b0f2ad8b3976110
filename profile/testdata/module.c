/* What the run-time library expects of an instrumented program, for one that counts
 * nothing. */
#include "library.h"

const unsigned char __pathspan_module_hash[32] = {1, 2, 3};
const u64 __pathspan_threads, __pathspan_table_count, __pathspan_counter_count, __pathspan_site_count, __pathspan_target_count, __pathspan_part_count;
const u64 __pathspan_parts[1][3];
void *const __pathspan_targets[] = {0};
void __pathspan_each_counter(void) {}
void __pathspan_hand_over_pairs(void) {}

/* Four words, as in package profile, template.go: no list of maxima follows. */
const unsigned char __pathspan_template[32] = "a template";
const u64 __pathspan_template_size = sizeof __pathspan_template;

int main(void) { return 0; }
