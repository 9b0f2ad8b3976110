package record

// This file tests programs that write their bundles themselves: what they write is what
// a profiled run gives, wherever and however they run.

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pathspan/profile"
	"pathspan/testdata/programs"
)

// sampleText is a program with regions, indirect calls, a hashed level, paths under way
// when it ends, and a way to end for each argument.
const sampleText = `
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int light(int n) { int s = 0; for (int i = 0; i < n; i++) s += i % 3 ? i : -1; return s; }
static int heavy(int n) { int s = 0; for (int i = 0; i < 5 * n; i++) s ^= i % 7 ? i : s; return s; }
int (*volatile how[3])(int) = {light, heavy, abs};
static unsigned many(unsigned x)
{
	unsigned s = 0;
	for (int b = 0; b < 18; b++)
		s += x >> b & 1 ? b : 2 * b; /* unrolled at -O2 or not, it has paths enough */
#define BIT(n) if (x & 1u << n) s += n * 3; else s ^= n;
	BIT(0) BIT(1) BIT(2) BIT(3) BIT(4) BIT(5) BIT(6) BIT(7) BIT(8) BIT(9) BIT(10) BIT(11) BIT(12) BIT(13) BIT(14) BIT(15) BIT(16)
	return s;
}
static void last(const char *way)
{
	if (!strcmp(way, "kill")) raise(SIGTERM);
	if (!strcmp(way, "segv")) raise(SIGSEGV);
	if (!strcmp(way, "exit")) exit(300);
	if (!strcmp(way, "quick")) quick_exit(7);
	if (!strcmp(way, "_exit")) _exit(9);
	if (!strcmp(way, "sleep")) for (;;) pause();
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4, a = 0, b = 0;
	unsigned m = 0;
	if (argc > 2 && !strcmp(argv[2], "fork")) {
		light(1000);
		if (fork() == 0) n += 2; else wait(0);
	}
	for (int i = 0; i < n; i++) {
#pragma omp parallel sections
		{
#pragma omp section
			a += how[i % 3](i * 10);
#pragma omp section
			b += i & 1 ? heavy(30) : light(300 - i);
		}
		m += many((unsigned)i * 2654435761u);
	}
	printf("%d %d %u\n", a, b, m);
	fflush(stdout);
	argv[1] = "changed";
	if (argc > 2) last(argv[2]);
	return 3;
}`

// selfWriting builds the sample so that it writes its bundles itself.
func selfWriting(t testing.TB, level string, flags ...string) (*Recorder, *Built) {
	t.Helper()
	dir := t.TempDir()
	src := filepath.Join(dir, "sample.c")
	if err := os.WriteFile(src, []byte(sampleText), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	r := &Recorder{Toolchain: anyLLVM(t), Dir: dir}
	b, err := r.Build(ctx, Options{Sources: []string{src}, Level: level, CFlags: flags, SelfContained: true, Tool: "pathspan test"})
	if err != nil {
		t.Fatal(err)
	}
	return r, b
}

// withoutTemplate links the same instrumented module as pathspan profile does.
func withoutTemplate(t testing.TB, r *Recorder, b *Built) *Built {
	t.Helper()
	plain := *b
	plain.objects, plain.Options.SelfContained = nil, false
	plain.Executable = b.Executable + "-raw"
	if err := r.link(context.Background(), &plain, "5-probes.ll", plain.Executable, plain.runtime()...); err != nil {
		t.Fatal(err)
	}
	return &plain
}

// outcome is how a program ended that was run by hand.
type outcome struct {
	status         Status
	stdout, stderr string
}

// runAlone runs a program as a shell would, in a folder and with no environment but env.
func runAlone(t testing.TB, exe, dir string, env []string, args ...string) outcome {
	t.Helper()
	cmd := exec.Command(exe, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append([]string{}, env...), &out, &errs
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	o := outcome{Status{Exit: cmd.ProcessState.ExitCode()}, out.String(), errs.String()}
	if ws := cmd.ProcessState.Sys().(syscall.WaitStatus); ws.Signaled() {
		o.status.Signal = ws.Signal()
	}
	return o
}

func readBundle(t testing.TB, path string) *profile.Bundle {
	t.Helper()
	b, err := profile.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sameProfile compares two bundles in all but where they come from.
func sameProfile(t testing.TB, what string, got, want *profile.Bundle) {
	t.Helper()
	for i := range want.Funcs {
		if !reflect.DeepEqual(got.Funcs[i], want.Funcs[i]) {
			t.Errorf("%s: function %s: %+v, want %+v", what, want.Program.Funcs[i].Name, got.Funcs[i], want.Funcs[i])
		}
	}
	if !reflect.DeepEqual(got.Targets, want.Targets) {
		t.Errorf("%s: call targets %+v, want %+v", what, got.Targets, want.Targets)
	}
	if !reflect.DeepEqual(got.Executions, want.Executions) {
		t.Errorf("%s: executions %+v, want %+v", what, got.Executions, want.Executions)
	}
	if !reflect.DeepEqual(got.Notes, want.Notes) || !bytes.Equal(got.Module, want.Module) {
		t.Errorf("%s: notes %q, want %q; or the module differs", what, got.Notes, want.Notes)
	}
	if !reflect.DeepEqual(got.Provenance.Runs, want.Provenance.Runs) {
		t.Errorf("%s: runs %+v, want %+v", what, got.Provenance.Runs, want.Provenance.Runs)
	}
	if _, err := profile.Merge(got, want); err != nil {
		t.Errorf("%s: the programs differ: %v", what, err)
	}
}

// TestSelfWrittenBundles runs programs by hand and with pathspan: the bundles are equal,
// and so is what the programs do.
func TestSelfWrittenBundles(t *testing.T) {
	t.Parallel()
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	tc := anyLLVM(t)
	tried := 0
	for i, p := range list {
		switch p.Name { // programs of many kinds; programs_test.go profiles all
		case "susan", "packet", "features/quick_exit", "features/uncaught", "features/setjmp_loop", "features/exit_deep", "features/paths_2_40", "features/null_dereference", "features/exceptions", "features/virtual_calls", "openmp/recursive_region":
		default:
			continue
		}
		levels := []string{"0", "2"}
		if p.Kind != "real" {
			levels = levels[i%2 : i%2+1]
		}
		for _, level := range levels {
			tried++
			t.Run(strings.ReplaceAll(p.Name, "/", "_")+"-O"+level, func(t *testing.T) {
				t.Parallel()
				run := p.Small()
				opt := optionsOf(p, level)
				opt.SelfContained = true
				self := profileProgram(t, tc, p, run, opt)
				self.checkBehaviour(t, run)
				raw := withoutTemplate(t, self.recorder, self.built)
				var out bytes.Buffer
				bundle, _, err := self.recorder.Run(context.Background(), raw, run.Args, streamsOf(t, run, &out))
				if err != nil {
					t.Fatal(err)
				}
				sameProfile(t, "a run with a template", self.bundle, bundle)
			})
		}
	}
	if tried < 13 {
		t.Errorf("%d programs were tried: have their names changed?", tried)
	}
}

// TestRunByHand runs the sample in all the ways it can end, in an empty environment and
// another folder, and compares with pathspan profile, arguments and status included.
func TestRunByHand(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"0", "2"} {
		r, b := selfWriting(t, level)
		raw := withoutTemplate(t, r, b)
		moved := filepath.Join(t.TempDir(), "moved")
		data, err := os.ReadFile(b.Executable)
		if err == nil {
			err = os.WriteFile(moved, data, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range []string{"return", "kill", "segv", "exit", "quick", "_exit"} {
			args := []string{"6", way, "", "two words"}
			dir := t.TempDir()
			o := runAlone(t, moved, dir, nil, args...)
			want, status, err := r.Run(context.Background(), raw, args, Streams{})
			if err != nil {
				t.Fatal(err)
			}
			if o.status != status || o.stderr != "" {
				t.Errorf("-O%s %s: it %s, want %s; %s", level, way, o.status, status, o.stderr)
			}
			got := readBundle(t, filepath.Join(dir, "default.pspan"))
			sameProfile(t, "-O"+level+" "+way, got, want)
			want.Provenance.Tool = "pathspan test"
			if !reflect.DeepEqual(got.Provenance, want.Provenance) {
				t.Errorf("-O%s %s: provenance %+v, want %+v", level, way, got.Provenance, want.Provenance)
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) != 1 {
				t.Errorf("-O%s %s: it leaves %v, %v", level, way, left, err)
			}
		}
	}
}

// TestRunInEmptyRoot runs the sample where there is nothing but it: no compiler, no
// library, no /proc, no pathspan.
func TestRunInEmptyRoot(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("skipped: changing the root folder takes root")
	}
	if libc, _ := filepath.Glob("/usr/lib/*/libc.a"); len(libc) == 0 {
		t.Skip("skipped: there is no static C library")
	}
	_, b := selfWriting(t, "2", "-static")
	root := t.TempDir()
	data, err := os.ReadFile(b.Executable)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "program"), data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"return", "quick", "kill"} {
		cmd := exec.Command("/program", "6", way)
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
		cmd.Dir, cmd.Env = "/", []string{"PATHSPAN_FILE=/out/" + way + "-%h.pspan"}
		var errs bytes.Buffer
		cmd.Stderr = &errs
		cmd.Run()
		files, _ := filepath.Glob(filepath.Join(root, "out", way+"-*"))
		if len(files) != 1 || errs.Len() > 0 {
			t.Fatalf("%s: files %q; it says %q", way, files, errs.String())
		}
		got := readBundle(t, files[0])
		want := map[string]profile.Run{"return": {ExitStatus: 3}, "quick": {ExitStatus: 7}, "kill": {ExitStatus: -1, Signal: 15}}[way]
		want.Arguments, want.Counted = []string{"6", way}, got.Provenance.Runs[0].Counted
		if !reflect.DeepEqual(got.Provenance.Runs, []profile.Run{want}) || executionsOf(got) != 6 {
			t.Errorf("%s: runs %+v, %d executions", way, got.Provenance.Runs, executionsOf(got))
		}
	}
}

// TestFilePatterns spells names of profiles as LLVM's profile run-time library does.
func TestFilePatterns(t *testing.T) {
	t.Parallel()
	_, b := selfWriting(t, "1")
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	hash := b.Instr.Hash
	signature := strings.ToLower(hexOf(hash[:8]))
	for _, c := range []struct{ pattern, want, says string }{
		{"a/b//c/x.pspan", "a/b/c/x.pspan", ""},
		{"100%%.pspan", "100%.pspan", ""},
		{"x-%h.pspan", "x-" + host + ".pspan", ""},
		{"%t/x.pspan", "tmp/x.pspan", ""},
		{"p-%p.pspan", "p-*.pspan", ""},
		{"%m.pspan", signature + ".pspan", ""},
		{"%4m-x.pspan", signature + "_[0-3]-x.pspan", ""},
		{"c%c.pspan", "c.pspan", "pathspan: %c in PATHSPAN_FILE is not supported: counts are written when the program ends, not while it runs\n"},
		{"%q%", "%q%", ""},
		{"", "default.pspan", ""},
	} {
		dir := t.TempDir()
		o := runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=" + c.pattern, "TMPDIR=" + dir + "/tmp"}, "2")
		if o.stderr != c.says || o.status.Exit != 3 {
			t.Errorf("%s: it %s and says %q, want %q", c.pattern, o.status, o.stderr, c.says)
		}
		found, err := filepath.Glob(filepath.Join(dir, c.want))
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %d files %s", c.pattern, len(found), c.want)
			continue
		}
		readBundle(t, found[0])
	}
	dir := t.TempDir()
	o := runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=%t/x.pspan"}, "2")
	if want := "pathspan: TMPDIR is not set, and PATHSPAN_FILE has %t; the profile is written to default.pspan\n"; o.stderr != want {
		t.Errorf("without TMPDIR it says %q, want %q", o.stderr, want)
	}
	readBundle(t, filepath.Join(dir, "default.pspan"))
}

// TestUnwritableProfile changes nothing in what the program does.
func TestUnwritableProfile(t *testing.T) {
	t.Parallel()
	_, b := selfWriting(t, "1")
	dir := t.TempDir()
	want := runAlone(t, b.Executable, dir, nil, "2")
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	hash := b.Instr.Hash
	merged := strings.ToLower(hexOf(hash[:8]))
	if err := errors.Join(syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600), syscall.Mkfifo(filepath.Join(dir, merged), 0o600),
		os.Symlink("pipe", filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "folder"), 0o755)); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for pattern, why := range map[string]string{
		"/proc/no/such.pspan":     "it cannot be created",
		"file/x.pspan":            "it cannot be created",
		"file/%m.pspan":           "it cannot be created",
		"/dev/full":               "it is a device, and counts are only written to ordinary files",
		"pipe":                    "it is a pipe, and counts are only written to ordinary files",
		"pipe/x":                  "it cannot be created",
		"%m":                      "it is a pipe, and counts are only written to ordinary files",
		"socket":                  "it is a socket, and counts are only written to ordinary files",
		"folder":                  "it is a folder; name a file in it",
		"link":                    "it is a pipe, and counts are only written to ordinary files",
		strings.Repeat("x", 5000): "its name is too long",
		strings.Repeat("y", 300):  "it cannot be created",
	} {
		o := runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=" + pattern}, "2")
		if o.status != want.status || o.stdout != want.stdout {
			t.Errorf("%.30s: it %s and prints %q, want %q", pattern, o.status, o.stdout, want.stdout)
		}
		if !strings.HasPrefix(o.stderr, "pathspan: cannot write the profile ") || !strings.HasSuffix(o.stderr, why+"\n") || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%.30s: it says %q, want %s", pattern, o.stderr, why)
		}
	}
	for _, pattern := range []string{"limited.pspan", "%m.pspan"} {
		o := runAlone(t, "/bin/sh", dir, []string{"PATHSPAN_FILE=" + pattern}, "-c", `ulimit -f 1; exec "$0" 2`, b.Executable)
		if o.status != want.status || o.stdout != want.stdout || !strings.HasSuffix(o.stderr, "the disk may be full\n") {
			t.Errorf("with a limit on files: it %s and says %q", o.status, o.stderr)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 7 { // the first run's, and what was there
		t.Errorf("it leaves %v, %v", left, err)
	}
	if o := runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=/dev/null"}, "2"); o.stderr != "" || o.status != want.status {
		t.Errorf("/dev/null: it %s and says %q", o.status, o.stderr)
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
		t.Fatal("/dev/null was replaced")
	}
}

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	var s []byte
	for _, c := range b {
		s = append(s, digits[c>>4], digits[c&15])
	}
	return string(s)
}

// templateOf returns the template and the module of a program of testdata.
func templateOf(t testing.TB) (template, module []byte) {
	t.Helper()
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	p := list[slices.IndexFunc(list, func(p *programs.Program) bool { return p.Name == "susan" })]
	r := &Recorder{Toolchain: anyLLVM(t), Dir: t.TempDir()}
	b, err := r.Build(t.Context(), Options{Sources: p.Paths(testdata), Level: "2", CFlags: []string{"-lm"}, SelfContained: true})
	if err != nil {
		t.Fatal(err)
	}
	if template, err = os.ReadFile(r.path("5-template.bin")); err != nil {
		t.Fatal(err)
	}
	return template, b.Module
}

// TestTemplatesAreSmall: what a program carries is written with every run.
func TestTemplatesAreSmall(t *testing.T) {
	t.Parallel()
	template, module := templateOf(t)
	// LLVM 16 and 19 make templates of 0.17 of the module, 14 and 22 smaller ones.
	if most := len(module) * 2 / 11; len(template) > most {
		t.Errorf("the template has %d bytes, want at most %d with a module of %d", len(template), most, len(module))
	}
}
