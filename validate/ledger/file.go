package ledger

// This file reads and writes ledgers.

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"sync"

	"pathspan/bounded"
	"pathspan/scratch"
	"pathspan/visible"
)

//go:embed committed.json
var committed []byte

// Committed returns the ledger that belongs to this version: make validate writes it.
// It must not be changed.
var Committed = sync.OnceValues(func() (*Ledger, error) { return Read("the ledger of this version", committed) })

//go:embed outside/*.json
var outside embed.FS

// Outside returns the ledgers of this version against figures that were measured elsewhere, in
// the order of their names: docs/accuracy.md says how each is made. They must not be changed.
var Outside = sync.OnceValues(func() (all []*Ledger, err error) {
	files, err := fs.Glob(outside, "outside/*.json")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		data, err := outside.ReadFile(f)
		if err != nil {
			return nil, err
		}
		l, err := Read("the ledger "+path.Base(f), data)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
})

// Read decodes a ledger and checks it. Errors are of one line and begin with name.
func Read(name string, data []byte) (*Ledger, error) {
	l := &Ledger{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(l); err != nil {
		return nil, fmt.Errorf("%s: not a ledger of pathspan validate: %s", name, decodeReason(data, err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: something follows the ledger's last brace", name)
	}
	visible.Strings(l)
	if l.Schema != Schema {
		return nil, fmt.Errorf("%s: schema %q, want %q: write the ledger anew with pathspan validate -o", name, l.Schema, Schema)
	}
	for i := range l.Rows {
		if err := l.Rows[i].check(); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, i+1, err)
		}
	}
	l.Sort()
	for i := 1; i < len(l.Rows); i++ {
		if l.Rows[i].Key() == l.Rows[i-1].Key() {
			return nil, fmt.Errorf("%s: there are two rows of %s", name, l.Rows[i].Key())
		}
	}
	return l, nil
}

// decodeReason says in which line the decoder stopped.
func decodeReason(data []byte, err error) string {
	var at int64 = -1
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &wrong):
		at = wrong.Offset
	}
	if at < 0 || at > int64(len(data)) {
		return err.Error()
	}
	return fmt.Sprintf("line %d: %s", 1+bytes.Count(data[:at], []byte("\n")), err)
}

func (r *Row) check() error {
	switch {
	case r.Program == "" || r.Technique == "" || r.Reference == "" || r.Level == "":
		return errors.New("program, level, technique and reference must be named")
	case r.Processors < 1:
		return fmt.Errorf("%d processors: want 1 or more", r.Processors)
	case !(r.Speedup > 0) || !(r.ReferenceSpeedup > 0):
		return fmt.Errorf("speed-ups of %g and %g: want more than 0", r.Speedup, r.ReferenceSpeedup)
	case math.Abs(r.Speedup/r.ReferenceSpeedup-1-r.Error) > 1e-6*(1+math.Abs(r.Error)):
		return fmt.Errorf("error %g is not that of a speed-up of %g against %g", r.Error, r.Speedup, r.ReferenceSpeedup)
	}
	return r.checkShares()
}

// ReadFile reads a ledger.
func ReadFile(name string) (*Ledger, error) {
	data, err := bounded.ReadFile(name, bounded.Text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, bounded.Reason(err))
	}
	return Read(name, data)
}

// Write writes the ledger, a row a line.
func (l *Ledger) Write(w io.Writer) error {
	l.Schema = Schema
	l.Sort()
	var b bytes.Buffer
	head, err := json.Marshal(struct {
		Schema    string `json:"schema"`
		Toolchain string `json:"toolchain"`
		Target    string `json:"target"`
	}{l.Schema, l.Toolchain, l.Target})
	if err != nil {
		return err
	}
	b.Write(head[:len(head)-1])
	for _, part := range []struct {
		name string
		rows int
		row  func(int) any
	}{
		{"programs", len(l.Programs), func(i int) any { return l.Programs[i] }},
		{"rows", len(l.Rows), func(i int) any { return l.Rows[i] }},
		{"regions", len(l.Regions), func(i int) any { l.Regions[i].Causes = nonNil(l.Regions[i].Causes); return l.Regions[i] }},
	} {
		fmt.Fprintf(&b, ",\n%q: [", part.name)
		for i := range part.rows {
			row, err := json.Marshal(part.row(i))
			if err != nil {
				return err
			}
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
			b.Write(row)
		}
		b.WriteString("\n]")
	}
	if len(l.Winners) > 0 {
		winners, err := json.Marshal(l.Winners)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, ",\n\"winners\": %s", winners)
	}
	b.WriteString("}\n")
	_, err = w.Write(b.Bytes())
	return err
}

func nonNil(c []Cause) []Cause {
	if c == nil {
		return []Cause{}
	}
	return c
}

// WriteFile writes the ledger beside path and renames it.
func (l *Ledger) WriteFile(path string) error {
	return scratch.Place(path, 0o644, l.Write)
}
