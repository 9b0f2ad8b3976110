package main

import "testing"

// TestPlansKeepWhatIsHandedOn: with stages that pass on a local array and an object behind a reference, a
// program prints what it prints without the plan.
func TestPlansKeepWhatIsHandedOn(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "app.cc", `#include <cstdio>
struct Block { int at[16]; void fill(int n) { for (int &x : at) x = n++; } };
static Block ring[4];
static long sum;
__attribute__((noinline)) static void scale(const Block &b, int *to) { for (int i = 0; i < 16; i++) to[i] = b.at[i] * 3; }
__attribute__((noinline)) static void add(const int *from) { for (int i = 0; i < 16; i++) sum = sum * 5 + from[i]; }
int main() {
  for (int n = 0; n < 9; n++) {
    Block &b = ring[n % 4];
    int scaled[16];
    b.fill(n);
    scale(b, scaled);
    add(scaled);
  }
  std::printf("%ld\n", sum);
}
`)
	plan := writeText(t, dir, "plan.yaml", "plan: [{pipeline: [app.cc:11, app.cc:12, app.cc:13]}]\n")
	want := succeed(t, "profile", "-q", "app.cc")
	if got := succeed(t, "profile", "-q", "--plan", plan, "app.cc"); got != want || len(want) < 10 {
		t.Errorf("with the plan it prints %q, else %q", got, want)
	}
}
