package plugin

// This file helps the tests: it starts the test binary as a plugin and looks for
// processes that stayed.

import (
	"bytes"
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
	// The path of a socket has at most 107 bytes, which leaves none for the test's name.
	short, err := os.MkdirTemp(temporary, "p")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(short) })
	t.Setenv("TMPDIR", short)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// temporary is the folder for temporary files as the tests found it.
var temporary = os.TempDir()

// notes are the lines that plugins left in a file.
func notes(t testing.TB, file string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(os.Getenv(testFolderVariable), file))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Fields(string(data))
}

// patience is how long a test waits for what must happen, on a machine however busy.
const patience = 2 * time.Minute

// wantNoProcess checks that the plugin, its supervisor and whatever they started have
// ended, and that nothing of them lies in the folder for temporary files.
func wantNoProcess(t testing.TB, atLeast int) {
	t.Helper()
	if n := len(notes(t, "processes")); n < atLeast {
		t.Errorf("%d processes were started, want %d or more", n, atLeast)
	}
	wantNone(t, "processes of the plugin", ofThisTest)
	wantNone(t, "files of the plugin", func() ([]string, error) {
		return filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "plugin*"))
	})
}

// wantNone waits until a list is empty.
func wantNone(t testing.TB, what string, list func() ([]string, error)) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		left, err := list()
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Errorf("%s stay: %s", what, left)
			return
		}
	}
}

// ofThisTest lists the processes that have the test's folder in their environment, whoever
// started them, each with its command.
func ofThisTest() ([]string, error) {
	folder := []byte(testFolderVariable + "=" + os.Getenv(testFolderVariable) + "\x00")
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	var all []string
	for _, path := range environs {
		// What ended meanwhile, or waits to be reaped, has none.
		if environ, err := os.ReadFile(path); err == nil && bytes.Contains(environ, folder) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			all = append(all, filepath.Base(filepath.Dir(path))+" "+string(bytes.ReplaceAll(command, []byte{0}, []byte{' '})))
		}
	}
	return all, err
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
