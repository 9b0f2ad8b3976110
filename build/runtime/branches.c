/* This file tells how often a branch goes elsewhere than a processor would foretell that remembers many
 * branches: tagged tables of longer and longer histories beside one by branch alone (A. Seznec, P. Michaud,
 * "A case for (partially) tagged geometric history length branch prediction", JILP 8, 2006). An entry holds where
 * control went, and not a direction, so that switches are foretold as branches are (A. Seznec, "A 64-Kbytes ITTAGE
 * indirect branch predictor", JWAC-2, 2011). There are as many entries as have it learn chance that comes again after so many
 * branches as well as an AMD EPYC of family 23 does, whose times show that: 8192 by half. Histories are folded to odd widths, as
 * to even ones every other branch leaves but half of the bits, where those between always go the same way.
 *
 * The program (build/probe/branches.go) says where control goes, by numbers of ways: those of one branch
 * follow each other. */
#include "library.h"
#include "raw.h"

#include <string.h>
#include <unistd.h>

enum { TABLES = 10, LOG = 9, TAG = 11, PAST = 1024, AGE = 1 << 18, SURE = 3, USEFUL = 3, BRANCH = 19 };

static const uint16_t history[TABLES] = {4, 8, 13, 23, 40, 69, 120, 208, 360, 640};

struct entry {
  uint32_t way;
  uint16_t tag;
  uint8_t sure, useful;
};
static struct entry table[TABLES][1 << LOG];

/* In the program: by branch the way that is taken, twice, and whether that is sure; by way how often it was not
 * foretold, and how often taken. */
extern uint32_t __pathspan_branch_base[];
extern u64 __pathspan_branch_ways[][2];
extern const u64 __pathspan_branch_way_count;

/* What was taken last, a bit each, and that folded into the widths of an index and of two tags. */
static uint8_t past[PAST];
static uint32_t at;
static struct folded { uint32_t index, tag, more; } folded[TABLES];

static uint32_t fold(uint32_t f, uint32_t in, uint32_t out, uint32_t length, uint32_t width) {
  f = (f << 1 | in) ^ out << (length % width);
  return (f ^ f >> width) & ((1u << width) - 1);
}

static void remember(uint32_t bit) {
  for (int i = 0; i < TABLES; i++) {
    uint32_t out = past[(at - history[i]) % PAST];
    folded[i].index = fold(folded[i].index, bit, out, history[i], LOG);
    folded[i].tag = fold(folded[i].tag, bit, out, history[i], TAG);
    folded[i].more = fold(folded[i].more, bit, out, history[i], TAG - 1);
  }
  past[at++ % PAST] = (uint8_t)bit;
}

/* A branch by its number went a way; bits of the way's number are what others remember of it. */
void __pathspan_branched(uint32_t branch, uint32_t way, uint32_t bits) {
  static uint32_t age, dice = 1;
  struct entry *e[TABLES];
  uint16_t tag[TABLES];
  int longest = -1, next = -1;
  uint32_t mixed = branch * 0x9e3779b1u;
  for (int i = 0; i < TABLES; i++) {
    e[i] = &table[i][(mixed >> 7 ^ mixed >> (7 + LOG - i) ^ folded[i].index) & ((1u << LOG) - 1)];
    tag[i] = (uint16_t)((mixed >> 20 ^ folded[i].tag ^ folded[i].more << 1) & ((1u << TAG) - 1));
    tag[i] |= 1u << TAG; /* entries begin with 0 */
    if (e[i]->tag == tag[i]) {
      next = longest;
      longest = i;
    }
  }
  uint32_t *base = &__pathspan_branch_base[branch];
  uint32_t simple = *base >> 1, other = next >= 0 ? e[next]->way : simple;
  uint32_t said = longest >= 0 ? e[longest]->way : simple;
  /* What was put there last knows less than what was there before. */
  int fresh = longest >= 0 && e[longest]->sure == 0 && e[longest]->useful == 0;
  uint32_t foretold = fresh ? other : said;
  __pathspan_branch_ways[way][0] += foretold != way;
  __pathspan_branch_ways[way][1]++;

  if (longest >= 0) {
    struct entry *l = e[longest];
    if (said != other) {
      if (said == way) l->useful += l->useful < USEFUL;
      else l->useful -= l->useful > 0;
    }
    if (said == way) l->sure += l->sure < SURE;
    else if (l->sure) l->sure--;
    else l->way = way;
  }
  if (longest < 0 || (fresh && next < 0)) {
    if (simple == way) *base |= 1;
    else if (*base & 1) *base &= ~1u;
    else *base = way << 1;
  } else if (fresh) {
    struct entry *n = e[next];
    if (n->way == way) n->sure += n->sure < SURE;
    else if (n->sure) n->sure--;
    else n->way = way;
  }
  if (foretold != way && longest < TABLES - 1) {
    dice = dice * 1664525u + 1013904223u;
    int from = longest + 1 + (dice >> 31), put = 0;
    for (int i = from < TABLES ? from : TABLES - 1; i < TABLES && !put; i++)
      if (e[i]->useful == 0) {
        *e[i] = (struct entry){way, tag[i], 0, 0};
        put = 1;
      }
    for (int i = longest + 1; i < TABLES && !put; i++) e[i]->useful--;
  }
  if (++age % AGE == 0)
    for (int i = 0; i < TABLES; i++)
      for (int k = 0; k < 1 << LOG; k++) table[i][k].useful >>= 1;
  for (uint32_t i = 0; i < bits; i++) remember(way >> i & 1);
}

void __pathspan_forget_branches(void) { memset(__pathspan_branch_ways, 0, __pathspan_branch_way_count * sizeof *__pathspan_branch_ways); }

void __pathspan_put_branches(void (*put)(u64)) {
  for (u64 i = 0; i < __pathspan_branch_way_count; i++) {
    const u64 *w = __pathspan_branch_ways[i];
    if (!w[1]) continue;
    put(BRANCH);
    put(i);
    put(0);
    put(0);
    put(w[0]);
    put(w[1]);
  }
}
