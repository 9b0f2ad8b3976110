package main

import (
	"regexp"
	"testing"
)

// TestPlansKeepWhatIsHandedOn: with stages that pass on a local array, an object behind a reference and one that only its
// reference knows, and a taskloop that fills a local array, a program prints what it prints without the plan.
func TestPlansKeepWhatIsHandedOn(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "app.cc", `#include <cstdio>
struct Block { int at[16]; void fill(int n) { for (int &x : at) x = n++; } };
static Block ring[4];
static Block made(int n) { Block b; b.fill(n); return b; }
static void twice(Block &b) { for (int &x : b.at) x *= 2; }
static long sum;
__attribute__((noinline)) static void scale(const Block &b, int *to) { for (int i = 0; i < 16; i++) to[i] = b.at[i] * 3; }
__attribute__((noinline)) static void add(const int *from) { for (int i = 0; i < 16; i++) sum = sum * 5 + from[i]; }
static int weigh() {
  int at[8], most = 0, odd = 0;
  for (int i = 0; i < 8; i++) {
    at[i] = i * 7 % 5;
    most = at[i] > most ? at[i] : most;
    odd += i % 2;
  }
  return most + at[3] * 10 + odd * 100;
}
int main() {
  for (int n = 0; n < 9; n++) {
    Block &b = ring[n % 4];
    Block &&own = made(n);
    int scaled[16];
    b.fill(n);
    scale(b, scaled);
    twice(own);
    add(scaled);
    add(own.at);
  }
  std::printf("%ld\n", sum + weigh());
}
`)
	plan := writeText(t, dir, "plan.yaml", "plan: [{pipeline: [app.cc:23, app.cc:24, app.cc:25, app.cc:26, app.cc:27]}, {taskloop: app.cc:11, reduction: '+: odd'}]\n")
	want := succeed(t, "profile", "-q", "app.cc")
	if got := succeed(t, "profile", "-q", "--memory", "--plan", plan, "app.cc"); got != want || len(want) < 10 {
		t.Errorf("with the plan it prints %q, else %q", got, want)
	}
	if text := succeed(t, "estimate", "-p", "2", "app.pspan"); !regexp.MustCompile(`stage1 +stage2 +ring\n`).MatchString(text) {
		t.Error(text)
	}
}
