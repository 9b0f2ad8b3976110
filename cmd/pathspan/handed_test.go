package main

import (
	"regexp"
	"testing"
)

// TestPlansKeepWhatIsHandedOn: with stages that pass on a local array, an object behind a reference and one that only its
// reference knows, a program prints what it prints without the plan.
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
  std::printf("%ld\n", sum);
}
`)
	plan := writeText(t, dir, "plan.yaml", "plan: [{pipeline: [app.cc:14, app.cc:15, app.cc:16, app.cc:17, app.cc:18]}]\n")
	want := succeed(t, "profile", "-q", "app.cc")
	if got := succeed(t, "profile", "-q", "--memory", "--plan", plan, "app.cc"); got != want || len(want) < 10 {
		t.Errorf("with the plan it prints %q, else %q", got, want)
	}
	if text := succeed(t, "estimate", "-p", "2", "app.pspan"); !regexp.MustCompile(`stage1 +stage2 +ring\n`).MatchString(text) {
		t.Error(text)
	}
}
