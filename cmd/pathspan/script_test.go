package main

// This file runs whole command lines from the scripts in testdata/script. With
// -update, what they compare with is rewritten.

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"pathspan/ir/toolchain"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pathspan": func() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	_, noClang := toolchain.Find("")
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			env.Setenv("TESTDATA", filepath.Join(root, "testdata"))
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "clang" {
				return noClang == nil, nil
			}
			return false, nil
		},
	})
}
