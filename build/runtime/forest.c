/* Joins executions that went alike: trees whose lanes hold the same entries, with works
 * of the same cells, are one entry with a count and sums. So means are exact whatever the
 * grid. The weighted sum of a work's kinds lies in a cell of a logarithmic grid, and the
 * share of each kind in one of half as many equal steps. profile/forest.go does the same to whole profiles. */
#define _GNU_SOURCE
#include "executions.h"

#include <string.h>
#include <sys/mman.h>

enum { SLOTS = 4 * MOST_ENTRIES };

/* Pages that are taken as they are touched. */
void *__pathspan_pages(size_t bytes) {
  void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? 0 : p;
}

static void release(void *p, size_t bytes) {
  if (p) munmap(p, bytes);
}

static u64 product(u64 a, u64 b) {
  u64 p;
  return __builtin_mul_overflow(a, b, &p) ? ~(u64)0 : p;
}

static u64 sum_of(u64 a, u64 b) {
  u64 s;
  return __builtin_add_overflow(a, b, &s) ? ~(u64)0 : s;
}

/* Takes n of left from a sum, so that all of it is taken with the last. */
static u64 share(u64 *sum, u64 n, u64 left) {
  u64 taken = *sum;
  if (n < left) taken = __pathspan_share(*sum, n, left);
  *sum -= taken;
  return taken;
}

/* A cell of a logarithmic grid: grid cells to a factor of two, linear within. */
uint16_t __pathspan_cell(u64 x, u32 grid) {
  if (grid == 0) return 0;
  if (x < grid) return (uint16_t)x;
  u32 e = 63 - (u32)__builtin_clzll(x);
  u64 below = (u64)1 << e;
  u32 room = e > 48 ? e - 48 : 0; /* a grid is a power of two, and has fewer bits than are left */
  return (uint16_t)(grid + e * grid + (u32)(((x - below) >> room) * grid >> (e - room)));
}

/* Finds the cells of a part of an entry that was executed so often. */
static void find_cells(struct part *p, u32 kinds, u32 grid, u64 n) {
  u64 all = 0;
  u64 weighed[MOST_KINDS];
  memset(p->cell, 0, sizeof p->cell);
  if (grid == 0) return;
  for (u32 k = 0; k < kinds; k++) all = sum_of(all, weighed[k] = product(p->sum[k], __pathspan_meter_weights[k]));
  p->cell[0] = __pathspan_cell(n == 1 ? all : all / n, grid);
  if (all == 0) return;
  for (u32 k = 0; k + 1 < kinds; k++) {
    u64 part = weighed[k];
    u64 steps = grid / 2;
    if (part >> 58) p->cell[1 + k] = (uint16_t)__pathspan_share(part, steps, all);
    else p->cell[1 + k] = (uint16_t)(part * steps / all);
  }
}

/* Most parts do as much as some part did before. */
void __pathspan_set_cells(struct part *p, u32 kinds, u32 grid, u64 count) {
  enum { KNOWN = 256 };
  static struct part known[KNOWN];
  static u32 of; /* the grid */
  u64 n = product(count, p->times), hash = 0, other = 0;
  if (n != 1 || grid == 0) {
    find_cells(p, kinds, grid, n);
    return;
  }
  if (of != grid) memset(known, 0, sizeof known); /* nothing has only cells of 0 */
  of = grid;
  for (u32 k = 0; k < MOST_KINDS; k++) hash += p->sum[k];
  struct part *like = &known[((hash + (p->sum[0] << 7)) * 0x9e3779b97f4a7c15u) >> 56];
  for (u32 k = 0; k < MOST_KINDS; k++) other |= like->sum[k] ^ p->sum[k];
  if (other) {
    find_cells(p, kinds, grid, 1);
    *like = *p;
  } else {
    memcpy(p->cell, like->cell, sizeof p->cell);
  }
}

/* Cells of kinds that there are not are 0. */
enum { WORDS = MOST_KINDS / 4 };
static void words_of(const struct part *p, u64 *word) { memcpy(word, p->cell, sizeof p->cell); }

int __pathspan_same_cells(const struct part *a, const struct part *b) {
  u64 x[WORDS], y[WORDS];
  words_of(a, x);
  words_of(b, y);
  return x[0] == y[0] && x[1] == y[1];
}

static void add_sums(struct part *to, const struct part *p, u32 kinds) {
  u64 any = 0;
  for (u32 k = 0; k < MOST_KINDS; k++) any |= to->sum[k] | p->sum[k];
  if (any >> 62 == 0) {
    for (u32 k = 0; k < MOST_KINDS; k++) to->sum[k] += p->sum[k];
    return;
  }
  for (u32 k = 0; k < kinds; k++) to->sum[k] = __pathspan_plus(to->sum[k], p->sum[k]);
}

/* Joins parts of a lane that follow each other and are alike, and work with what it is
 * done before. It sets their cells and returns how many are left. */
u32 __pathspan_shorten(struct part *lane, u32 n, u32 kinds, u32 grid, u64 count) {
  u32 out = 0;
  for (u32 i = 0; i < n; i++) {
    struct part p = lane[i];
    struct part *last = out ? &lane[out - 1] : 0;
    __pathspan_set_cells(&p, kinds, grid, count);
    if (last && last->child == 0 && p.times == 1) {
      last->child = p.child;
      add_sums(last, &p, kinds);
      __pathspan_set_cells(last, kinds, grid, count);
      if (out > 1 && last[-1].child == last->child && __pathspan_same_cells(&last[-1], last)) {
        last[-1].times = __pathspan_plus(last[-1].times, 1);
        add_sums(&last[-1], last, kinds);
        out--;
      }
    } else if (last && last->child && last->child == p.child && __pathspan_same_cells(last, &p)) {
      last->times = __pathspan_plus(last->times, p.times);
      add_sums(last, &p, kinds);
    } else {
      lane[out++] = p;
    }
  }
  return out;
}

/* ---- forests ---- */

static u32 all_constructs(void) { return __pathspan_constructs[__pathspan_region_count + 3]; }

int __pathspan_forest_new(struct forest *f, u32 kinds, u32 grid, u32 depth) {
  *f = (struct forest){.kinds = kinds, .grid = grid, .depth = depth};
  f->entry = __pathspan_pages(MOST_ENTRIES * sizeof *f->entry);
  f->lane = __pathspan_pages(MOST_PARTS * sizeof *f->lane);
  f->part = __pathspan_pages(MOST_PARTS * sizeof *f->part);
  f->slot = __pathspan_pages(SLOTS * sizeof *f->slot);
  f->of = __pathspan_pages((all_constructs() + 1) * sizeof *f->of);
  if (f->entry && f->lane && f->part && f->slot && f->of) return 1;
  __pathspan_forest_free(f);
  return 0;
}

void __pathspan_forest_free(struct forest *f) {
  release(f->entry, MOST_ENTRIES * sizeof *f->entry);
  release(f->lane, MOST_PARTS * sizeof *f->lane);
  release(f->part, MOST_PARTS * sizeof *f->part);
  release(f->slot, SLOTS * sizeof *f->slot);
  release(f->of, (all_constructs() + 1) * sizeof *f->of);
  memset(f, 0, sizeof *f);
}

static u64 mix(u64 h, u64 v) {
  h = (h ^ v) * 0xd6e8feb86659fd93u;
  return h ^ h >> 32;
}

static int alike(const struct forest *f, const struct entry *e, const u32 *lane, const struct part *part, u32 parts) {
  if (e->parts != parts) return 0;
  for (u32 i = 0; i < e->sections; i++)
    if (f->lane[e->lane + i] != lane[i]) return 0;
  for (u32 i = 0; i < parts; i++) {
    const struct part *p = &f->part[e->part + i];
    if (p->child != part[i].child || p->times != part[i].times || !__pathspan_same_cells(p, &part[i])) return 0;
  }
  return 1;
}

/* Adds executions of a construct that went alike; lanes are shortened and have cells of
 * the forest's grid. Returns their entry, FULL where a bound would be passed. What a
 * signal interrupts here leaves a forest that can be written. */
u32 __pathspan_forest_put(struct forest *f, u32 region, u32 construct, u64 count, const u32 *lane, const struct part *part) {
  u32 number = __pathspan_constructs[region] + construct;
  u32 sections = __pathspan_sections[number];
  u32 parts = 0;
  u64 hash = mix(0x9e3779b97f4a7c15u, number);
  for (u32 s = 0; s < sections; s++) {
    hash = mix(hash, lane[s]);
    for (u32 end = parts + lane[s]; parts < end; parts++) {
      u64 cells[WORDS];
      words_of(&part[parts], cells);
      hash = mix(mix(hash, part[parts].child ^ part[parts].times << 32), cells[0] ^ cells[1] * 0x9e3779b97f4a7c15u);
    }
  }
  u32 j = (u32)hash % SLOTS;
  for (; f->slot[j]; j = (j + 1) % SLOTS) {
    struct entry *e = &f->entry[f->slot[j] - 1];
    if (e->hash != hash || e->region != region || e->construct != construct || !alike(f, e, lane, part, parts)) continue;
    e->count = __pathspan_plus(e->count, count);
    for (u32 i = 0; i < parts; i++) add_sums(&f->part[e->part + i], &part[i], f->kinds);
    return f->slot[j] - 1;
  }
  if (f->entries == MOST_ENTRIES || f->of[number] == MOST_OF_ONE || f->parts + parts > MOST_PARTS || f->lanes + sections > MOST_PARTS) return FULL;
  memcpy(f->lane + f->lanes, lane, sections * sizeof *lane);
  memcpy(f->part + f->parts, part, parts * sizeof *part);
  f->entry[f->entries] = (struct entry){region, construct, sections, f->lanes, f->parts, parts, hash, count};
  f->lanes += sections;
  f->parts += parts;
  f->of[number]++;
  f->entries++;
  f->slot[j] = f->entries;
  return f->entries - 1;
}

/* How high the highest tree is. */
u32 __pathspan_forest_height(const struct forest *f) {
  u32 most = 0;
  u32 *of = __pathspan_pages((f->entries + 1) * sizeof *of);
  if (!of) return MOST_DEPTH;
  for (u32 i = 0; i < f->entries; i++) {
    const struct entry *e = &f->entry[i];
    of[i] = 1;
    for (u32 j = 0; j < e->parts; j++) {
      u32 c = f->part[e->part + j].child;
      if (c && of[c - 1] >= of[i]) of[i] = of[c - 1] + 1;
    }
    if (of[i] > most) most = of[i];
  }
  release(of, (f->entries + 1) * sizeof *of);
  return most;
}

/* By entry: executions that no entry holds. Lanes under way may hold them. */
u64 *__pathspan_forest_roots(const struct forest *f) {
  u64 *roots = __pathspan_pages((f->entries + 1) * sizeof *roots);
  if (!roots) return 0;
  for (u32 i = 0; i < f->entries; i++) roots[i] = f->entry[i].count;
  for (u32 i = 0; i < f->entries; i++) {
    const struct entry *e = &f->entry[i];
    for (u32 j = 0; j < e->parts; j++) {
      const struct part *p = &f->part[e->part + j];
      if (p->child == 0) continue;
      u64 held = product(e->count, p->times);
      roots[p->child - 1] -= held < roots[p->child - 1] ? held : roots[p->child - 1];
    }
  }
  return roots;
}

/* ---- planting ---- */

int __pathspan_planting_new(struct planting *p, const struct forest *from, u32 depths) {
  size_t n = from->entries + 1;
  *p = (struct planting){.from = from, .depths = depths};
  p->often = __pathspan_pages(n * depths * sizeof *p->often);
  p->became = __pathspan_pages(n * depths * sizeof *p->became);
  p->folded = __pathspan_pages(n * sizeof *p->folded);
  p->work = __pathspan_pages(n * MOST_KINDS * sizeof *p->work);
  if (p->often && p->became && p->folded && p->work) return 1;
  __pathspan_planting_free(p);
  return 0;
}

void __pathspan_planting_free(struct planting *p) {
  if (!p->from) return;
  size_t n = p->from->entries + 1;
  release(p->often, n * p->depths * sizeof *p->often);
  release(p->became, n * p->depths * sizeof *p->became);
  release(p->folded, n * sizeof *p->folded);
  release(p->work, n * MOST_KINDS * sizeof *p->work);
  p->from = 0;
}

/* The depth of what is executed at a depth. */
static u32 below(const struct planting *p, u32 depth) { return depth + 1 < p->depths ? depth + 1 : p->depths - 1; }

/* Sets what a part of a lane at a depth, executed so often, executes to what became of
 * it: an entry, or work. */
void __pathspan_become(struct planting *p, struct part *part, u64 count, u32 depth) {
  u32 c = part->child;
  if (c == 0) return;
  c--;
  u32 d = below(p, depth);
  if (p->depths == 1 || d < p->depths - 1) {
    part->child = p->became[(size_t)c * p->depths + d];
    return;
  }
  u64 n = product(count, part->times);
  for (u32 k = 0; k < p->from->kinds; k++)
    part->sum[k] = __pathspan_plus(part->sum[k], share(&p->work[(size_t)c * MOST_KINDS + k], n, p->folded[c]));
  p->folded[c] -= n < p->folded[c] ? n : p->folded[c];
  part->child = 0;
  part->times = 1;
}

/* Spreads how often entries are executed, which is set for those that no entry holds,
 * over what they hold. */
static void descend(struct planting *p) {
  for (u32 i = p->from->entries; i-- > 0;) {
    const struct entry *e = &p->from->entry[i];
    const u64 *often = p->often + (size_t)i * p->depths;
    for (u32 j = 0; j < e->parts; j++) {
      const struct part *part = &p->from->part[e->part + j];
      if (part->child == 0) continue;
      u64 *to = p->often + (size_t)(part->child - 1) * p->depths;
      for (u32 d = 0; d < p->depths; d++) to[below(p, d)] = __pathspan_plus(to[below(p, d)], product(often[d], part->times));
    }
    p->folded[i] = often[p->depths - 1];
  }
}

/* Puts the executions into a forest; p->often holds those that no entry holds. Returns 0
 * where they pass its bounds or memory is short. */
int __pathspan_plant(struct planting *p, struct forest *to) {
  size_t bytes = MOST_PARTS * sizeof(struct part);
  static u32 lane[MOST_SECTIONS]; /* a signal's stack has no room */
  struct part *left = __pathspan_pages(bytes);
  struct part *out = __pathspan_pages(bytes);
  int fits = left && out;
  descend(p);
  for (u32 i = 0; fits && i < p->from->entries; i++) {
    const struct entry *e = &p->from->entry[i];
    const u64 *often = p->often + (size_t)i * p->depths;
    u64 rest = 0;
    for (u32 d = 0; d < p->depths; d++) rest = __pathspan_plus(rest, often[d]);
    if (rest < e->count) rest = e->count; /* others are forgotten, with their share of the work */
    memcpy(left, p->from->part + e->part, e->parts * sizeof *left);
    for (u32 d = 0; fits && d < p->depths; d++) {
      u64 n = often[d];
      if (n == 0) continue;
      int folds = p->depths > 1 && d == p->depths - 1;
      u32 at = 0;
      u32 used = 0;
      for (u32 s = 0; s < e->sections; s++) {
        u32 parts = p->from->lane[e->lane + s];
        u32 first = used;
        for (u32 j = 0; j < parts; j++, at++) {
          struct part part = left[at];
          for (u32 k = 0; k < to->kinds; k++) part.sum[k] = share(&left[at].sum[k], n, rest);
          __pathspan_become(p, &part, n, d);
          if (folds)
            for (u32 k = 0; k < to->kinds; k++) {
              u64 *work = &p->work[(size_t)i * MOST_KINDS + k];
              *work = __pathspan_plus(*work, part.sum[k]);
            }
          else
            out[used++] = part;
        }
        if (folds) continue;
        lane[s] = __pathspan_shorten(out + first, used - first, to->kinds, __pathspan_grid(to, e->region), n);
        used = first + lane[s];
        if (lane[s] > (__pathspan_traits[__pathspan_constructs[e->region] + e->construct] & IS_LOOP ? MOST_LOOP_PARTS : MOST_LANE_PARTS)) fits = 0;
      }
      rest -= n < rest ? n : rest;
      if (folds || !fits) continue;
      u32 id = __pathspan_forest_put(to, e->region, e->construct, n, lane, out);
      if (id == FULL) fits = 0;
      p->became[(size_t)i * p->depths + d] = id + 1;
    }
  }
  release(left, bytes);
  release(out, bytes);
  return fits;
}
