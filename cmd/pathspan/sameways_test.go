package main

// This file holds all commands to one way of saying things.

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestFlagsAreTheSameEverywhere(t *testing.T) {
	shorthands := map[string]string{}
	for _, c := range commands() {
		path := c.CommandPath()
		if p := c.Flags().Lookup("processors"); p != nil && p.Value.Type() != "numbers" {
			t.Errorf("%s: -p is a %s", path, p.Value.Type())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "stringArray" && f.Name != "cflags" && f.Name != "sweep" { // whose values hold commas
				t.Errorf("%s --%s takes no commas", path, f.Name)
			}
			if s := f.Shorthand; s != "" {
				if shorthands[s] == "" {
					shorthands[s] = f.Name
				}
				if shorthands[s] != f.Name {
					t.Errorf("%s: -%s is --%s, elsewhere --%s", path, s, f.Name, shorthands[s])
				}
			}
		})
	}
}

func TestProcessorsAndLists(t *testing.T) {
	var n []int
	f := &numbersFlag{to: &n}
	for _, text := range []string{"1-4,8", "16"} {
		if err := f.Set(text); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(n, []int{1, 2, 3, 4, 8, 16}) {
		t.Errorf("%v", n)
	}
	for _, bad := range []string{"", "0", "4-2", "x", "1,,2", "1-5000", "1-4096"} {
		if err := (&numbersFlag{to: new([]int)}).Set(bad); err == nil {
			t.Errorf("-p %q is taken", bad)
		}
	}
	file := filepath.Join(t.TempDir(), "a,b.yaml")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var got []string
	l := listFlag{&got}
	for _, text := range []string{"x,y", file, "f.cc:run<int, long>(int, long):3=cpu0,z=cpu1"} {
		if err := l.Set(text); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"x", "y", file, "f.cc:run<int, long>(int, long):3=cpu0", "z=cpu1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestMistypedCommandsAndFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"estimat x.pspan", `unknown command "estimat" for "pathspan"; did you mean estimate; pathspan --help lists them`},
		{"model shw arm922t", `unknown command "shw" for "pathspan model"; did you mean show; pathspan model --help lists them`},
		{"xylophone", `unknown command "xylophone" for "pathspan"; pathspan --help lists them`},
		{"estimate --mappings m.yaml", "unknown flag: --mappings; did you mean --mapping; pathspan estimate --help lists the flags"},
		{"why --plaform m.yaml", "unknown flag: --plaform; did you mean --platform; pathspan why --help lists the flags"},
		{"why --quite x.pspan", "unknown flag: --quite; did you mean --quiet; pathspan why --help lists the flags"},
		{"profile app.c -lm", "unknown shorthand flag: 'l' in -lm; flags of the compiler go behind --cflags, as --cflags -lm; pathspan profile --help lists the flags"},
		{"replay app.c -Iinclude", "unknown shorthand flag: 'I' in -Iinclude; flags of the compiler go behind --cflags, as --cflags -Iinclude; pathspan replay --help lists the flags"},
		{"replay -pthread app.c", `invalid argument "thread" for "-p, --processors" flag: "thread": want numbers of processors from 1 to 4096, as 1-4,8; flags of the compiler go behind --cflags, as --cflags -pthread; pathspan replay --help lists the flags`},
		{"measure app.c -DNAME='x'", `unknown shorthand flag: 'D' in -DNAME='x'; flags of the compiler go behind --cflags, as --cflags -DNAME=\\\'x\\\'; pathspan measure --help lists the flags`},
		{"inspect app.pspan -lm", "unknown shorthand flag: 'l' in -lm; pathspan inspect --help lists the flags"},
		{"why --xylophone", "unknown flag: --xylophone; pathspan why --help lists the flags"},
	} {
		if got := fail(t, strings.Fields(c.args)...); got != "pathspan: "+c.want {
			t.Errorf("%s: %s", c.args, got)
		}
	}
}
