package main

// This file lets the fuzzer change bundles and runs commands on them.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"pathspan/profile/bundlepb"
	"pathspan/testdata/forge"
)

// fuzzed are the commands that FuzzBundle runs.
var fuzzed = []string{
	"inspect B --functions 0 --paths 0",
	"inspect B --json",
	"estimate B -p 1,3 --verify --samples 20",
	"estimate B -p 2 --json",
	"estimate B -p 2 --model arm922t --technique eb,pb-unmapped,mt",
	"estimate B -p 2 --explain",
	"merge B B -o MERGED",
	"why B -p 2",
	"why B -p 3 --json",
	"comm B",
	"comm B --by loop --per-call",
	"comm B --by object --json",
	"comm B --by section --matrix",
	"comm B --by line --format csv",
	"comm B --graph --format svg",
	"comm B --ports",
	"comm B --ports --by section --json",
	"races B",
	"flow B --unfold foo=2",
	"flow B --csv",
	"suggest B",
	"suggest B -p 3 --items 0 --json",
	"explore B -p 2 --budget 300",
	"report B -p 2 --format md -o -",
	"report B -p 2 --format html -o -",
	"report B -p 2 --format json -o -",
	"export B --format chrome",
	"export B --format csv",
	"export B --format cilkscale",
	"export B --format sdf3",
	"export B --format wfformat",
	"graph B --kind htg",
	"graph B --kind cfg --format svg",
	"graph B --kind cdg --format json",
	"graph B --kind calls",
	"diff B GOOD",
	"diff GOOD B --json",
	"model compare generic c6000 B",
	"serve B -p 2",
}

// FuzzBundle changes the message in a bundle and runs a command on it. Whatever the bundle
// is, the command ends with a result, which is the same when it runs again, or with one
// line; it never panics, and estimate's second computation agrees with the first.
func FuzzBundle(f *testing.F) {
	var messages []*bundlepb.Bundle
	var paths []string
	for _, name := range []string{"nested.pspan", "fun0a.pspan", "racy.pspan", "flow.pspan"} {
		path, err := filepath.Abs(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		m := message(f, path)
		if name == "fun0a.pspan" { // so that commands find what they look for
			for _, fn := range m.Program.Funcs {
				if string(fn.Name) == "fun_0" {
					fn.Name = []byte("main")
				} else if string(fn.Name) == "main" {
					fn.Name = []byte("outer")
				}
			}
		}
		messages, paths = append(messages, m), append(paths, path)
	}
	dir := f.TempDir()
	r := rand.New(rand.NewSource(1))
	for command, line := range fuzzed {
		which := byte(0)
		if strings.HasPrefix(line, "comm ") || strings.HasPrefix(line, "races ") {
			which = 2 // which tells of memory
		}
		if strings.HasPrefix(line, "flow ") {
			which = 3 // which tells of the flow of data
		}
		f.Add(which, byte(command), []byte(nil))
		for range 4 {
			data := make([]byte, 5*(1+r.Intn(3)))
			r.Read(data)
			f.Add(byte(r.Intn(len(messages))), byte(command), data)
		}
	}
	f.Fuzz(func(t *testing.T, which, command byte, data []byte) {
		m := proto.Clone(messages[int(which)%len(messages)]).(*bundlepb.Bundle)
		forge.Message(m, data)
		bundle := filepath.Join(dir, "b.pspan")
		writeMessage(t, bundle, m)
		line := fuzzed[int(command)%len(fuzzed)]
		var args []string
		for _, w := range strings.Fields(line) {
			switch w {
			case "B":
				w = bundle
			case "GOOD":
				w = paths[0]
			case "MERGED":
				w = filepath.Join(dir, "merged.pspan")
			}
			args = append(args, w)
		}
		var first string
		for again := range 2 {
			var stdout, stderr bytes.Buffer
			status := run(args, strings.NewReader(`{"sections":[0,1]}`+"\n{}\n"), &stdout, &stderr)
			said := fmt.Sprintf("status %d\n%s\n%s", status, &stdout, &stderr)
			switch {
			case status != 0 && status != statusFailed:
				t.Fatalf("%s: status %d: %s", line, status, &stderr)
			case status != 0 && strings.Count(stderr.String(), "\n") != 1:
				t.Fatalf("%s: %q", line, &stderr)
			case status == 0 && (strings.Contains(line, "json") || strings.Contains(line, "chrome")) && !json.Valid(stdout.Bytes()):
				t.Fatalf("%s: no JSON: %.400s", line, &stdout)
			case again == 1 && said != first:
				t.Fatalf("%s: first\n%s\nthen\n%s", line, first, said)
			}
			if what := harmless(strings.ReplaceAll(stdout.String()+stderr.String(), "\r\n", "\n")); what != "" {
				t.Fatalf("%s: %s", line, what)
			}
			first = said
		}
		if data == nil && strings.HasPrefix(first, "status 1") && !strings.HasPrefix(line, "diff") {
			t.Errorf("%s on a sound bundle: %s", line, first)
		}
		os.Remove(bundle)
	})
}
