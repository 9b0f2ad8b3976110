package validate

import (
	"slices"
	"strings"
	"testing"

	"pathspan/mapping"
	"pathspan/testdata/bench"
)

// What is wrong with rows whatever is validated, and which are passed over.
func TestCheck(t *testing.T) {
	index := named(t, "fft", "grad", "jpeg")
	v := &Validation{Programs: index[:2], Size: bench.Small, Levels: []string{"2"}, Platforms: []*mapping.Platform{mapping.Homogeneous(2, "")}}
	const header = "program,size,level,processors,cycles,seconds,source\n"
	for _, c := range []struct{ rows, left, wrong string }{
		{"fft,,2,1,9,,x\nfft,,2,2,5,,x\n", "", ""},
		{"fft,,2,1,9,,x\nfft,small,2,2,5,,x\n", "", ""},
		{"fft,small,2,1,9,,x\nfft,,2,2,5,,x\n", "", ""},
		{"fft,tiny,2,1,9,,x\nfft,,2,2,5,,x\n", "f:2: passed over; --size tiny compares with it", "f:3: no figure of x for fft -O2 on 1 processor"},
		{"fft,,2,1,9,,y\nfft,,2,2,5,,x\n", "", "f:3: no figure of x for fft -O2 on 1 processor"},
		{"fft,,0,1,9,,x\nfft,,2,2,5,,x\n", "f:2: passed over; --levels 0", "f:3: no figure of x"},
		{"fft,,2,1,,9,x\nfft,,2,2,5,,x\n", "", "f:3: the figure on 1 processor (f:2) has another unit"},
		{"fft,,2,1,9,,x\nfft,,2,2,5,,x\nfft,,2,2,6,,x\n", "", "f:4: the same run as f:3"},
		{"fft,,2,1,9,,x\nfft,,2,2,5,,x\nfft,,2,4,3,,x\n", "f:4: passed over; -p 4 compares", ""},
		{"fft,,2,1,9,,x\nfft,,2,2,5,,x\nfft,large,2,1,90,,x\n", "f:4: passed over; --size large", ""},
		{"fft,,2,1,9,,x\nfft,,2,2,5,,x\nfit,,2,1,90,,x\nfot,,2,1,90,,x\n", "", "f:4: program fit: no benchmark|f:5: program fot: no benchmark"},
		{"fft,,2,1,9,,x\nfft,,2,2,5,,x\njpeg,,2,1,9,,x\njpeg,,2,2,5,,x\n", "of x 2 rows are passed over", ""},
		{"jpeg,,2,1,9,,x\njpeg,,2,2,5,,x\n", "of x 2 rows are passed over", "no row of the references is of what is validated"},
		{"fft,,2,1,9,,x\n", "", "no row of the references is of what is validated"},
	} {
		var err error
		if v.References, err = ReadFigures("f", strings.NewReader(header+c.rows)); err != nil {
			t.Fatal(err)
		}
		left, wrong := v.Check(index)
		var texts []string
		for _, w := range wrong {
			texts = append(texts, w.Error())
		}
		same := func(got []string, want string) bool {
			all := strings.Split(want, "|")
			if want == "" {
				all = nil
			}
			return slices.EqualFunc(got, all, strings.HasPrefix)
		}
		if !same(left, c.left) || !same(texts, c.wrong) {
			t.Errorf("%q: left %q, wrong %q", c.rows, left, texts)
		}
	}
	for rows, want := range map[string]int{"a.yaml": 0, "": 1} { // of runs under two mappings one is a second time
		text := "program,level,processors,mapping,cycles,source\nfft,2,1,,9,x\nfft,2,2,,5,x\nfft,2,2," + rows + ",6,x\n"
		var err error
		if v.References, err = ReadFigures("f", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if _, wrong := v.Check(index); len(wrong) != want {
			t.Errorf("%q: %v", text, wrong)
		}
	}
	v.References = nil
	if left, wrong := v.Check(nil); left != nil || wrong != nil {
		t.Errorf("of no rows: %v, %v", left, wrong)
	}
}
