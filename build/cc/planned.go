package cc

// This file has sources marked as a plan says while a build compiles them. What is in none of
// a program's sources only its link knows.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pathspan/bounded"
	"pathspan/build/plan"
	"pathspan/profile"
)

// Planned is what an object's record says of the plan that its source was marked by.
type Planned struct {
	Name   string        `json:"name"`
	Text   string        `json:"text"`
	Marked []plan.Marked `json:"marked,omitempty"`
	Files  []markedFile  `json:"files,omitempty"` // besides the source
}

type markedFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// readPlan reads the plan that the settings name.
func readPlan(file string) (*plan.Plan, error) {
	text, err := bounded.ReadFile(file, bounded.Text)
	if err != nil {
		return nil, fmt.Errorf("$%s: --plan %s: %w; give its absolute path, as builds change folders", EnvFlags, file, bounded.Reason(err))
	}
	return plan.Parse(file, text)
}

// errClang is returned where clang refuses a source: it says why when it compiles it.
var errClang = errors.New("clang refuses the source")

// mark marks a source that is compiled with arguments, and returns those that clang needs
// besides. Explain turns what clang says of the marked source into an error.
func (d *Driver) mark(ctx context.Context, source string, args []string, h *Header) (more []string, explain func(said string) error, err error) {
	p := d.Settings.Plan
	if p == nil || source == "-" {
		return nil, nil, nil
	}
	m := plan.NewMarking(p, nil, d.path("marked"))
	err = m.Read(source, func(dump io.Writer) error {
		args := append(slices.Clone(args), "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-Qunused-arguments")
		status, err := d.tool(ctx, args, nil, dump, io.Discard)
		if err == nil && status != 0 {
			err = errClang
		}
		return err
	})
	if errors.Is(err, errClang) {
		return nil, nil, nil
	}
	if err == nil {
		err = m.MarkPart()
	}
	if err != nil {
		return nil, nil, err
	}
	h.Plan = &Planned{Name: p.File, Text: string(p.Text), Marked: m.Marked(0)}
	for _, name := range m.Files() {
		if name == source {
			continue
		}
		data, err := bounded.ReadFile(name, bounded.Text)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, bounded.Reason(err))
		}
		h.Plan.Files = append(h.Plan.Files, markedFile{name, fmt.Sprintf("%x", sha256.Sum256(data))})
	}
	if m.Overlay(0) == "" {
		return nil, nil, nil
	}
	return []string{"-ivfsoverlay", m.Overlay(0)}, func(said string) error { return m.Explain(0, said) }, nil
}

// compileMarked makes the module of a marked source. Clang's own words are of a source that
// nobody wrote, so they are shown where it takes the source.
func (d *Driver) compileMarked(ctx context.Context, args []string, explain func(string) error) (int, error) {
	var said bytes.Buffer
	status, err := d.tool(ctx, args, nil, d.Stdout, &said)
	if err == nil && status != 0 {
		return 1, explain(said.String())
	}
	d.Stderr.Write(said.Bytes())
	return status, err
}

// plan puts together what the modules of a program say of their plan: what of it the program
// has, and what it lacks.
func (p *program) plan(d *Driver, output string) (*plan.Plan, *profile.Plan, []plan.Marked, error) {
	var text *Planned
	without := "" // a source that was compiled without a plan
	for _, m := range p.modules {
		switch h := m.Header.Plan; {
		case h == nil:
			without = m.Header.Source
		case text == nil:
			text = h
		case text.Text != h.Text:
			return nil, nil, nil, fmt.Errorf("%s was compiled with another plan than the rest; compile it again", m.Header.Source)
		}
	}
	own := d.Settings.Plan
	switch {
	case own == nil && text == nil:
		return nil, nil, nil, nil
	case text == nil:
		return nil, nil, nil, fmt.Errorf("%s was compiled without the plan %s; compile all again (make clean)", without, own.File)
	case own != nil && string(own.Text) != text.Text:
		return nil, nil, nil, fmt.Errorf("the plan %s has changed since its sources were compiled; compile all again (make clean)", own.File)
	}
	parsed, err := plan.Parse(text.Name, []byte(text.Text))
	if err != nil {
		return nil, nil, nil, err
	}
	out := &profile.Plan{Name: text.Name, Text: text.Text}
	var marked []plan.Marked
	for _, m := range p.modules {
		if m.Header.Plan == nil {
			continue
		}
		marked = append(marked, m.Header.Plan.Marked...)
		for _, f := range m.Header.Plan.Files {
			s := profile.Source{Name: f.Name}
			if sum, err := hex.DecodeString(f.SHA256); err == nil {
				copy(s.SHA256[:], sum)
			}
			if !slices.Contains(out.Marked, s) {
				out.Marked = append(out.Marked, s)
			}
		}
	}
	if err := parsed.Ambiguous(marked); err != nil {
		return nil, nil, nil, err
	}
	if missing := parsed.Missing(marked); len(missing) > 0 {
		hint := ""
		if without != "" {
			hint = "; " + without + " was compiled without the plan"
		}
		if len(missing) > 5 {
			missing = append(missing[:5], fmt.Sprintf("%d more", len(missing)-5))
		}
		d.warn("%s: its sources have nothing of %s%s", output, strings.Join(missing, ", "), hint)
	}
	return parsed, out, marked, nil
}
