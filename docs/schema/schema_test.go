package schema_test

// This file makes the JSON Schemas from the types, their comments and the few constraints
// that types cannot say, and holds them against the files beside it. With -update, these
// are written anew. That commands print what the schemas say is tested where they are.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pathspan/doctor"
	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/htg"
	"pathspan/plugins/shim"
	"pathspan/report"
	"pathspan/report/document"
	"pathspan/validate/ledger"
)

var update = flag.Bool("update", false, "rewrite the schema and the expected output")

// roots are the types of what is printed, by the name of the schema.
var roots = map[string]any{
	"report": document.Document{}, "estimate": report.Estimates{}, "explain": report.Explained{}, "explore": report.Exploration{},
	"why": report.Losses{}, "inspect": report.Inspection{}, "profile": report.Profile{}, "replay": report.Replays{},
	"measure": report.Measurements{}, "comm": report.Communication{}, "races": report.Races{}, "flow": report.DataFlow{}, "fifo": report.FIFONetwork{}, "fifo-depths": report.FIFODepths{}, "suggest": report.Suggestions{}, "accuracy": ledger.Ledger{}, "not-estimated": report.NotEstimated{}, "doctor": doctor.Report{},
	"htg": htg.GraphsJSON{}, "cfg": htg.CFGJSON{}, "cdg": htg.CDGJSON{}, "calls": htg.CallsJSON{},
	"models": report.Models{}, "model": report.Model{}, "model-check": report.ModelCheck{}, "model-compare": report.ModelComparison{},
	"model-fit": report.FittedModel{}, "model-new": report.WrittenModel{}, "model-shim": shim.ShimSystem{},
	"model-shim-lint": shim.ShimFindings{}, "model-shim-write": shim.ShimWritten{},
}

// identity is what a schema is called: what the tag of its type says, "pathspan.report/2".
func identity(name string) string {
	f, _ := reflect.TypeOf(roots[name]).FieldByName("Schema")
	return cmp.Or(f.Tag.Get("is"), "pathspan."+name+"/1")
}

func schemaFile(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(identity(name), "pathspan."), "/", "-") + ".schema.json"
}

// object keeps the order of its keys.
type object []member

type member struct {
	key   string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(m.key)
		var value bytes.Buffer
		enc := json.NewEncoder(&value)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(m.value); err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(bytes.TrimSpace(value.Bytes()))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

var share = object{{"type", "number"}, {"minimum", 0}, {"maximum", 1.000001}}

// techniques are those that results may name.
func techniques() object { return object{{"enum", estimate.IDs(estimate.Techniques())}} }

// constraints returns what types cannot say, by type and JSON name.
func constraints() map[string]object {
	return map[string]object{
		"Losses.schema":         {{"const", identity("why")}},
		"Answer.technique":      techniques(),
		"Document.timelines_by": techniques(),
		"Result.technique":      techniques(),
		"Losses.technique":      techniques(), "Prediction.technique": techniques(), "TechniqueSpeedup.technique": techniques(),
		"Exploration.technique": techniques(), "TechniqueAccuracy.technique": techniques(), "ReferenceAccuracy.technique": techniques(), "TechniqueDifference.technique": techniques(),
		"Fixed.technique":           techniques(),
		"Answer.default_cost_share": share,
		"Path.share":                {{"minimum", 0}},
		"Timeline.other_share":      share,
		"TimelineRow.share":         share,
		"Task.kind":                 {{"enum", []string{"entry", "simple", "compound", "loop", "exit"}}},
		"Bar.kind":                  {{"enum", account.BarKinds}},
		"Suggestion.kind":           {{"enum", []string{"loop", "sections", "tasks"}}},
		"Default.kind":              {{"enum", []string{"function", "processors", "model", "mapping", "technique", "clock", "overheads", "samples", "cost"}}},
		"Platform.processors":       {{"minItems", 1}},
		"Curve.points":              {{"minItems", 1}},
		"Answer.estimates":          {{"minItems", 1}},
		"WorkSpan.parallelism":      {{"minimum", 0.999999}},
		"GraphLevel.tasks":          {{"minItems", 2}},
		"Source.sha256":             {{"pattern", "^[0-9a-f]{64}$"}},
	}
}

// exempt lists schemas that a constraint is not for.
var exempt = map[string][]string{"Result.technique": {"replay", "measure"}} // which are their names

// present lists pointers that are never null.
var present = map[string]bool{"Document.losses": true, "Chosen.mapping": true}

// schemas collects the definitions of types.
type schemas struct {
	t           testing.TB
	defs        object
	seen        map[reflect.Type]string      // name of the definition
	docs        map[string]map[string]string // [package.Type][field]
	types       map[string]string            // [package.Type]: comment
	read        map[string]bool              // packages
	root        string
	used        map[string]bool // constraints
	constraints map[string]object
}

func (s *schemas) of(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.String:
		return object{{"type", "string"}}
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.Float64:
		return object{{"type", "number"}}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return object{{"type", "integer"}}
	case reflect.Uint64, reflect.Uint32, reflect.Uint8:
		return object{{"type", "integer"}, {"minimum", 0}}
	case reflect.Slice:
		return object{{"type", "array"}, {"items", s.of(t.Elem())}}
	case reflect.Struct:
		return object{{"$ref", "#/$defs/" + s.define(t)}}
	}
	s.t.Fatalf("no schema for %v", t)
	return nil
}

// define returns the name of a type's definition: its own, with the package where another
// type has that.
func (s *schemas) define(t reflect.Type) string {
	if name, ok := s.seen[t]; ok {
		return name
	}
	name := t.Name()
	for _, other := range s.seen {
		if other == name {
			name = path.Base(t.PkgPath()) + "." + name
		}
	}
	s.seen[t] = name
	s.defs = append(s.defs, member{name, nil})
	at := len(s.defs) - 1
	s.defs[at].value = s.structure(t)
	return name
}

func (s *schemas) structure(t reflect.Type) object {
	properties, required := s.fields(t)
	out := object{{"type", "object"}, {"additionalProperties", false}, {"required", required}, {"properties", properties}}
	if doc := s.types[t.PkgPath()+"."+t.Name()]; doc != "" {
		out = append(object{{"description", doc}}, out...)
	}
	return out
}

// fields returns the keys of a type, those of embedded types among them.
func (s *schemas) fields(t reflect.Type) (properties object, required []string) {
	s.readComments(t.PkgPath())
	properties, required = object{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if f.Anonymous && name == "" {
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			p, r := s.fields(inner)
			properties, required = append(properties, p...), append(required, r...)
			continue
		}
		name = cmp.Or(name, f.Name)
		var x object
		switch {
		case strings.Contains(options, "string"):
			x = object{{"type", "string"}, {"pattern", "^[0-9]+$"}}
		case f.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omitempty") && !present[t.Name()+"."+name]:
			x = object{{"anyOf", []object{s.of(f.Type), {{"type", "null"}}}}}
		default:
			x = s.of(f.Type)
		}
		key := t.Name() + "." + name
		if c, ok := s.constraints[key]; ok && !slices.Contains(exempt[key], s.root) {
			s.used[key] = true
			for _, m := range c {
				if m.key != "type" {
					x = append(x, m)
				}
			}
		}
		if doc := s.docs[t.PkgPath()+"."+t.Name()][f.Name]; doc != "" {
			x = append(object{{"description", doc}}, x...)
		}
		properties = append(properties, member{name, x})
		if !strings.Contains(options, "omitempty") {
			required = append(required, name)
		}
	}
	return properties, required
}

// readComments reads what stands at the types of a package, once.
func (s *schemas) readComments(pkg string) {
	if s.read[pkg] {
		return
	}
	s.read[pkg] = true
	files, err := filepath.Glob(filepath.Join("../..", strings.TrimPrefix(pkg, "pathspan/"), "*.go"))
	if err != nil {
		s.t.Fatal(err)
	}
	text := func(groups ...*ast.CommentGroup) string {
		for _, g := range groups {
			if t := strings.Join(strings.Fields(g.Text()), " "); t != "" {
				return t
			}
		}
		return ""
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, spec := range gen.Specs {
				ts := spec.(*ast.TypeSpec)
				st, ok := ts.Type.(*ast.StructType)
				if !ok {
					continue
				}
				fields := map[string]string{}
				for _, f := range st.Fields.List {
					for _, n := range f.Names {
						fields[n.Name] = text(f.Comment, f.Doc)
						if f.Comment != nil && f.Doc != nil {
							fields[n.Name] = text(f.Doc) + " " + text(f.Comment)
						}
					}
				}
				s.docs[pkg+"."+ts.Name.Name], s.types[pkg+"."+ts.Name.Name] = fields, text(ts.Doc, gen.Doc)
			}
		}
	}
}

func generated(t testing.TB, name string, used map[string]bool) []byte {
	s := &schemas{t: t, seen: map[reflect.Type]string{}, docs: map[string]map[string]string{}, types: map[string]string{}, used: used, read: map[string]bool{}, root: name, constraints: constraints()}
	id := identity(name)
	root := s.structure(reflect.TypeOf(roots[name]))
	for _, m := range root {
		if m.key == "properties" {
			for i, p := range m.value.(object) {
				if p.key == "schema" {
					m.value.(object)[i].value = object{{"const", id}}
				}
			}
		}
	}
	all := append(object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", "urn:" + strings.NewReplacer(".", ":", "/", ":").Replace(id)}, {"title", id},
	}, append(root, member{"$defs", s.defs})...)
	compact, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(compact))
	d.UseNumber()
	return append(laidOut(t, d, 0), '\n')
}

// laidOut is the next JSON value on one line where that has at most 120 characters, else with a line for each
// of its parts.
func laidOut(t testing.TB, d *json.Decoder, indent int) []byte {
	var parts []string
	begin, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	if begin != json.Delim('{') && begin != json.Delim('[') {
		text, _ := json.Marshal(begin)
		return text
	}
	for d.More() {
		key := ""
		if begin == json.Delim('{') {
			name, err := d.Token()
			if err != nil {
				t.Fatal(err)
			}
			key = fmt.Sprintf("%q: ", name)
		}
		parts = append(parts, key+string(laidOut(t, d, indent+2)))
	}
	end, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("%v%s%v", begin, strings.Join(parts, ", "), end)
	if indent+len(line) <= 120 && !strings.Contains(line, "\n") {
		return []byte(line)
	}
	space := strings.Repeat(" ", indent)
	return fmt.Appendf(nil, "%v\n  %s%s\n%s%v", begin, space, strings.Join(parts, ",\n  "+space), space, end)
}

// The committed ledgers are what validate prints.
func TestLedger(t *testing.T) {
	s, err := jsonschema.NewCompiler().Compile(schemaFile("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../validate/ledger/outside/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no ledgers against figures measured elsewhere: %v", err)
	}
	for _, name := range append(files, "../../validate/ledger/committed.json") {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Schemas list the techniques of the registry.
func TestSchemasListTechniques(t *testing.T) {
	estimate.RegisterForTest(t, estimate.Entry{ID: "madeup"})
	for _, name := range []string{"estimate", "explore", "why", "report"} {
		listed := strings.Count(string(generated(t, name, map[string]bool{})), `"madeup"`)
		if all := strings.Count(string(generated(t, name, map[string]bool{})), `"pb-unmapped"`); listed != all || all == 0 {
			t.Errorf("%s lists it %d times, others %d times", name, listed, all)
		}
	}
}

func TestSchemasAreThoseOfTheTypes(t *testing.T) {
	used := map[string]bool{}
	for name := range roots {
		want := generated(t, name, used)
		if *update {
			if err := os.WriteFile(schemaFile(name), want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(schemaFile(name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, want) {
			t.Errorf("%s is not that of the types: run go test ./docs/schema -update; programs that read that version must still understand it", schemaFile(name))
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(have))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(schemaFile(name), doc); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Compile(schemaFile(name)); err != nil {
			t.Error(err)
		}
	}
	for key := range constraints() {
		if !used[key] {
			t.Errorf("no type has the field %s that is constrained", key)
		}
	}
}
