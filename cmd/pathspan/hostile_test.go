package main

// This file runs every command on a bundle in which every text is hostile: control
// sequences, line ends, overrides of the direction of writing, bytes that are not UTF-8,
// and what HTML, Markdown, DOT, CSV and YAML take for their own.

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"pathspan/profile/bundlepb"
	"pathspan/streams"
	"pathspan/visible"
)

// nasty makes a text hostile, and keeps equal ones equal and others apart.
func nasty(s string) string {
	return "\x1b[31m\x1b]0;t\a" + s + "\n\rFORGED: a line of its own\t\x9b2J\u009b\u202eabc\u2066\x7f\xff<script>alert(1)</script>|`${x}\"'\\,;}{]["
}

const bundleHead = "PSPAN\r\n\x01"

// message reads the message in a bundle.
func message(t testing.TB, path string) *bundlepb.Bundle {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data[len(bundleHead):]))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	m := &bundlepb.Bundle{}
	if err := proto.Unmarshal(text, m); err != nil {
		t.Fatal(err)
	}
	return m
}

// writeMessage writes any message as a bundle.
func writeMessage(t testing.TB, path string, m *bundlepb.Bundle) {
	t.Helper()
	text, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	out.WriteString(bundleHead)
	z := gzip.NewWriter(&out)
	z.Write(text)
	z.Close()
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// eachText changes every text of a message: all bytes but hashes and the module.
func eachText(m protoreflect.Message, change func(string) string) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch name := f.Name(); {
		case f.Message() != nil && f.IsList():
			for i := range v.List().Len() {
				eachText(v.List().Get(i).Message(), change)
			}
		case f.Message() != nil:
			eachText(v.Message(), change)
		case f.Kind() != protoreflect.BytesKind || name == "module" || name == "module_hash" || name == "sha256":
		case f.IsList():
			for i := range v.List().Len() {
				if s := v.List().Get(i).Bytes(); len(s) > 0 {
					v.List().Set(i, protoreflect.ValueOfBytes([]byte(change(string(s)))))
				}
			}
		default:
			m.Set(f, protoreflect.ValueOfBytes([]byte(change(string(v.Bytes())))))
		}
		return true
	})
}

// twoExecutions is a flow of data in which the second statement reads what the first wrote.
func twoExecutions(t *testing.T) []byte {
	t.Helper()
	trace := streams.Trace{Statements: make([]streams.Statement, 2)}
	for i, from := range [][]int32{nil, {0}} {
		if err := trace.Add(i, streams.Reads|streams.Writes|streams.Enters, from...); err != nil {
			t.Fatal(err)
		}
	}
	return trace.Code()
}

// harmless says what of a text is not harmless on a terminal, and as a line, "" if nothing.
func harmless(text string) string {
	if !utf8.ValidString(text) {
		return "bytes that are not UTF-8"
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(strings.TrimSpace(line), "FORGED") {
			return fmt.Sprintf("a line that a name began: %q", line)
		}
		for _, r := range line {
			if !unicode.IsPrint(r) && r != '\t' {
				return fmt.Sprintf("%q in the line %.200q", r, line)
			}
		}
	}
	return ""
}

func TestHostileBundle(t *testing.T) {
	source, err := filepath.Abs(filepath.Join("testdata", "nested.pspan"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	m := message(t, source)
	eachText(m.ProtoReflect(), nasty)
	writeMessage(t, "evil.pspan", m)
	// Another one, of other counts, sources and flags.
	other := proto.Clone(m).(*bundlepb.Bundle)
	other.Funcs[0].Levels[0].Paths[0].Count++
	other.Provenance.Flags = append(other.Provenance.Flags, []byte(nasty("-O")))
	other.Provenance.Sources[0].Sha256[0]++
	writeMessage(t, "other.pspan", other)
	root := visible.Line(nasty("main"))
	without := " profile cc c++ replay measure validate fifo doctor man completion help exit-codes environment "
	memory := message(t, filepath.Join(filepath.Dir(source), "racy.pspan"))
	eachText(memory.ProtoReflect(), nasty)
	writeMessage(t, "memory.pspan", memory)
	flowing := proto.Clone(m).(*bundlepb.Bundle)
	flowing.Flow = &bundlepb.Flow{
		Funcs: []uint32{0, 1}, Callers: []uint32{1, 0}, Files: []uint32{0, 0}, Lines: []uint32{3, 4}, Cols: []uint32{1, 1},
		Names: [][]byte{[]byte(nasty("main.c"))}, Executions: twoExecutions(t),
	}
	writeMessage(t, "flow.pspan", flowing)
	if err := os.WriteFile("samples.csv", []byte("name,bundle,cycles\n\"a\x1b[31mb\u202e\",evil.pspan,1000\nb,evil.pspan,2000\nc,evil.pspan,3000\n"), 0o644); err != nil {
		t.Fatal(err)
	}

	kinds := map[string]func(data []byte) string{
		"text": func(data []byte) string { return harmless(string(data)) },
		"json": func(data []byte) string {
			for line := range bytes.Lines(bytes.TrimSpace(data)) {
				if !json.Valid(line) && !json.Valid(data) {
					return "no JSON"
				}
			}
			return harmless(string(data))
		},
		"html": func(data []byte) string {
			if strings.Contains(string(data), "<script>alert") {
				return "a script"
			}
			return harmless(string(data))
		},
		"xml": func(data []byte) string {
			for d := xml.NewDecoder(bytes.NewReader(data)); ; {
				if _, err := d.Token(); err == io.EOF {
					return harmless(string(data))
				} else if err != nil {
					return err.Error()
				}
			}
		},
		"csv": func(data []byte) string {
			if _, err := csv.NewReader(bytes.NewReader(data)).ReadAll(); err != nil {
				return err.Error()
			}
			return harmless(strings.ReplaceAll(string(data), "\r\n", "\n")) // as RFC 4180 has it
		},
		"pprof": func(data []byte) string {
			p, err := profile.ParseData(data)
			if err != nil {
				return err.Error()
			}
			return harmless(p.String())
		},
	}
	ran := map[string]bool{}
	for _, c := range []struct {
		kind, command string // -o FILE is added where the kind is no text
		status        int
	}{
		{"text", "inspect evil.pspan --functions 0 --paths 0", 0},
		{"json", "inspect evil.pspan --json", 0},
		{"text", "estimate evil.pspan --function ROOT", 0},
		{"text", "estimate evil.pspan --function ROOT --model c6000 -p 2", 0},
		{"json", "estimate evil.pspan --function ROOT --json", 0},
		{"text", "estimate evil.pspan --function ROOT --explain", 0},
		{"json", "estimate evil.pspan --function ROOT --explain --json", 0},
		{"text", "estimate evil.pspan --function ROOT --verify -p 2", 0},
		{"text", "estimate evil.pspan", 1},
		{"text", "explore evil.pspan --function ROOT -p 2 --budget 200", 0},
		{"json", "explore evil.pspan --function ROOT -p 2 --budget 200 --json > best.json", 0},
		{"text", "explore evil.pspan --function ROOT -p 2 --budget 200 -o best.yaml", 0},
		{"text", "estimate evil.pspan --function ROOT -p 2 --mapping best.yaml", 0},
		{"text", "why evil.pspan --function ROOT -p 2", 0},
		{"text", "suggest evil.pspan --function ROOT -p 2", 0},
		{"json", "suggest evil.pspan --function ROOT -p 2 --json", 0},
		{"json", "why evil.pspan --function ROOT -p 2 --json", 0},
		{"text", "diff evil.pspan other.pspan --function ROOT", 0},
		{"json", "diff evil.pspan other.pspan --function ROOT --json", 0},
		{"text", "diff best.json best.json", 0},
		{"html", "report evil.pspan --function ROOT -p 2 -o r.html", 0},
		{"text", "report evil.pspan --function ROOT -p 2 -o r.md", 0},
		{"json", "report evil.pspan --function ROOT -p 2 -o r.json", 0},
		{"text", "report evil.pspan --function ROOT --explored best.json -o e.md", 0},
		{"pprof", "export evil.pspan --function ROOT --format pprof -o x", 0},
		{"json", "export evil.pspan --function ROOT --format chrome -o x", 0},
		{"csv", "export evil.pspan --function ROOT --format csv", 0},
		{"csv", "export evil.pspan --function ROOT --format cilkscale", 0},
		{"json", "export evil.pspan --function ROOT --format wfformat", 0},
		{"xml", "export evil.pspan --function ROOT --format sdf3", 0},
		{"text", "graph evil.pspan --function ROOT --kind htg", 0},
		{"json", "graph evil.pspan --function ROOT --kind htg --format json", 0},
		{"xml", "graph evil.pspan --function ROOT --kind htg --format svg", 0},
		{"text", "graph evil.pspan --function ROOT --kind cfg", 0},
		{"json", "graph evil.pspan --function ROOT --kind cfg --format json", 0},
		{"xml", "graph evil.pspan --function ROOT --kind cfg --format svg", 0},
		{"text", "graph evil.pspan --function ROOT --kind cdg", 0},
		{"xml", "graph evil.pspan --function ROOT --kind cdg --format svg", 0},
		{"text", "graph evil.pspan --kind calls", 0},
		{"xml", "graph evil.pspan --kind calls --format svg", 0},
		{"text", "merge evil.pspan evil.pspan -o both.pspan", 0},
		{"text", "inspect both.pspan", 0},
		{"json", "merge evil.pspan evil.pspan -o both.pspan --json", 0},
		{"text", "merge evil.pspan other.pspan nested.pspan -o both.pspan", 1},
		{"text", "model compare generic arm922t evil.pspan", 0},
		{"json", "model compare generic arm922t evil.pspan --json", 0},
		{"text", "model fit samples.csv -o fitted.yaml", 0},
		{"text", "model show ./fitted.yaml", 0},
		{"json", "serve evil.pspan --function ROOT -p 2", 0},
		{"text", "comm memory.pspan", 0},
		{"text", "comm memory.pspan --by object --per-call", 0},
		{"text", "comm memory.pspan --ports", 0},
		{"json", "comm memory.pspan --json", 0},
		{"text", "comm memory.pspan --graph --format dot", 0},
		{"xml", "comm memory.pspan --graph --format svg", 0},
		{"csv", "comm memory.pspan --matrix --format csv", 0},
		{"text", "flow flow.pspan --function ROOT", 0},
		{"json", "flow flow.pspan --function ROOT --json", 0},
		{"csv", "flow flow.pspan --function ROOT --csv", 0},
		{"text", "flow flow.pspan --function ROOT --vcd flow.vcd", 0},
		{"text", "races memory.pspan", 0},
		{"json", "races memory.pspan --json", 0},
		{"text", "inspect memory.pspan", 0},
		{"text", "estimate memory.pspan --function ROOT", 0},
	} {
		var args []string
		out := ""
		words := strings.Fields(c.command)
		for i := 0; i < len(words); i++ {
			switch w := words[i]; w {
			case "ROOT":
				args = append(args, root)
			case ">":
				i++
				out = words[i]
			case "nested.pspan":
				args = append(args, source)
			default:
				args = append(args, w)
			}
		}
		ran[words[0]] = true
		var stdout, stderr bytes.Buffer
		status := run(args, strings.NewReader(`{"sections":[0]}`+"\n"), &stdout, &stderr)
		if status != c.status {
			t.Errorf("%s: status %d, %.400q", c.command, status, stderr.String())
			continue
		}
		if what := harmless(stderr.String()); what != "" {
			t.Errorf("%s: standard error has %s", c.command, what)
		}
		if c.status != 0 && strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: want one line, got %q", c.command, stderr.String())
		}
		data := stdout.Bytes()
		if i := strings.Index(c.command, " -o "); i >= 0 && !strings.Contains(c.command, "merge") && c.status == 0 {
			file, _, _ := strings.Cut(c.command[i+4:], " ")
			written, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if what := harmless(string(data)); what != "" {
				t.Errorf("%s: standard output has %s", c.command, what)
			}
			data = written
		}
		if out != "" {
			if err := os.WriteFile(out, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if what := kinds[c.kind](data); what != "" {
			t.Errorf("%s: %s", c.command, what)
		}
	}
	for _, c := range newRoot(io.Discard).Commands() {
		if !ran[c.Name()] && !strings.Contains(without, " "+c.Name()+" ") {
			t.Errorf("%s was not run; add it here, or to those that read no bundle", c.Name())
		}
	}
}
