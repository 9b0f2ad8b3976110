package validate

// This file tests the reader of figures measured elsewhere, and its template.

import (
	"bytes"
	"strings"
	"testing"

	"pathspan/testdata/bench"
)

func TestReadFigures(t *testing.T) {
	const text = `# a comment
source, program, level, processors, seconds, size
board, fft, -O2, 1, 0.5, small
board, fft, O2, 2, 2.5e-1, small

board, fft, 2, 4, , small
`
	got, err := ReadFigures("f.csv", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []Figure{
		{Program: "fft", Size: bench.Small, Level: "2", Processors: 1, Seconds: 0.5, Source: "board", Where: "f.csv:3"},
		{Program: "fft", Size: bench.Small, Level: "2", Processors: 2, Seconds: 0.25, Source: "board", Where: "f.csv:4"},
	}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v", got)
	}
}

func TestReadFiguresOfMappings(t *testing.T) {
	got, err := ReadFigures("f.csv", strings.NewReader("program,level,processors,mapping,cycles,source\nfft,2,1,,9,x\nfft,2,2,m/a.yaml,5,x\n"))
	if err != nil || len(got) != 2 || got[0].Mapping != "" || got[1].Mapping != "m/a.yaml" || got[1].File != nil {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestReadFiguresErrors(t *testing.T) {
	const header = "program,size,level,processors,cycles,seconds,source\n"
	for text, want := range map[string]string{
		"":                                  "f.csv: empty",
		"program,level,processors,source\n": "f.csv:1: no column cycles",
		"program,level,processors,cycles\n": "f.csv:1: no column source",
		"program,speed\n":                   `f.csv:1: column "speed"`,
		"program,program\n":                 "f.csv:1: column program is there twice",
		header + "fft,,2,1,5\n":             "f.csv:2: more or fewer columns",
		header + "fft,,2,1,5,,board,\n":     "f.csv:2: more or fewer columns",
		header + ",,2,1,5,,board\n":         "f.csv:2: program",
		header + "fft,huge,2,1,5,,board\n":  `f.csv:2: size "huge"`,
		header + "fft,,4,1,5,,board\n":      `f.csv:2: level "4"`,
		header + "fft,,2,0,5,,board\n":      `f.csv:2: processors "0"`,
		header + "fft,,2,two,5,,board\n":    `f.csv:2: processors "two"`,
		header + "fft,,2,1,-5,,board\n":     `f.csv:2: cycles "-5"`,
		header + "fft,,2,1,NaN,,board\n":    `f.csv:2: cycles "NaN"`,
		header + "fft,,2,1,0x1p4,,board\n":  `f.csv:2: cycles "0x1p4": want a number from 1 to 1e+18`,
		header + "fft,,2,1,1e308,,board\n":  `f.csv:2: cycles "1e308": want a number from 1 to 1e+18`,
		header + "fft,,2,1,,1e-300,board\n": `f.csv:2: seconds "1e-300": want a number from 1e-09 to 1e+09`,
		header + "fft,,2,1,,1e999,board\n":  `f.csv:2: seconds "1e999"`,
		header + "fft,,2,1,5,5,board\n":     "f.csv:2: cycles and seconds",
		header + "fft,,2,1,5,,\n":           "f.csv:2: source",
		"program,level,processors,mapping,cycles,source\nfft,2,1,a.yaml,5,x\n": `f.csv:2: mapping "a.yaml": a run on 1 processor has none`,
		header + "fft,,2,1,5,,replay\n":                                        "f.csv:2: source",
		header + "\"fft,,2,1,5,,board\n":                                       "f.csv:",
		header + "f\"ft,,2,1,5,,board\n":                                       "f.csv:2:",
	} {
		if _, err := ReadFigures("f.csv", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestTemplateCanBeFilledIn(t *testing.T) {
	list, err := bench.Load()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := WriteTemplate(&out, list, bench.Small, []string{"0", "2"}, []int{2, 4}); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadFigures("t.csv", bytes.NewReader(out.Bytes())); err != nil || len(got) != 0 {
		t.Errorf("the template holds %v, %v", got, err)
	}
	filled := strings.ReplaceAll(out.String(), ",,,", ",1000,,")
	got, err := ReadFigures("t.csv", strings.NewReader(filled))
	if want := len(list) * 2 * 3; err != nil || len(got) != want {
		t.Errorf("filled in it holds %d figures, %v; want %d", len(got), err, want)
	}
}

func FuzzReadFigures(f *testing.F) {
	f.Add("program,level,processors,cycles,source\nfft,2,1,100,board\nfft,2,2,60,board\n")
	f.Add("source,program,level,processors,seconds,size\nboard,fft,-O2,1,0.5,small\n")
	f.Add("program,\"level\n")
	f.Add("\ufeffprogram,level,processors,cycles,source\n")
	f.Fuzz(func(t *testing.T, text string) {
		figures, err := ReadFigures("f.csv", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.csv:") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		for _, x := range figures {
			if (x.Cycles > 0) == (x.Seconds > 0) || x.Processors < 1 || x.Program == "" || x.Source == "" {
				t.Errorf("%+v", x)
			}
		}
	})
}
