package report

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestTellApart(t *testing.T) {
	long := strings.Repeat("12 13 14 ", 20)
	for _, c := range [][2][]string{
		{{"1 2 3", "1 2 4"}, {"1 2 3", "1 2 4"}},
		{{long + "15", long + "16 17"}, {"12 13 14 ... 14 15", "12 13 14 ... 14 16 17"}},
		{{long + "15 " + long + "18", long + "15 " + long + "19", long + "16"}, {"12 13 14 ... 14 18", "12 13 14 ... 14 19", "12 13 14 ... 14 16"}},
		{{long, long}, {strings.Repeat("12 13 14 ", 4) + "12 ...", strings.Repeat("12 13 14 ", 4) + "12 ..."}}, // nothing tells them apart
		{{long, long + "15"}, {"12 13 14 ... 14", "12 13 14 ... 14 15"}},
	} {
		if got := TellApart(c[0], 40); fmt.Sprint(got) != fmt.Sprint(c[1]) {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
	// Whatever differs is shown so, in not much more room.
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var texts []string
		for range 2 + r.IntN(8) {
			words := make([]string, 1+r.IntN(120))
			for i := range words {
				words[i] = fmt.Sprint(i * 3)
				if r.IntN(60) == 0 {
					words[i] = "L" + words[i] + "*"
				}
			}
			texts = append(texts, strings.Join(words, " "))
		}
		for i, a := range TellApart(texts, 60) {
			if len(a) > 100 {
				t.Fatalf("%q is cut to %q", texts[i], a)
			}
			for k, b := range TellApart(texts, 60)[:i] {
				if (a == b) != (texts[i] == texts[k]) {
					t.Fatalf("%q and\n%q are shown as %q and %q", texts[i], texts[k], a, b)
				}
			}
		}
	}
}
