package plugin

// This file helps the tests: it starts the test binary as a plugin and looks for
// processes that stayed.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/costcache"
)

// as makes the plugins that the test starts be of a kind, with a folder for their notes
// and no cache. It returns the plugin's path.
func as(t testing.TB, kind string) string {
	t.Helper()
	t.Setenv(testPluginVariable, kind)
	t.Setenv(testFolderVariable, t.TempDir())
	t.Setenv(costcache.Variable, "off")
	t.Setenv("TMPDIR", t.TempDir())
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// notes are the lines that plugins left in a file.
func notes(t testing.TB, file string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(os.Getenv(testFolderVariable), file))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Fields(string(data))
}

// wantNoProcess checks that the plugin and what it started have ended, and that nothing
// of them lies in the folder for temporary files.
func wantNoProcess(t testing.TB, atLeast int) {
	t.Helper()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Log("what processes stay is not checked: there is no /proc")
		return
	}
	all := notes(t, "processes")
	if len(all) < atLeast {
		t.Errorf("%d processes were started, want %d or more", len(all), atLeast)
	}
	deadline := time.Now().Add(5 * time.Second)
	for _, pid := range all {
		for alive(pid) {
			if time.Now().After(deadline) {
				t.Errorf("process %s of the plugin stays", pid)
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	for {
		left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "plugin*"))
		if len(left) == 0 && err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("%v stay (%v)", left, err)
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// alive tells whether a process runs; one that ended and was not waited for does not.
func alive(pid string) bool {
	data, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(data), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

// program is main with blocks of a load, a load and a return.
func program(blocks int) *ir.Program {
	f := &ir.Func{Name: "main", Source: "main", Loc: ir.Loc{File: -1}}
	for i := range blocks {
		b := &ir.Block{Index: i, Name: fmt.Sprintf("b%d", i), Instrs: []ir.Instr{
			{Op: "load", Type: "i32", Loc: ir.Loc{File: -1}}, {Op: "load", Type: "i32", Loc: ir.Loc{File: -1}}, {Op: "br", Loc: ir.Loc{File: -1}},
		}}
		if i+1 < blocks {
			b.Succs = []int{i + 1}
		}
		f.Blocks = append(f.Blocks, b)
	}
	return &ir.Program{Funcs: []*ir.Func{f}}
}

// openAndPrice does what pathspan does with a reference.
func openAndPrice(ctx context.Context, ref string, s *procmodels.Subject) (*procmodels.Costs, error) {
	m, err := Open(ctx, ref, "")
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return m.Costs(ctx, s)
}

// wantLine checks that an error is one line and holds the parts.
func wantLine(t testing.TB, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", parts)
		return
	}
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("error of several lines: %q", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q\nlacks %q", err, part)
		}
	}
}
