package cc

// This file compiles and links small programs, by the driver and by clang, and compares.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/profile"
)

// sources of a program whose counts depend on nothing.
var sources = map[string]string{
	"main.c": `#include <stdio.h>
#include "lib.h"
int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += i % 3 ? twice(i) : half(i); printf("%d %d\n", s, ready); return 0; }
`,
	"lib.h":   "int twice(int), half(int);\nextern int ready;\n",
	"twice.c": "#include \"lib.h\"\nint ready;\n__attribute__((constructor)) static void begin(void) { ready += 1; }\nint twice(int x) { return 2 * x; }\n",
	"half.c":  "#include \"lib.h\"\nint half(int x) { return x > 4 ? x / 2 : -x; }\n",
	"half.s":  "\t.globl half\n\t.text\nhalf:\tlea 1(%rdi), %eax\n\tret\n\t.section .note.GNU-stack,\"\",@progbits\n",
	"spare.c": "int spare(int x) { return x; }\n",
	"wrap.c":  "int __real_half(int);\nint __wrap_half(int x) { return __real_half(x); }\n",
	"both.c":  "#include \"lib.h\"\nint half(int x) { return x; }\nint both(int x) { return half(x) + half(x); }\n",
}

// folder makes a folder with the sources and makes it the current one.
func folder(t *testing.T) string {
	t.Helper()
	aToolchain(t)
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range sources {
		write(t, name, text)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// drive runs the driver on the words of a line, behind --memory for programs that tell of it.
func drive(t *testing.T, line string) (status int, stderr string, err error) {
	t.Helper()
	var errs bytes.Buffer
	line, memory := strings.CutPrefix(line, "--memory ")
	d := &Driver{Settings: Settings{Tool: "test", Memory: memory}, Stdin: strings.NewReader(sources["main.c"]), Stdout: new(bytes.Buffer), Stderr: &errs}
	args := strings.Fields(line)
	if len(args) > 0 && args[0] == "c++" {
		d.CXX, args = true, args[1:]
	}
	status, err = d.Run(context.Background(), args)
	return status, errs.String(), err
}

// must runs lines of the driver, or of a tool behind "!", that are to succeed.
func must(t *testing.T, lines ...string) (stderr string) {
	t.Helper()
	tc := aToolchain(t)
	for _, line := range lines {
		if tool, ok := strings.CutPrefix(line, "!"); ok {
			words := strings.Fields(tool)
			if words[0] == "clang" {
				words[0] = tc.Clang
			}
			if text, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", line, err, text)
			}
			continue
		}
		status, said, err := drive(t, line)
		if status != 0 || err != nil {
			t.Fatalf("%s: status %d, %v\n%s", line, status, err, said)
		}
		stderr += said
	}
	return stderr
}

// profileOf runs a program and returns what it prints and how often each function ran.
func profileOf(t *testing.T, exe string) (string, *profile.Bundle, map[string]uint64) {
	t.Helper()
	os.Remove("run.pspan")
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "PATHSPAN_FILE=run.pspan")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", exe, err, out)
	}
	b, err := profile.ReadFile("run.pspan")
	if err != nil {
		t.Fatal(err)
	}
	ran := make(map[string]uint64)
	for i, f := range b.Funcs {
		if f != nil {
			ran[b.Program.Funcs[i].Name] = f.Invocations()
		}
	}
	return string(out), b, ran
}

func TestLinks(t *testing.T) {
	const all = "main 1 begin 1 twice 6 half 4"
	for _, c := range []struct {
		name  string
		lines []string
		ran   string
		said  string // in the warning; "" is none
		needs string // a linker
	}{
		{"one step", []string{"main.c twice.c half.c -o app"}, all, "", ""},
		{"mixed", []string{"-c twice.c", "main.c twice.o half.c -o app"}, all, "", ""},
		{"several sources", []string{"-c main.c twice.c half.c", "main.o twice.o half.o -o app"}, all, "", ""},
		{"standard input", []string{"-c twice.c half.c", "-x c - -x none twice.o half.o -o app"}, all, "", ""},
		{"assembler", []string{"main.c twice.c half.s -o app"}, "main 1 begin 1 twice 6", "half.s", ""},
		{"foreign object", []string{"!clang -c half.c", "main.c twice.c half.o -o app"}, "main 1 begin 1 twice 6", "half.o", ""},
		{"archive", []string{"-c main.c twice.c half.c spare.c", "!ar rcs libl.a twice.o spare.o half.o", "main.o -L. -ll -o app"}, all, "", ""},
		{"archive with foreign members", []string{"-c main.c twice.c spare.c", "!clang -c half.c", "!ar rcs libl.a twice.o spare.o half.o", "main.o libl.a -o app"},
			"main 1 begin 1 twice 6", "libl.a(half.o)", ""},
		{"whole archive", []string{"-c main.c twice.c half.c spare.c", "!ar rcs libl.a twice.o spare.o half.o", "main.o -Wl,--whole-archive,libl.a,--no-whole-archive -o app"}, all, "", ""},
		{"members of one name", []string{"!mkdir a b c", "-c spare.c -o a/x.o", "-c twice.c -o b/x.o", "-c half.c -o c/x.o", "!ar qcs libl.a a/x.o b/x.o c/x.o", "main.c libl.a -o app"}, all, "", ""},
		{"thin archive", []string{"-c main.c twice.c half.c", "!ar rcsT libl.a twice.o half.o", "main.o libl.a -o app"}, all, "", ""},
		{"group", []string{"-c main.c twice.c half.c", "!ar rcs liba.a twice.o", "!ar rcs libb.a half.o", "main.o -Wl,--start-group liba.a libb.a -Wl,--end-group -o app"}, all, "", ""},
		{"static", []string{"-static main.c twice.c half.c -o app"}, all, "", ""},
		{"no pie", []string{"-fno-pie -no-pie -rdynamic -pthread main.c twice.c half.c -o app -s"}, all, "", ""},
		{"lld", []string{"-c main.c twice.c half.c", "!ar rcs libl.a twice.o half.o", "-fuse-ld=lld -Wl,--gc-sections main.o -L. -ll -o app"}, all, "", "ld.lld"},
		{"gold", []string{"-c main.c twice.c half.c", "!ar rcs libl.a twice.o half.o", "-fuse-ld=gold main.o -L. -ll -o app"}, all, "", "ld.gold"},
		{"joined objects", []string{"-c main.c twice.c half.c", "!ld -r main.o twice.o -o joined.o", "joined.o half.o -o app"}, all, "", ""},
		{"joined with a foreign one", []string{"-c main.c twice.c half.s", "!ld -r twice.o half.o -o joined.o", "main.c joined.o -o app"}, "main 1", "joined.o", ""},
		{"shared object", []string{"-fPIC -shared twice.c half.c -o libl.so", "main.c -L. -ll -o app"}, all, "", ""},
		{"shared object behind another", []string{"-fPIC -shared twice.c -o libt.so", "-fPIC -shared half.c -L. -lt -o libh.so", "main.c -L. -lh -Wl,-rpath-link,. libt.so -o app"}, all, "", ""},
		{"shared object with assembler", []string{"-fPIC -shared twice.c half.s -o libl.so", "main.c -L. -ll -o app"}, "main 1 begin 1 twice 6", "half.s", ""},
		{"shared object that defines the same", []string{"-fPIC -shared both.c twice.c -o libl.so", "main.c half.c -L. -ll -Wl,-rpath,. -o app"}, "main 1 half 4", "libl.so", ""},
		{"wrapped", []string{"-c main.c twice.c half.c wrap.c", "-Wl,--wrap=half main.o twice.o half.o wrap.o -o app"}, "main 1 begin 1 twice 6 __wrap_half 4", "half.o", ""},
		{"link-time optimisation", []string{"-flto -O0 main.c twice.c half.c -o app"}, all, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := exec.LookPath(c.needs); c.needs != "" && err != nil {
				t.Skipf("skipped: no %s", c.needs)
			}
			folder(t)
			said := must(t, c.lines...)
			if c.said != "" && (!strings.Contains(said, "is not profiled: "+c.said) || strings.Count(said, "\n") != 1) || c.said == "" && said != "" {
				t.Errorf("it says %q", said)
			}
			_, b, ran := profileOf(t, "./app")
			want := strings.Fields(c.ran)
			if len(ran)*2 != len(want) {
				t.Errorf("ran %v, want %v", ran, want)
			}
			for i := 0; i < len(want); i += 2 {
				if got := fmt.Sprint(ran[want[i]]); got != want[i+1] {
					t.Errorf("%s ran %s times, want %s", want[i], got, want[i+1])
				}
			}
			switch foreign := b.Provenance.Foreign; {
			case c.said == "" && len(foreign) != 0, c.said != "" && (len(foreign) != 1 || foreign[0].Name != c.said || foreign[0].Bytes == 0 || foreign[0].Of <= foreign[0].Bytes):
				t.Errorf("the bundle says of foreign code: %+v", foreign)
			case len(foreign) == 1 && strings.HasPrefix(foreign[0].Name, "half"):
				if n := b.ForeignCalls(&foreign[0]); n != 4 && c.name != "wrapped" {
					t.Errorf("%d calls of half, want 4", n)
				}
			}
		})
	}
}

// TestLevels holds the level of a program against those of its objects and its link.
func TestLevels(t *testing.T) {
	for lines, want := range map[string]string{
		"-c main.c;-O1 -c twice.c half.c;main.o twice.o half.o -o app":        "-O1",
		"-Os -c main.c;-O2 -c twice.c half.c;main.o twice.o half.o -o app":    "-O2",
		"-O2 -c main.c twice.c half.c;-O0 main.o twice.o half.o -o app":       "-O0",
		"-Ofast -O2 -O -c main.c twice.c half.c;main.o twice.o half.o -o app": "-O1",
	} {
		folder(t)
		must(t, strings.Split(lines, ";")...)
		_, b, _ := profileOf(t, "./app")
		mixed := strings.Contains(strings.Join(b.Notes, "\n"), "objects were compiled at")
		if b.Provenance.OptLevel != want || mixed == strings.Contains(lines, "-Ofast") {
			t.Errorf("%s: %s, notes %q", lines, b.Provenance.OptLevel, b.Notes)
		}
	}
}

// TestLikeClang compares outputs, exit statuses, messages and files of dependencies with
// those of clang itself.
func TestLikeClang(t *testing.T) {
	tc := aToolchain(t)
	for _, line := range []string{
		"--version", "-dumpmachine", "-print-search-dirs", "", "-E -P spare.c", "-M main.c", "-S spare.c -o spare.s",
		"-c main.c -MD", "-c main.c -MMD -o x.o", "-MD -MP -MF y.d -c main.c -o z.o", "-MMD -MT target -c main.c", "-Wp,-MD,w.d -c main.c",
		"-MMD spare.c both.c -c", "-c absent.c", "-c warn.c", "-Wall -Werror -c warn.c", "-c bad.c spare.c", "-c bad.c -o old.o",
		"-no-such-flag -c spare.c", "-c spare.c -lm", "-c spare.c -Wl,-z,now", "-c spare.c twice.c -o two.o", "main.c -o app", "absent.o -o app", "-fsyntax-only warn.c",
		"-x c++ -c spare.c", "-c main.c -o no/such/folder.o", "-MMD main.c twice.c half.c -o app",
		"-pipe -g -fPIC -ffunction-sections -fvisibility=hidden -fno-common -fstack-protector-strong -D_FORTIFY_SOURCE=2 -O2 -Wa,--noexecstack -c main.c",
	} {
		t.Run(line, func(t *testing.T) {
			var said, files [2]string
			var status [2]int
			for i := range 2 {
				folder(t)
				write(t, "bad.c", "int f( {\n")
				write(t, "warn.c", "int f(int x) { int y; if (x = 1) return y; return 1; }\n")
				write(t, "old.o", "old")
				var out, errs bytes.Buffer
				if i == 0 {
					cmd := exec.Command(tc.Clang, strings.Fields(line)...)
					cmd.Stdout, cmd.Stderr = &out, &errs
					cmd.Run()
					status[i] = cmd.ProcessState.ExitCode()
				} else {
					d := &Driver{Stdout: &out, Stderr: &errs}
					s, err := d.Run(context.Background(), strings.Fields(line))
					if status[i] = s; err != nil {
						fmt.Fprintf(&errs, "%v\n", err)
					}
				}
				said[i] = out.String() + errs.String()
				list, err := filepath.Glob("*")
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range list {
					files[i] += f + "\n"
					if text, err := os.ReadFile(f); err == nil && filepath.Ext(f) == ".d" {
						files[i] += string(text)
					}
				}
			}
			// What the linker says names temporary objects.
			if status[0] != status[1] || said[0] != said[1] && !strings.Contains(said[0], "undefined reference") && !strings.Contains(line, "no/such") {
				t.Errorf("status %d, clang's %d; it says\n%s\nclang says\n%s", status[1], status[0], said[1], said[0])
			}
			if files[0] != files[1] {
				t.Errorf("it leaves\n%s\nclang leaves\n%s", files[1], files[0])
			}
		})
	}
}

// TestSameBytes builds twice, the second time several objects at once.
func TestSameBytes(t *testing.T) {
	dir := folder(t)
	var built [2]map[string][]byte
	for i := range built {
		var wait sync.WaitGroup
		for _, name := range []string{"main", "twice", "half"} {
			compile := func() {
				d := &Driver{Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer)}
				if status, err := d.Run(context.Background(), []string{"-O2", "-c", name + ".c", "-o", filepath.Join(dir, name+".o")}); status != 0 || err != nil {
					t.Errorf("%s: status %d, %v", name, status, err)
				}
			}
			if i == 0 {
				compile()
			} else {
				wait.Go(compile)
			}
		}
		wait.Wait()
		must(t, "main.o twice.o half.o -o app", "main.c twice.c half.c -o step", "-fPIC -shared twice.c half.c -o lib.so")
		built[i] = make(map[string][]byte)
		for _, name := range []string{"main.o", "twice.o", "half.o", "app", "step", "lib.so"} {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			built[i][name] = data
			os.Remove(name)
		}
		left, err := filepath.Glob(".*")
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %q, %v", left, err)
		}
	}
	for name, data := range built[0] {
		if !bytes.Equal(data, built[1][name]) {
			t.Errorf("%s differs from build to build", name)
		}
	}
}

// TestLinkDependencies compares the linker's file of dependencies with a plain link's.
func TestLinkDependencies(t *testing.T) {
	folder(t)
	if text, err := exec.Command("ld", "--help").Output(); err != nil || !bytes.Contains(text, []byte("--dependency-file")) {
		t.Skip("skipped: no ld that writes dependencies")
	}
	must(t, "-c main.c twice.c half.c", "-fno-openmp main.o twice.o half.o -o app -Wl,--dependency-file=ours.d",
		"!clang main.o twice.o half.o -o app2 -Wl,--dependency-file=clangs.d")
	var texts [2]string
	for i, name := range []string{"ours.d", "clangs.d"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rule, _, _ := strings.Cut(string(text), "\n\n") // then a rule for each file
		var files []string
		for _, f := range strings.Fields(rule) {
			if !strings.Contains(f, "libpathspan-openmp") && f != "\\" {
				files = append(files, f)
			}
		}
		texts[i] = strings.Join(files, " ")
	}
	if texts[0] != strings.Replace(texts[1], "app2:", "app:", 1) {
		t.Errorf("ours\n%s\nclang's\n%s", texts[0], texts[1])
	}
}

// TestOpenMPWhereNeeded links OpenMP's library to a program that calls it, and to one whose
// shared object, which is left out, had a library of its own; for others it compiles none.
func TestOpenMPWhereNeeded(t *testing.T) {
	folder(t)
	cache := t.TempDir()
	t.Setenv("PATHSPAN_CACHE", cache)
	must(t, "main.c twice.c half.c -o app")
	if made, err := filepath.Glob(filepath.Join(cache, "libpathspan-openmp-*")); err != nil || len(made) > 0 {
		t.Errorf("a program without OpenMP needs %q, %v", made, err)
	}
	write(t, "many.c", "int many(int n) {\n\tint s = 0;\n#pragma omp parallel for reduction(+:s)\n\tfor (int i = 0; i < n; i++) s += i;\n\treturn s;\n}\n")
	write(t, "asks.c", "#include <omp.h>\n#include <stdio.h>\nint main(void) { printf(\"%d\\n\", 5 + omp_get_max_threads()); return 0; }\n")
	write(t, "calls.c", "#include <stdio.h>\nint many(int);\nint main(void) { printf(\"%d\\n\", many(4)); return 0; }\n")
	must(t, "asks.c -o asks", "-fPIC -c many.c", "-shared many.o -o libmany.so", "calls.c ./libmany.so -o calls")
	for _, exe := range []string{"./asks", "./calls"} {
		if out, _, ran := profileOf(t, exe); out != "6\n" || ran["main"] != 1 {
			t.Errorf("%s prints %q, with %v", exe, out, ran)
		}
	}
}

// TestRefusals gives what cannot be profiled: one line, no program.
func TestRefusals(t *testing.T) {
	for lines, want := range map[string]string{
		"-fsanitize=address main.c twice.c half.c -o app":                                             "-fsanitize=address",
		"!clang -c main.c;main.o twice.c half.c -o app":                                               "no function main",
		"-c main.c half.c;-c twice.c -o damaged.o;main.o half.o damaged.o -o app":                     "damaged.o",
		"--memory starts.c -o app":                                                                    "--memory follows one thread",
		"!clang -c starts.c -Dmain=starts -o starts.o;--memory main.c twice.c half.c starts.o -o app": "--memory follows one thread",
	} {
		folder(t)
		write(t, "starts.c", "#include <pthread.h>\nstatic void *f(void *p) { return p; }\nint main(void) { pthread_t t; return pthread_create(&t, 0, f, 0) || pthread_join(t, 0); }\n")
		write(t, "app", "old")
		list := strings.Split(lines, ";")
		must(t, list[:len(list)-1]...)
		if data, err := os.ReadFile("damaged.o"); err == nil {
			at := bytes.Index(data, []byte(recordMagic))
			data[at+40] ^= 1
			write(t, "damaged.o", string(data))
		}
		status, _, err := drive(t, list[len(list)-1])
		if status == 0 || err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: status %d, %v", lines, status, err)
		}
		if _, err := os.Stat("app"); err == nil && !strings.Contains(lines, "sanitize") {
			t.Errorf("%s: a program is left", lines)
		}
	}
}

// TestMemory has programs of several files tell of their memory, by variables that have names
// where they were compiled for that, and beside foreign code, whose calls are counted.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		lines, said string
		objects     []string // that main left to put and put to main
		foreign     uint64
	}{
		{"--memory -c main.c put.c;--memory main.o put.o -o app", "", []string{"cell", "kept"}, 0},
		{"--memory main.c put.c -flto -O2 -fno-inline -o app", "", []string{"cell", "kept"}, 0},
		{"-c main.c;--memory -c put.c;--memory main.o put.o -o app", "main.c was compiled without --memory, and variables on its stack have no names; compile it again (make clean)", []string{"", "kept"}, 0},
		{"!clang -c put.c;--memory main.c put.o -o app", "", nil, 3},
		{"--memory -fPIC -shared put.c -o libput.so;--memory main.c -L. -lput -o app", "", []string{"cell", "kept"}, 0},
	} {
		t.Run(c.lines, func(t *testing.T) {
			folder(t)
			write(t, "main.c", "void put(int *, int);\nextern int kept;\nint main(void) { int cell[2] = {0}, s = 0; for (int i = 0; i < 3; i++) { cell[0] = i; put(cell, i); s += kept; } return s != 3; }\n")
			write(t, "put.c", "int kept;\nvoid put(int *to, int n) { kept = *to; }\n")
			said := must(t, strings.Split(c.lines, ";")...)
			if !strings.Contains(said, c.said) || c.said == "" && strings.Contains(said, "--memory") {
				t.Errorf("it says %q", said)
			}
			_, b, _ := profileOf(t, "./app")
			if b.Memory == nil || c.said != "" != strings.Contains(strings.Join(b.Notes, "\n"), "compiled without --memory") {
				t.Fatalf("memory %v, notes %q", b.Memory, b.Notes)
			}
			var got []string
			for _, f := range b.Memory.Flows {
				if f.From.Place < 0 {
					continue
				}
				from, to := b.Memory.Places[f.From.Place].Func, b.Memory.Places[f.To.Place].Func
				if names := [2]string{b.Program.Funcs[from].Name, b.Program.Funcs[to].Name}; names == [2]string{"main", "put"} || names == [2]string{"put", "main"} {
					got = append(got, b.Memory.Objects[f.Object].Name)
					if f.Bytes != 12 || f.Distinct != 12 {
						t.Errorf("%s to %s: %+v", names[0], names[1], f)
					}
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, c.objects) {
				t.Errorf("between main and put go %q, want %q", got, c.objects)
			}
			var foreign uint64
			for _, f := range b.Memory.Foreign {
				if f.Name == "put" {
					foreign = f.Calls
				}
			}
			if foreign != c.foreign {
				t.Errorf("put is called %d times as foreign code, want %d", foreign, c.foreign)
			}
		})
	}
}

// TestPlainMode leaves profiling out, as do the programs of configure scripts.
func TestPlainMode(t *testing.T) {
	folder(t)
	write(t, "conftest.c", "#include <omp.h>\nint main(void) { return omp_get_num_threads() != 1; }\n")
	for _, plain := range []bool{true, false} {
		d := &Driver{Settings: Settings{Plain: plain}, Stdout: new(bytes.Buffer), Stderr: os.Stderr}
		args := []string{"main.c", "twice.c", "half.c", "-o", "app"}
		if !plain {
			args = []string{"-fopenmp", "conftest.c", "-o", "app"}
		}
		if status, err := d.Run(context.Background(), args); status != 0 || err != nil {
			t.Fatalf("status %d, %v", status, err)
		}
		if out, err := exec.Command("./app").CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		if _, err := os.Stat("default.pspan"); err == nil {
			t.Error("it writes a profile")
		}
	}
}

// TestOlderToolchain links what a later clang compiled.
func TestOlderToolchain(t *testing.T) {
	list := toolchain.All()
	if len(list) < 2 {
		t.Skip("skipped: a single LLVM is installed")
	}
	folder(t)
	t.Setenv(toolchain.EnvClang, list[0].Clang)
	must(t, "-c main.c twice.c half.c")
	t.Setenv(toolchain.EnvClang, list[len(list)-1].Clang)
	status, _, err := drive(t, "main.o twice.o half.o -o app")
	if status == 0 || err == nil || !strings.Contains(err.Error(), "compile and link with one") {
		t.Errorf("status %d, %v", status, err)
	}
}
