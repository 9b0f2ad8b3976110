package fit

// This file holds the reader of tables to its errors, and to never breaking.

import (
	"errors"
	"strings"
	"testing"
)

func TestParseRows(t *testing.T) {
	rows, err := ParseRows("s.csv", []byte("# board 3\nname, bundle,seconds,weight,group,function\nfft,fft.pspan,0.5,2,f,\nsort,s.pspan,1e-3,,,quick\n"), 200)
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{{3, "fft", "fft.pspan", "", 1e8, 2, "f"}, {4, "sort", "s.pspan", "quick", 2e5, 1, "sort"}}
	if len(rows) != 2 || rows[0] != want[0] || rows[1] != want[1] {
		t.Errorf("rows %+v, want %+v", rows, want)
	}
	if _, err := ParseRows("s.csv", []byte("name,bundle,seconds\na,b,1\n"), 0); !errors.Is(err, ErrNoClock) {
		t.Errorf("seconds without a clock: %v", err)
	}
}

func TestParseRowsErrors(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", "s.csv: the file is empty: want a header, as in name,bundle,cycles"},
		{"name,bundle,cycels\n", `s.csv:1: unknown column "cycels": want "cycles"`},
		{"name,bundle,cycles,name\n", `s.csv:1: column "name" stands twice`},
		{"name,cycles\n", `s.csv:1: column "bundle" is missing`},
		{"name,bundle\n", "s.csv:1: want one of the columns cycles and seconds"},
		{"name,bundle,cycles,seconds\n", "s.csv:1: want one of the columns cycles and seconds"},
		{"name,bundle,cycles\n", "s.csv: there are no samples below the header"},
		{"name,bundle,cycles\na,b\n", "s.csv:2: 2 fields: the header has 3"},
		{"name,bundle,cycles\na,b,1\n\nc,d,-1\n", `s.csv:4: cycles is "-1": want a number above 0, of at most 1e+18`},
		{"name,bundle,cycles\na,b,0x1p4\n", `s.csv:2: cycles is "0x1p4": want a number above 0, of at most 1e+18`},
		{"name,bundle,cycles\na,b,1e308\n", `s.csv:2: cycles is "1e308": want a number above 0, of at most 1e+18`},
		{"name,bundle,cycles\na,b,NaN\n", `s.csv:2: cycles is "NaN": want a number above 0, of at most 1e+18`},
		{"name,bundle,cycles\na,b,1\na,c,2\n", `s.csv:3: name "a" was used on line 2: want each once`},
		{"name,bundle,cycles\n,b,1\n", "s.csv:2: name and bundle must not be empty"},
		{"name,bundle,cycles,weight\na,b,1,0\n", `s.csv:2: weight is "0": want a number above 0, of at most 1e+18`},
		{"name,bundle,cycles\na,\"b,1\n", "s.csv:2: extraneous or missing \" in quoted-field"},
	} {
		_, err := ParseRows("s.csv", []byte(tc.text), 100)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%q:\n got %v\nwant %s", tc.text, err, tc.want)
		}
	}
}

func FuzzParseRows(f *testing.F) {
	f.Add("name,bundle,cycles\na,b,1\n", 0.0)
	f.Add("\ufeffname,bundle,seconds,weight,group,function\n\"a,1\",b,1e3,2,g,f\n", 100.0)
	f.Add("name,bundle,cycles\n\"", 1.0)
	f.Fuzz(func(t *testing.T, text string, clock float64) {
		rows, err := ParseRows("s.csv", []byte(text), clock)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "s.csv:") || strings.Contains(err.Error(), "\n") && !strings.Contains(text, "\n") {
				t.Errorf("error %q is not one line that begins with the file", err)
			}
			return
		}
		for _, r := range rows {
			if r.Name == "" || r.Bundle == "" || r.Group == "" || !(r.Weight > 0) || clock > 0 && !(r.Cycles > 0) {
				t.Errorf("row %+v was taken", r)
			}
		}
	})
}
