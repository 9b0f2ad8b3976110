package main

// This file holds what commands print with --json to its JSON Schema.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func testSchemas(t *testing.T, dir string, at func(string) string) {
	loops := filepath.Join(dir, "loops.c")
	if err := os.WriteFile(loops, []byte("int main(int n, char **v) {\n  int s = 0;\n#pragma omp parallel for\n  for (int i = 0; i < n; i++)\n    s += i;\n  return s;\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if o := pathspan("", "profile", "-q", "-o", at("loops"), loops); o.status != 0 {
		t.Fatal(o.stderr)
	}
	samples := filepath.Join(dir, "samples.csv")
	if err := os.WriteFile(samples, []byte("name,bundle,cycles\na,sizes.pspan,3e6\nb,more.pspan,5e6\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	sizes := filepath.Join("testdata", "figures", "sizes.c")
	shim := "../../procmodels/shim/testdata/twocores20.xml"
	printed := map[string]bool{}
	for _, args := range [][]string{
		{"estimate", "--model", "c6000", at("sizes")},
		{"estimate", "--verify", at("nested")},
		{"estimate", "--explain", at("sizes")},
		{"estimate", at("plain")},
		{"estimate", at("loops")},
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
		object, _ := v.(map[string]any)
		id, _ := object["schema"].(string)
		name, ok := strings.CutSuffix(strings.TrimPrefix(id, "pathspan."), "/1")
		if !ok {
			t.Errorf("%q: the schema is %q", args, id)
			continue
		}
		s, err := jsonschema.NewCompiler().Compile("../../docs/schema/" + name + "-1.schema.json")
		if err != nil {
			t.Errorf("%q: %v", args, err)
			continue
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%q: %v", args, err)
		}
		printed[name] = true
	}
	files, err := filepath.Glob("../../docs/schema/*.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), "-1.schema.json")
		if !printed[name] && name != "accuracy" { // validate takes long; its ledger is committed, and held to the schema there
			t.Errorf("no command of this test prints %s", name)
		}
	}
}
