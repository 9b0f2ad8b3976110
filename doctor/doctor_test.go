package doctor

// This file tests what doctor says of machines that lack things.

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

// find returns the first finding whose text begins so.
func find(r *Report, text string) *Finding {
	for i := range r.Findings {
		if strings.HasPrefix(r.Findings[i].Text, text) {
			return &r.Findings[i]
		}
	}
	return nil
}

func TestNothingInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv(toolchain.EnvClang, "")
	cache := t.TempDir()
	t.Setenv("PATHSPAN_CACHE", cache)
	if err := os.MkdirAll(filepath.Join(cache, "costs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cache, "costs", "x.costs"), make([]byte, 3<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	r := Examine(context.Background(), Options{Clang: "no-such-clang", Terminal: []string{"no terminal"}})
	if r.Usable || find(r, "a small program") != nil {
		t.Error("a machine without clang is said to profile")
	}
	for _, o := range others {
		f := find(r, o.programs[0]+" (")
		if f == nil || f.State != Optional || f.Fix != toolchain.InstallCommand(o.pack) || !strings.HasSuffix(f.String(), "; in "+o.pack) {
			t.Errorf("%s: %+v", o.programs[0], f)
		}
	}
	if c := r.Caches[0]; c.Files != 1 || c.Bytes != 3<<10 || find(r, "costs that plugins gave: "+c.Path+", 1 file, 3.0 kB") == nil {
		t.Errorf("%+v", r.Caches)
	}
	var text bytes.Buffer
	if err := r.Text(&text, func(state, line string) string { return state + "|" + line }); err != nil {
		t.Fatal(err)
	}
	if got := text.String(); !strings.HasPrefix(got, "|compiler\n") || !strings.Contains(got, "\nmissing|missing   no-such-clang") || !strings.Contains(got, "\n\n|terminal\nok|ok        no terminal\n\n|to install (Debian, Ubuntu)\n|everything above: "+toolchain.InstallCommand(r.packages(Missing, Optional)...)+"\n") || !strings.Contains(got, " graphviz make cmake ") {
		t.Errorf("got\n%s", got)
	}
}

func TestSelfTest(t *testing.T) {
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip(toolchain.ErrNoClang)
	}
	speedup, err := profileSelf(context.Background(), all[len(all)-1].Clang)
	if err != nil || speedup < 1.8 || speedup > 2 {
		t.Errorf("speed-up %g: %v", speedup, err)
	}
	if _, err := profileSelf(context.Background(), "no-such-clang"); err == nil {
		t.Error("no clang is no error")
	}
}
