/* Executions in the raw profile: written, and read of earlier runs. */
#define _GNU_SOURCE
#include "following.h"

#include <sys/mman.h>

/* Reads the entries of an earlier run, as __pathspan_put_executions wrote them, into a
 * forest-> Returns 0 where there is no memory or they cannot be. */
static int read_entries(struct forest *f, const u64 *at) {
  static u32 lane[MOST_SECTIONS];
  u32 entries = (u32)at[3];
  if (at[0] != kinds() || !__pathspan_forest_new(f, (u32)at[0], (u32)at[1], (u32)at[2])) return 0;
  struct part *read = __pathspan_pages(MOST_PARTS * sizeof *read);
  u32 *became = __pathspan_pages(MOST_ENTRIES * sizeof *became);
  u32 done = 0;
  int ok = read && became && at[3] <= MOST_ENTRIES;
  at += 5;
  for (u32 i = 0; ok && i < entries; i++) {
    u64 region = at[0], construct = at[1], sections = at[2], count = at[3];
    if (region > STREAK_REGION || construct >= __pathspan_constructs[region + 1] - __pathspan_constructs[region]) break;
    if (sections != __pathspan_sections[__pathspan_constructs[region] + construct] || sections > MOST_SECTIONS || count == 0) break;
    u32 n = 0;
    at += 5;
    for (u32 s = 0; s < sections; s++) {
      u64 end = n + *at;
      if (end > MOST_PARTS) goto wrong;
      lane[s] = (u32)*at++;
      for (; n < end; n++) {
        struct part *p = &read[n];
        *p = (struct part){.child = (u32)at[0], .times = at[1]};
        if (at[0] > i || at[1] == 0) goto wrong;
        if (at[0]) p->child = became[at[0] - 1] + 1;
        at += 2;
        for (u32 k = 0; k < f->kinds; k++) p->sum[k] = *at++;
        __pathspan_set_cells(p, f->kinds, __pathspan_grid(f, (u32)region), count);
      }
    }
    if ((became[i] = __pathspan_forest_put(f, (u32)region, (u32)construct, count, lane, read)) == FULL) break;
    done++;
  }
wrong:
  if (read) munmap(read, MOST_PARTS * sizeof *read);
  if (became) munmap(became, MOST_ENTRIES * sizeof *became);
  if (ok && done == entries) return 1;
  __pathspan_forest_free(f);
  return 0;
}

/* Adds the executions of earlier runs. Returns 0 where there is no memory. */
int __pathspan_add_executions(const u64 *earlier) {
  struct forest other;
  if (earlier[3] == 0) return 1;
  if (!__pathspan_executions_ready()) return 0;
  while (__pathspan_depth) __pathspan_drop_construct(&__pathspan_frames[--__pathspan_depth]);
  __pathspan_deeper = 0;
  if (!read_entries(&other, earlier)) return 0;
  u32 grid = other.grid < __pathspan_forest->grid ? other.grid : __pathspan_forest->grid;
  u32 most = __pathspan_forest->depth;
  if (other.depth && (most == 0 || other.depth < most)) most = other.depth;
  int ok = __pathspan_fit_forest(&other, grid, most, 0);
  __pathspan_forest_free(&other);
  return ok;
}

/* Hands over every entry, as raw.def says. Returns 0 where there is no memory. */
int __pathspan_put_executions(void (*put)(u64)) {
  __pathspan_take_in_all();
  u32 part = 0;
  u64 *roots = __pathspan_forest->entry ? __pathspan_forest_roots(__pathspan_forest) : 0;
  u32 entries = __pathspan_forest->entry ? __pathspan_forest->entries : 0;
  if (__pathspan_forest->entry && !roots) return 0;
  for (u32 i = 0; i < entries; i++) part += __pathspan_forest->entry[i].parts;
  put(__pathspan_forest->entry ? __pathspan_forest->kinds : kinds());
  put(__pathspan_forest->entry ? __pathspan_forest->grid : FINEST_GRID);
  put(__pathspan_forest->depth);
  put(entries);
  put(part);
  for (u32 i = 0; i < entries; i++) {
    const struct entry *e = &__pathspan_forest->entry[i];
    put(e->region);
    put(e->construct);
    put(e->sections);
    put(e->count);
    put(roots[i]);
    part = e->part;
    for (u32 s = 0; s < e->sections; s++) {
      u32 n = __pathspan_forest->lane[e->lane + s];
      put(n);
      for (u32 end = part + n; part < end; part++) {
        const struct part *p = &__pathspan_forest->part[part];
        put(p->child);
        put(p->times);
        for (u32 k = 0; k < __pathspan_forest->kinds; k++) put(p->sum[k]);
      }
    }
  }
  return 1;
}
