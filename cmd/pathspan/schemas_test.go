package main

// This file holds what commands print with --json to its JSON Schema.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaOf is the file of the schema that an object names.
func schemaOf(v any) string {
	object, _ := v.(map[string]any)
	id, _ := object["schema"].(string)
	return "../../docs/schema/" + strings.ReplaceAll(strings.TrimPrefix(id, "pathspan."), "/", "-") + ".schema.json"
}

func testSchemas(t *testing.T, dir string, at func(string) string) {
	for name, pragmas := range map[string]string{"loops": "#pragma omp parallel for\n", "alone": "#pragma omp parallel\n#pragma omp single\n"} {
		source := filepath.Join(dir, name+".c")
		if err := os.WriteFile(source, []byte("int a[9];\nint main(int n, char **v) {\n"+pragmas+"  for (int i = 0; i < n; i++)\n    a[i] = i;\n  return a[0];\n}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if o := pathspan("", "profile", "-q", "-o", at(name), source); o.status != 0 {
			t.Fatal(o.stderr)
		}
	}
	samples := filepath.Join(dir, "samples.csv")
	if err := os.WriteFile(samples, []byte("name,bundle,cycles\na,sizes.pspan,3e6\nb,more.pspan,5e6\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	sizes := filepath.Join("testdata", "figures", "sizes.c")
	shim := "../../plugins/shim/testdata/twocores20.xml"
	printed := map[string]bool{}
	for _, args := range [][]string{
		{"estimate", "--model", "c6000", at("sizes")},
		{"estimate", "--verify", at("nested")},
		{"estimate", "--explain", at("sizes")},
		{"estimate", at("plain")},
		{"estimate", at("loops")},
		{"estimate", at("alone")},
		{"why", at("loops")},
		{"suggest", at("loops")},
		{"suggest", at("memory")},
		{"comm", "--by", "object", "--matrix", at("memory")},
		{"comm", "--ports", at("memory")},
		{"races", at("memory")},
		{"flow", filepath.Join("testdata", "flow.pspan")},
		{"fifo", filepath.Join("testdata", "network.yaml")},
		{"fifo", filepath.Join("testdata", "network.yaml"), "--depths"},
		{"suggest", at("sizes")},
		{"suggest", at("plain")},
		{"explore", "--budget", "100", at("loops")},
		{"inspect", at("loops")},
		{"report", at("loops")},
		{"why", at("sizes")},
		{"why", at("plain")},
		{"explore", "--budget", "100", at("sizes")},
		{"explore", "-p", "2", "--budget", "100", "--pareto", "speedup,processors", at("recursion")},
		{"inspect", at("killed")},
		{"inspect", at("never")},
		{"report", at("sizes")},
		{"graph", at("sizes")},
		{"graph", "--kind", "cfg", at("sizes")},
		{"graph", "--kind", "cdg", at("sizes")},
		{"graph", "--kind", "calls", at("sizes")},
		{"diff", at("sizes"), at("more")},
		{"merge", at("sizes"), at("more"), "-o", at("sum")},
		{"profile", "-o", at("again"), sizes},
		{"replay", "-q", "-p", "2", sizes},
		{"measure", "-q", "-p", "2", "-n", "2", sizes},
		{"doctor"},
		{"model", "list"},
		{"model", "show", "arm922t"},
		{"model", "check", "leon3"},
		{"model", "compare", "generic", "arm922t", at("sizes")},
		{"model", "new", "mycore", "-o", filepath.Join(dir, "mycore")},
		{"model", "fit", samples, "-o", filepath.Join(dir, "board.yaml"), "--clock-mhz", "50"},
		{"model", "shim", "show", shim},
		{"model", "shim", "lint", shim},
		{"model", "shim", "write", "cortex-m4", "-o", filepath.Join(dir, "m4.xml")},
	} {
		o := pathspan("", append(args, "--json")...)
		text := o.stdout
		if args[0] == "profile" {
			text = o.stderr
		}
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Errorf("%q: %v: status %d: %s", args, err, o.status, o.stderr)
			continue
		}
		s, err := jsonschema.NewCompiler().Compile(schemaOf(v))
		if err != nil {
			t.Errorf("%q: %v", args, err)
			continue
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%q: %v", args, err)
		}
		printed[schemaOf(v)] = true
	}
	const serving = "../../docs/schema/serve-1.schema.json"
	served, err := jsonschema.NewCompiler().Compile(serving)
	if err != nil {
		t.Fatal(err)
	}
	o := pathspan(`{"id":1,"sections":[0,1,0]}
[{"id":"a","sections":[-1,-1,-1],"techniques":["pb","at"]},{"sections":[7,0,0]}]
{"id":2,
`, "serve", "-p", "2", at("sizes"))
	lines := strings.Split(strings.TrimSpace(o.stdout), "\n")
	if len(lines) != 4 {
		t.Errorf("serve printed %d lines, want a description and three answers: %s", len(lines), o.stdout+o.stderr)
	}
	for _, line := range lines {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err == nil {
			err = served.Validate(v)
		}
		if err != nil {
			t.Errorf("serve prints %s: %v", line, err)
		}
	}
	printed[serving] = true
	files, err := filepath.Glob("../../docs/schema/*.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !printed[f] && filepath.Base(f) != "accuracy-1.schema.json" { // validate takes long; its ledger is committed, and held to the schema there
			t.Errorf("no command of this test prints %s", f)
		}
	}
}
