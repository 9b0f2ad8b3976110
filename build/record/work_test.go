package record

// This file tests that the work of sections is the same whether functions keep what
// they add or not.

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/profile"
	"pathspan/testdata/programs"
)

// leaving has sections that call functions which exceptions leave, with and without
// anything to clean up, a library function that calls back, and setjmp.
const leaving = `#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <string>
static int sum;
static __attribute__((noinline)) void thrower(int n)
{
    for (int i = 0; i < n; i++) sum += i ^ n;
    if (n % 3 == 0) throw n;
}
static __attribute__((noinline)) int plain(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) { k += i * n; if (i % 5 == 4) thrower(i + n % 7); }
    return k;
}
static __attribute__((noinline)) int cleaning(int n)
{
    std::string s(n % 30 + 20, 'x');
    for (int i = 0; i < n; i++) { s[i % 20]++; thrower(i * 2 + 1); }
    return s[0];
}
static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    for (int i = 0; i < x % 4; i++) sum += i;
    return x < y ? -1 : x > y;
}
static std::jmp_buf back;
static __attribute__((noinline)) int again(int n)
{
    volatile int times = 0;
    if (setjmp(back) < 3) { times = times + 1; for (int i = 0; i < n; i++) sum += i; std::longjmp(back, times); }
    return times;
}
int main()
{
    for (int k = 1; k < 60; k++) {
        int a = 0, b = 0, c = 0;
#pragma omp parallel sections
        {
#pragma omp section
            { try { a = plain(k); } catch (int n) { a = -n; } }
#pragma omp section
            { try { b = cleaning(k); } catch (int n) { b = -n; } }
#pragma omp section
            {
                int v[40];
                for (int i = 0; i < 40; i++) v[i] = (i * 37 + k) % 41;
                qsort(v, 20 + k % 20, sizeof v[0], compare);
                c = v[0] + again(k % 5);
            }
        }
        sum += a + b + c;
    }
    std::printf("%d\n", sum);
}
`

func TestKeptWorkIsTheSame(t *testing.T) {
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(t.TempDir(), "leaving.cc")
	if err := os.WriteFile(source, []byte(leaving), 0o644); err != nil {
		t.Fatal(err)
	}
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	type run struct {
		name string
		opt  Options
		args programs.Run
	}
	var runs []run
	for _, level := range []string{"0", "2"} {
		runs = append(runs, run{"leaving -O" + level, Options{Sources: []string{source}, Level: level}, programs.Run{}})
	}
	for _, p := range list {
		switch p.Name {
		case "openmp/objects", "openmp/recursive_region", "mixer":
			runs = append(runs, run{p.Name, optionsOf(p, "2"), p.Small()})
		}
	}
	for _, r := range runs {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			var found [2]*profile.Executions
			for i, atOnce := range []bool{false, true} {
				ctx := t.Context()
				rec := &Recorder{Toolchain: tc, Dir: t.TempDir(), atOnce: atOnce}
				built, err := rec.Build(ctx, r.opt)
				if err != nil {
					t.Fatal(err)
				}
				bundle, _, err := rec.Run(ctx, built, r.args.Args, Streams{})
				if err != nil {
					t.Fatal(err)
				}
				found[i] = bundle.Executions
			}
			if found[0] == nil || !reflect.DeepEqual(found[0], found[1]) {
				t.Errorf("kept: %+v\nat once: %+v", found[0], found[1])
			}
		})
	}
}
