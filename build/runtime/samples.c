/* Loops that are executed often: what is told of some executions stands for the others, whose
 * work is kept in sum. */
#include "following.h"
#include "quiet.h"

/* Adds to an entry what went like it: to each part of its iterations its share of the work. */
static void take_in(struct sample *s) {
  struct entry *e = &__pathspan_forest->entry[s->id];
  u32 iterations = __pathspan_forest->lane[e->lane];
  for (u32 k = 0; k < __pathspan_forest->kinds; k++) {
    u64 before = 0, now = 0, given = 0;
    for (u32 i = 0; i < iterations; i++) before = __pathspan_plus(before, __pathspan_forest->part[e->part + i].sum[k]);
    for (u32 i = 0; i < iterations; i++) {
      struct part *p = &__pathspan_forest->part[e->part + i];
      now = __pathspan_plus(now, before ? p->sum[k] : 1);
      u64 end = (u64)(s->sum[k] / (double)(before ? before : iterations) * (double)now);
      if (i + 1 == iterations || end > s->sum[k]) end = s->sum[k];
      p->sum[k] = __pathspan_plus(p->sum[k], end - given);
      given = end;
    }
  }
  for (u32 i = 0; i < e->parts; i++) {
    struct part *p = &__pathspan_forest->part[e->part + i];
    if (i >= iterations) p->sum[0] = __pathspan_plus(p->sum[0], s->iterations * s->count);
    if (p->child) __pathspan_forest->entry[p->child - 1].count = __pathspan_plus(__pathspan_forest->entry[p->child - 1].count, p->times * s->count);
  }
  e->count = __pathspan_plus(e->count, s->count);
  memset(s->sum, 0, sizeof s->sum);
  s->count = 0;
}

/* Adds executions of as much work to the sample that they went like. Returns how many
 * instructions one of them was. */
static u64 went(struct often *o, struct sample *s, const u64 *work, u64 times) {
  u64 all = 0;
  for (u32 k = 0; k < __pathspan_forest->kinds; k++) {
    s->sum[k] = __pathspan_plus(s->sum[k], times * work[k]);
    all = __pathspan_plus(all, work[k]);
  }
  s->count += times;
  o->done = __pathspan_plus(o->done, times * all);
  return all;
}

/* Adds executions that went by to the sample that they went like. No more may until they
 * are granted again. */
void __pathspan_take_grant(u32 number) {
  struct often *o = &__pathspan_often[number];
  if (!o->granted) return;
  struct expected *e = &__pathspan_expected[number];
  u64 times = o->grant - e->left;
  struct sample *s = o->granted;
  e->left = 0;
  o->granted = 0;
  if (times) went(o, s, e->work, times);
}

/* Lets executions of a loop go by that go like one, of so many instructions, that went like a
 * sample, until it is to be told of. */
static void grant(u32 number, struct sample *s, const u64 *work, u64 all) {
  struct often *o = &__pathspan_often[number];
  if (!__pathspan_expected || o->wanted || o->done >= o->price) return;
  o->granted = s;
  o->grant = (o->price - o->done) / (all + 1) + 1;
  __pathspan_expected[number] = (struct expected){.left = o->grant, .iterations = s->iterations, .chunk = s->chunk};
  memcpy(__pathspan_expected[number].work, work, __pathspan_forest->kinds * sizeof *work);
}

/* Sees to it that the forest holds all that was executed. */
void __pathspan_take_in_all(void) {
  if (!__pathspan_samples || !__pathspan_forest->entry) return;
  for (u32 c = 0; c < __pathspan_constructs[__pathspan_region_count]; c++) {
    __pathspan_take_grant(c);
    for (u32 i = 0; i < __pathspan_often[c].samples; i++) {
      struct sample *s = &__pathspan_samples[(size_t)c * SAMPLES + i];
      if (s->generation == __pathspan_generation && s->count) take_in(s);
    }
  }
}

u64 __pathspan_weigh(const u64 *work) {
  u64 all = 0;
  for (u32 k = 0; k < __pathspan_forest->kinds; k++) all = __pathspan_plus(all, work[k] * __pathspan_meter_weights[k]);
  return all;
}

static int alike(const struct sample *s, u64 iterations, u64 chunk) {
  return s->generation == __pathspan_generation && s->iterations == iterations && s->chunk == chunk;
}

/* The sample of as many iterations whose work is nearest, or for ANY work some; 0 where there
 * is none. */
struct sample *__pathspan_nearest_sample(u32 number, u64 iterations, u64 chunk, u32 cell) {
  struct often *o = &__pathspan_often[number];
  struct sample *all = __pathspan_samples + (size_t)number * SAMPLES, *best = 0;
  u32 slot = cell % SAMPLES, least = ~(u32)0;
  if (o->found[slot].cell == cell + 1 && alike(&all[o->found[slot].sample], iterations, chunk)) return &all[o->found[slot].sample];
  for (u32 i = 0; i < o->samples; i++) {
    struct sample *s = &all[i];
    if (!alike(s, iterations, chunk)) continue;
    u32 off = s->cell < cell ? cell - s->cell : s->cell - cell;
    if (off >= least) continue;
    least = off;
    best = s;
  }
  if (best) {
    o->found[slot].cell = cell + 1;
    o->found[slot].sample = (u32)(best - all);
  }
  return best;
}

/* A place for a sample: one of an earlier forest, an unused one, or else each in turn. */
static struct sample *place(u32 number) {
  struct sample *all = __pathspan_samples + (size_t)number * SAMPLES;
  struct often *o = &__pathspan_often[number];
  memset(o->found, 0, sizeof o->found);
  for (u32 i = 0; i < o->samples; i++)
    if (all[i].generation != __pathspan_generation) return &all[i];
  struct sample *s = &all[o->samples < SAMPLES ? o->samples++ : o->told % SAMPLES];
  if (s->generation == __pathspan_generation && s->count) take_in(s);
  return s;
}

/* Makes a sample of a loop that was told of. */
void __pathspan_remember_sample(const struct frame *f, u32 id) {
  u32 number = __pathspan_constructs[f->region] + f->open;
  struct often *o = &__pathspan_often[number];
  u32 cell = __pathspan_cell(__pathspan_weigh(f->all), __pathspan_grid(__pathspan_forest, f->region));
  __pathspan_take_grant(number);
  struct sample *s = __pathspan_nearest_sample(number, f->iterations, f->chunk, cell);
  o->sure = s && s->id == id ? o->sure + 1 : 0;
  if (!s || s->cell != cell) {
    s = place(number);
    *s = (struct sample){id, __pathspan_generation, f->iterations, f->chunk, cell, 0, {0}};
  } else if (s->id != id) {
    if (s->count) take_in(s);
    s->id = id;
  }
  o->told = __pathspan_plus(o->told, f->told + BESIDE);
  o->wanted = 0;
  o->done = 0;
  o->price = (f->told + BESIDE) * BLOCK_PRICE << (o->sure < SURE ? o->sure : SURE);
}

/* Takes an execution of a loop to have gone like the nearest sample, and returns the entry of
 * that. FULL where there is no sample any more. */
u32 __pathspan_went_like(u32 region, u32 number, u64 iterations, u64 chunk, const u64 *work) {
  struct often *o = &__pathspan_often[number];
  u32 grid = __pathspan_grid(__pathspan_forest, region), cell = __pathspan_cell(__pathspan_weigh(work), grid);
  __pathspan_take_grant(number);
  struct sample *s = __pathspan_nearest_sample(number, iterations, chunk, cell);
  if (!s) return FULL;
  u32 near = NEAR * (grid > FINEST_GRID ? grid / FINEST_GRID : 1);
  o->wanted = s->cell > cell + near || cell > s->cell + near;
  grant(number, s, work, went(o, s, work, 1));
  return s->id;
}
