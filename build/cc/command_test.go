package cc

// This file tests how command lines are read.

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestActions(t *testing.T) {
	for _, c := range []struct {
		line   string
		action Action
		inputs string // the sources, with their languages
		output string
		level  string
	}{
		{"-c a.c", Compile, "a.c:c", "", ""},
		{"-O2 -c a.c b.cc -Iinc -I inc", Compile, "a.c:c b.cc:c++", "", "2"},
		{"-oout.o -O3 -O0 -c a.i", Compile, "a.i:cpp-output", "out.o", "0"},
		{"-o x -Ofast a.c b.o libc.a -lm", Link, "a.c:c", "x", "3"},
		{"--output=x a.o", Link, "", "x", ""},
		{"a.o -Wl,-rpath,lib", Link, "", "", ""},
		{"-shared -o libx.so a.o", Link, "", "libx.so", ""},
		{"-x c - -o a", Link, "-:c", "a", ""},
		{"-x c++ a.h -x none b.o", Link, "a.h:c++", "", ""},
		{"-xc -c a.txt", Compile, "a.txt:c", "", ""},
		{"-c a.s", Compile, "a.s:assembler", "", ""},
		{"-c -D a.c -U b.c -include c.c -isystem d.c -MF e.c -Xclang f.c -target g.c -T h.c -u i.c -z j.c real.c", Compile, "real.c:c", "", ""},
		{"-isysteminc -includex.h -MFx.d -c a.c", Compile, "a.c:c", "", ""},
		{"-Og a.ll -- -odd.c", Link, "a.ll:ir -odd.c:c", "", "1"},
		{"-E a.c", PassOn, "a.c:c", "", ""},
		{"-S a.c", PassOn, "a.c:c", "", ""},
		{"-M a.c", PassOn, "a.c:c", "", ""},
		{"-fsyntax-only a.c", PassOn, "a.c:c", "", ""},
		{"--version", PassOn, "", "", ""},
		{"-v", PassOn, "", "", ""},
		{"-### -c a.c", PassOn, "a.c:c", "", ""},
		{"-print-search-dirs", PassOn, "", "", ""},
		{"-dumpmachine", PassOn, "", "", ""},
		{"-Wl,--version", PassOn, "", "", ""},
		{"-emit-llvm -c a.c", PassOn, "a.c:c", "", ""},
		{"-r a.o b.o -o c.o", PassOn, "", "c.o", ""},
		{"-Wl,-r a.o -o c.o", PassOn, "", "c.o", ""},
		{"-c a.h", PassOn, "a.h:c-header", "", ""},
		{"-x c-header a.h", PassOn, "a.h:c-header", "", ""},
		{"-c a.o", PassOn, "", "", ""},
		{"", PassOn, "", "", ""},
	} {
		cmd, err := ParseCommand(strings.Fields(c.line), false)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		var inputs []string
		for _, it := range cmd.items {
			if it.kind == inputItem && it.lang != "" {
				inputs = append(inputs, it.value+":"+it.lang)
			}
		}
		if got := strings.Join(inputs, " "); cmd.Action != c.action || got != c.inputs || cmd.output != c.output || cmd.level != c.level {
			t.Errorf("%s: action %d, inputs %q, output %q, level %q", c.line, cmd.Action, got, cmd.output, cmd.level)
		}
		if c.inputs != "" && !strings.Contains(c.line, "-Wl") && !strings.Contains(c.line, "--") && !slices.Equal(cmd.all(), strings.Fields(c.line)) {
			t.Errorf("%s: written back as %q", c.line, cmd.all())
		}
	}
}

func TestLanguagesOfCXX(t *testing.T) {
	cmd, err := ParseCommand([]string{"-c", "a.c", "b.h", "c.s"}, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"c++", "c++-header", "assembler"} {
		if got := cmd.items[i+1].lang; got != want {
			t.Errorf("c++ %s: %s, want %s", cmd.items[i+1].value, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	for line, want := range map[string]string{
		"-fsanitize=address a.c":                          "-fsanitize=address",
		"-fsanitize=undefined -fno-sanitize=all a.c":      "",
		"--coverage a.c":                                  "--coverage",
		"-m32 a.c":                                        "-m32",
		"-fprofile-instr-generate=x a.c":                  "-fprofile-instr-generate=x",
		"-fprofile-generate a.c":                          "-fprofile-generate",
		"-fsanitize-recover=all -fprofile-use=x.prof a.c": "",
	} {
		cmd, err := ParseCommand(strings.Fields(line), false)
		if err != nil {
			t.Fatal(err)
		}
		if cmd.refused != want {
			t.Errorf("%s: refused %q, want %q", line, cmd.refused, want)
		}
	}
}

func TestDependencies(t *testing.T) {
	for line, want := range map[string]string{
		"-c a.c":                         "",
		"-MD -c src/a.c":                 "-MD -MF a.d -MQ a.o",
		"-MMD -c src/a.c -o b/a.x.o":     "-MMD -MF b/a.x.d -MQ b/a.x.o",
		"-MD -MF x.d -c a.c -o a.o":      "-MD -MF x.d -MQ a.o",
		"-MD -MT y -MP -c a.c -o a.o":    "-MD -MT y -MP -MF a.d",
		"-Wp,-MD,deps/a.d -c a.c":        "-Wp,-MD,deps/a.d -MQ a.o",
		"-Wp,-MMD,a.d,-MT,a.lo -c a.c":   "-Wp,-MMD,a.d,-MT,a.lo",
		"-M -MF x.d a.c":                 "",
		"-MF x.d -c a.c":                 "",
		"-MD -c a.c -o obj":              "-MD -MF obj.d -MQ obj",
		"-MMD -MFx.d -MQ$(o) -c src/a.c": "-MMD -MFx.d -MQ$(o)",
	} {
		cmd, err := ParseCommand(strings.Fields(line), false)
		if err != nil {
			t.Fatal(err)
		}
		for i, it := range cmd.items {
			if it.kind != inputItem {
				continue
			}
			target := cmd.output
			if target == "" {
				target = stem(it.value) + ".o"
			}
			if got := strings.Join(cmd.dependArgs(it, target), " "); got != want {
				t.Errorf("%s: %q, want %q", line, got, want)
			}
			if left := cmd.compileArgs(i, frontEnd); strings.Contains(strings.Join(left, " "), "-MF") {
				t.Errorf("%s: dependencies are left in %q", line, left)
			}
		}
	}
}

func TestTestPrograms(t *testing.T) {
	for line, want := range map[string]bool{
		"-o conftest conftest.c -lm": true, "-c conftest.c": true, "-c -o CMakeFiles/cmTC_1a2b3.dir/x.c.o -c /s/x.c": true,
		"CMakeFiles/cmTC_1.dir/x.c.o -o cmTC_1": true, "-c CMakeCCompilerId.c": true, "-c conftester.c": false, "a.c -o app": false,
		"/b/meson-private/tmpx/testfile.c -o /b/meson-private/tmpx/output.exe": true,
	} {
		cmd, err := ParseCommand(strings.Fields(line), false)
		if err != nil {
			t.Fatal(err)
		}
		if got := cmd.isTest(); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

func TestResponseFiles(t *testing.T) {
	dir := t.TempDir()
	inner, outer := filepath.Join(dir, "in.rsp"), filepath.Join(dir, "out.rsp")
	if err := os.WriteFile(inner, []byte("b.o 'c d.o'\n\"e\\\"f\".o g\\ h.o ''"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(outer, []byte("a.o @"+inner+"\t-o app"), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := expand([]string{"@" + outer, "@absent", "@"})
	want := []string{"a.o", "b.o", "c d.o", `e"f.o`, "g h.o", "", "-o", "app", "@absent", "@"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if err := os.WriteFile(inner, []byte("@"+inner), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := expand([]string{"@" + inner}); err == nil {
		t.Error("a response file that names itself is taken")
	}
}

func TestSettings(t *testing.T) {
	t.Setenv(EnvMode, "")
	t.Setenv(EnvFlags, "--paths-only '--threads' --vectorize")
	t.Setenv(EnvQuiet, "1")
	s, err := FromEnvironment()
	if want := (Settings{Quiet: true, PathsOnly: true, Threads: true, Vectorize: true}); err != nil || s != want {
		t.Errorf("%+v, %v", s, err)
	}
	t.Setenv(EnvFlags, "--memory --branches")
	s, err = FromEnvironment()
	if want := (Settings{Quiet: true, Memory: true, Branches: true}); err != nil || s != want {
		t.Errorf("%+v, %v", s, err)
	}
	for _, bad := range [][3]string{
		{EnvFlags, "--path-only", "did you mean --paths-only?"},
		{EnvFlags, "--memory --paths-only", "give one of them"},
		{EnvFlags, "--flow", "have no order"},
		{EnvMode, "plian", "set it to plain"},
	} {
		t.Setenv(EnvFlags, "")
		t.Setenv(bad[0], bad[1])
		if _, err := FromEnvironment(); err == nil || !strings.Contains(err.Error(), "$"+bad[0]) || !strings.Contains(err.Error(), bad[2]) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s=%s: %v", bad[0], bad[1], err)
		}
		t.Setenv(EnvMode, "")
	}
}
