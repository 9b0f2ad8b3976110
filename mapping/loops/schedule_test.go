package loops

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Schedule{
		"static":                       {},
		"static,4":                     {Chunk: 4},
		" STATIC , 16 ":                {Chunk: 16},
		"dynamic,16":                   {Kind: Dynamic, Chunk: 16},
		"guided":                       {Kind: Guided},
		"auto":                         {Kind: Auto},
		"runtime":                      {Kind: Runtime},
		"monotonic:dynamic,4":          {Kind: Dynamic, Chunk: 4, Order: Monotonic},
		"nonmonotonic : guided":        {Kind: Guided, Order: Nonmonotonic},
		"static_steal,2":               {Kind: Dynamic, Chunk: 2, Order: Nonmonotonic},
		"monotonic,simd:dynamic,8":     {Kind: Dynamic, Chunk: 8, Order: Monotonic},
		"simd:static":                  {},
		"dynamic,9223372036854775807 ": {Kind: Dynamic, Chunk: 1<<63 - 1},
	} {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                              `schedule "": unknown kind "" (want static, dynamic, guided, auto or runtime)`,
		"stati":                         `schedule "stati": unknown kind "stati" (want static, dynamic, guided, auto or runtime)`,
		"static,0":                      `schedule "static,0": chunk "0" (want a whole number from 1 to 9223372036854775807)`,
		"static,-3":                     `chunk "-3"`,
		"static,+3":                     `chunk "+3"`,
		"static,":                       `chunk ""`,
		"static,4,4":                    `chunk "4,4"`,
		"dynamic,4x":                    `chunk "4x"`,
		"dynamic,9223372036854775808":   `chunk "9223372036854775808"`,
		"auto,4":                        `auto takes no chunk (leave out the comma and what follows)`,
		"runtime,4":                     `runtime takes no chunk`,
		"fast:static":                   `unknown modifier "fast" (want monotonic, nonmonotonic or simd)`,
		":static":                       `unknown modifier ""`,
		"monotonic:simd:static":         `unknown kind "simd:static"`,
		"nonmonotonic:static":           `nonmonotonic is for dynamic and guided (leave it out)`,
		"monotonic,nonmonotonic:guided": `has two of monotonic and nonmonotonic (give one)`,
		"simd:static,8":                 `execute iterations more than once under it (leave out simd)`,
		"monotonic:static_steal":        `static_steal is nonmonotonic (write monotonic:dynamic)`,
		"trapezoidal":                   `trapezoidal is an extension of libomp that is not modelled`,
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"static", "static,4", "dynamic,16", "guided", "monotonic:dynamic,4", "nonmonotonic,simd:static,2", "auto", "runtime", " Static_Steal , 7", "dynamic,0", "a\nb:\x00,"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("%q: more than a line: %q", text, err)
			}
			return
		}
		again, err := Parse(s.String())
		if err != nil || again != s {
			t.Errorf("%q is %q, which is %+v (%v), not %+v", text, s, again, err, s)
		}
	})
}
