package document_test

// This file makes the JSON Schema of documents from the types, their comments and the
// few constraints that types cannot say, and holds it against the one in docs/schema and
// that against documents. With -update, the schema is written anew.

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pathspan/estimate"
	"pathspan/estimate/formula"
	"pathspan/report/document"
)

var update = flag.Bool("update", false, "rewrite the schema and the expected output")

const schemaFile = "../../docs/schema/report-1.schema.json"

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

// constraints are what types cannot say, by type and JSON name.
var constraints = map[string]object{
	"Document.schema":           {{"const", document.Schema}},
	"Losses.schema":             {{"const", "pathspan.why/1"}},
	"Answer.technique":          {{"enum", estimate.Techniques}},
	"Result.technique":          {{"enum", estimate.Techniques}},
	"Output.technique":          {{"enum", estimate.Techniques}},
	"Answer.default_cost_share": share,
	"Path.share":                {{"minimum", 0}},
	"Timeline.other_share":      share,
	"TimelinePath.share":        share,
	"Task.kind":                 {{"enum", []string{"entry", "simple", "compound", "loop", "exit"}}},
	"Bar.kind":                  {{"enum", []string{estimate.BarSection, estimate.BarCreate, estimate.BarSync}}},
	"Default.kind":              {{"enum", []string{"function", "processors", "model", "mapping", "technique", "clock", "overheads", "samples", "cost"}}},
	"Platform.processors":       {{"minItems", 1}},
	"Curve.points":              {{"minItems", 1}},
	"Answer.estimates":          {{"minItems", 1}},
	"WorkSpan.parallelism":      {{"minimum", 0.999999}},
	"GraphLevel.tasks":          {{"minItems", 2}},
	"Source.sha256":             {{"pattern", "^[0-9a-f]{64}$"}},
}

// schemas collects the definitions of types.
type schemas struct {
	t     testing.TB
	defs  object
	seen  map[reflect.Type]bool
	docs  map[string]map[string]string // [package.Type][field]
	types map[string]string            // [package.Type]: comment
	used  map[string]bool              // constraints
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
	case reflect.Int, reflect.Int32:
		return object{{"type", "integer"}}
	case reflect.Uint64:
		return object{{"type", "integer"}, {"minimum", 0}}
	case reflect.Slice:
		return object{{"type", "array"}, {"items", s.of(t.Elem())}}
	case reflect.Struct:
		s.define(t)
		return object{{"$ref", "#/$defs/" + t.Name()}}
	}
	s.t.Fatalf("no schema for %v", t)
	return nil
}

func (s *schemas) define(t reflect.Type) {
	if s.seen[t] {
		return
	}
	for other := range s.seen {
		if other.Name() == t.Name() {
			s.t.Fatalf("two types are called %s", t.Name())
		}
	}
	s.seen[t] = true
	s.defs = append(s.defs, member{t.Name(), nil})
	at := len(s.defs) - 1
	s.defs[at].value = s.structure(t)
}

func (s *schemas) structure(t reflect.Type) object {
	properties, required := object{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		var x object
		switch {
		case f.Type == reflect.TypeFor[json.RawMessage]():
			x = s.of(reflect.TypeFor[formula.Formula]())
		case strings.Contains(options, "string"):
			x = object{{"type", "string"}, {"pattern", "^[0-9]+$"}}
		default:
			x = s.of(f.Type)
		}
		key := t.Name() + "." + name
		if c, ok := constraints[key]; ok {
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
	out := object{{"type", "object"}, {"additionalProperties", false}, {"required", required}, {"properties", properties}}
	if doc := s.types[t.PkgPath()+"."+t.Name()]; doc != "" {
		out = append(object{{"description", doc}}, out...)
	}
	return out
}

// readComments reads what stands at the types of a package.
func (s *schemas) readComments(pkg string) {
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

func generatedSchema(t testing.TB) []byte {
	s := &schemas{t: t, seen: map[reflect.Type]bool{}, docs: map[string]map[string]string{}, types: map[string]string{}, used: map[string]bool{}}
	for _, pkg := range []string{"pathspan/report/document", "pathspan/report", "pathspan/estimate", "pathspan/estimate/formula"} {
		s.readComments(pkg)
	}
	root := s.structure(reflect.TypeFor[document.Document]())
	for key := range constraints {
		if !s.used[key] {
			t.Errorf("no type has the field %s that is constrained", key)
		}
	}
	all := append(object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", "urn:pathspan:report:1"}, {"title", document.Schema},
	}, append(root, member{"$defs", s.defs})...)
	compact, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		t.Fatal(err)
	}
	out.WriteByte('\n')
	return out.Bytes()
}

func TestSchemaIsThatOfTheTypes(t *testing.T) {
	want := generatedSchema(t)
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Errorf("%s is not that of the types: run go test ./report/document -update; programs that read version 1 must still understand it", schemaFile)
	}
}

// compiledSchema reads the committed schema, or what is going to be it.
func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile(schemaFile)
	if *update {
		data, err = generatedSchema(t), nil
	}
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validated holds a document's JSON against the schema.
func validated(t testing.TB, s *jsonschema.Schema, data []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Error(err)
	}
}
