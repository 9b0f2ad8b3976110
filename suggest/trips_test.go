package suggest

// This file counts iterations of loops whose numbers are known, as the optimiser leaves them.

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"pathspan/mapping"
)

// Numbers of iterations that are no multiples of what loops are unrolled by.
const counted = `
#include <stdio.h>
#include <stdlib.h>
static double a[2000], b[2000], c[2000]; int drain(void);
__attribute__((noinline)) static void scale(int n, double x)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] * x;
}
static double sum(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * c[i];
    return s;
}
__attribute__((noinline)) static int wait_for(int n)
{
    int k = 0;
    while (n > 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        k++;
    }
    return k;
}
static int find(int n, double x)
{
    for (int i = 0; i < n; i++)
        if (a[i] > x)
            return i;
    return -1;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1003;
    double s = 0;
    for (int i = 0; i < n; i++) {
        b[i] = i;
        c[i] = n - i;
    }
    for (int round = 0; round < 7; round++) {
        scale(n, round);
        s += sum(n);
        s += find(n, 3.5 * round);
        for (int i = 0; i < 13; i++)
            for (int j = 0; j < 77 + (n & 1); j++)
                s += a[i] * c[j];
    }
    printf("%g %d %d\n", s, wait_for(27), drain());
    return 0;
}
static int left = 40;
__attribute__((noinline)) static int take(int n) { for (int i = 0; i < n; i++) b[i] += i; return left > 0 ? n : 0; }
__attribute__((noinline)) static int give(int n) { left--; return n > 1000; }
int drain(void)
{
    int n = 100;
    while (1) { // LLVM forgets where it stands
        int got = take(n);
        if (got < 0)
            exit(1);
        if (got == 0) break;
        if (give(got) < 0) exit(2);
    }
    return left;
}
`

func TestTripsOfTheSource(t *testing.T) {
	source := filepath.Join(t.TempDir(), "counted.c")
	if err := os.WriteFile(source, []byte(counted), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, level := range []string{"0", "1", "2", "3", "s"} {
		e, m := priced(t, profileOf(t, source, level), mapping.Homogeneous(4, ""))
		_, all := prospects(t, e, m)
		for _, want := range []struct {
			line           int
			entries, trips float64
		}{{7, 7, 1003}, {13, 7, 1003}, {37, 1, 1003}, {41, 1, 7}, {45, 7, 13}, {46, 91, 78}} {
			found := false
			for _, c := range all {
				if c.Kind != Loop || c.Place.Line != want.line {
					continue
				}
				found = true
				if math.Abs(c.Entries-want.entries) > 1e-6*want.entries || math.Abs(c.Trips-want.trips) > 0.01*want.trips {
					t.Errorf("-O%s, line %d: %g entries of %g iterations, want %g of %g", level, want.line, c.Entries, c.Trips, want.entries, want.trips)
				}
				if c.why != "" {
					t.Errorf("-O%s, line %d: %s", level, want.line, c.why)
				}
			}
			// The optimiser unrolls the inner loop fully.
			if !found && level < "2" {
				t.Errorf("-O%s, line %d: no prospect", level, want.line)
			}
		}
		for _, c := range all {
			if (c.Place.Line == 20 || c.Place.Line == 28 || c.Place.Function == "drain") && c.why == "" {
				t.Errorf("-O%s, line %d: a loop that cannot be shared is suggested", level, c.Place.Line)
			}
		}
	}
}
