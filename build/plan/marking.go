package plan

// This file marks the sources of a program as a plan says, and compiles them.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"pathspan/build/toolchain"
	"pathspan/workers"
)

// Marking is a plan on its way into a program.
type Marking struct {
	plan  *Plan
	tools *toolchain.Toolchain
	dir   string
	units []*unit
	sites [][]*site // of each unit
	// overlays are the files that tell clang of changed copies, "" for units without any.
	overlays []string
	copies   [][]Copy
}

// Copy is a file as a unit's compilation sees it.
type Copy struct{ File, Marked string }

// NewMarking returns the marking of a program that knows no source yet. Changed copies are
// written into dir.
func NewMarking(p *Plan, tools *toolchain.Toolchain, dir string) *Marking {
	return &Marking{plan: p, tools: tools, dir: dir}
}

// Survey asks clang what stands where in the next source of the program. It fails where the
// source has errors.
func (m *Marking) Survey(ctx context.Context, c toolchain.Compile) error {
	return m.Read(c.Source, func(dump io.Writer) error { return m.tools.Syntax(ctx, c, dump) })
}

// Read takes clang's dump of the next source from a function that writes it, whose error it
// returns.
func (m *Marking) Read(source string, write func(dump io.Writer) error) error {
	u := newUnit(source)
	in, out := io.Pipe()
	var failed error
	run := workers.Start(func() {
		failed = write(out)
		out.CloseWithError(failed)
	})
	var err error
	own := u.files.named(source)
	u.functions, err = readDump(in, u.files, func(f *function) bool {
		return m.plan.wants(f) || m.plan.makesRegions() && f.begin.file != nil && f.begin.file.same(own)
	})
	in.CloseWithError(errNoDump) // so that clang does not wait for a reader
	run.Wait()
	switch {
	case errors.Is(err, errNoDump):
		return fmt.Errorf("%s: %w", source, err) // clang failed as nobody read on
	case failed != nil:
		return failed // which is why the dump ended
	case err != nil:
		return fmt.Errorf("%s: %w: %w", source, errNoDump, err)
	}
	m.units = append(m.units, u)
	return nil
}

// Skip stands for a source that has nothing to mark: a module.
func (m *Marking) Skip(source string) {
	m.units = append(m.units, newUnit(source))
}

// Mark finds all that the plan names and writes the changed copies.
func (m *Marking) Mark() error { return m.mark(false) }

// MarkPart does it for a part of a program: what it does not have may be in others, unless
// its own lines are named.
func (m *Marking) MarkPart() error { return m.mark(true) }

func (m *Marking) mark(part bool) error {
	m.sites = make([][]*site, len(m.units))
	m.overlays = make([]string, len(m.units))
	m.copies = make([][]Copy, len(m.units))
	for i := range m.plan.Entries {
		e := &m.plan.Entries[i]
		if err := m.oneFile(e); err != nil {
			return err
		}
		if name := e.named(); name != nil {
			if err := m.means(e.At, name); err != nil {
				return err
			}
		}
		found := false
		for k, u := range m.units {
			sites, err := u.find(e)
			if err != nil {
				return err
			}
			if err := m.add(k, sites); err != nil {
				return err
			}
			found = found || len(sites) > 0
		}
		if !found && (!part || m.ownLines(e)) {
			return m.nothing(e)
		}
	}
	if err := m.makeRegions(part); err != nil {
		return err
	}
	for k := range m.units {
		if err := m.direct(k); err != nil {
			return err
		}
		if err := m.shared(k); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		return err
	}
	for k := range m.units {
		if err := m.overlay(k); err != nil {
			return err
		}
	}
	return nil
}

// find finds the constructs of an entry in a unit.
func (u *unit) find(e *Entry) ([]*site, error) {
	switch e.kind.form {
	case loopForm:
		return u.findLoop(e)
	case sectionsForm:
		return u.findSections(e)
	case blockForm:
		return u.findBlocks(e)
	case stagesForm:
		return u.findPipeline(e)
	}
	return u.findPoints(e)
}

// add gives a unit sites, each of which must be apart from the others or inside of them.
func (m *Marking) add(k int, sites []*site) error {
	for _, s := range sites {
		f := s.in.begin.file
		if slices.ContainsFunc(s.edits, func(x edit) bool { return x.offset < 0 || x.offset > len(f.data) }) {
			return fmt.Errorf("%s: it changed while it was compiled; try again", f.name)
		}
		for _, o := range m.sites[k] {
			if o.in.begin.file.same(f) {
				if err := nested(o, s); err != nil {
					return err
				}
			}
		}
		m.sites[k] = append(m.sites[k], s)
	}
	return nil
}

// around returns the innermost site of unit k around another; nil where none is.
func (m *Marking) around(k int, s *site) *site {
	var inner *site
	for i, o := range m.sites[k] {
		if o == s || o.kind.form == pointForm || !o.holds(s.span) || !o.in.begin.file.same(s.in.begin.file) {
			continue
		}
		if o.span == s.span && (o.loop != nil || s.made || s.loop == nil && !o.made && slices.Index(m.sites[k], s) < i) {
			continue // it is the inner one
		}
		if inner == nil || inner.holds(o.span) && !(inner.span == o.span && o.made) {
			inner = o
		}
	}
	return inner
}

// direct gives the sites of unit k their directives.
func (m *Marking) direct(k int) error {
	for _, s := range m.sites[k] {
		if s.made {
			s.pragmas = []string{"omp parallel", "omp single"}
			continue
		}
		if s.kind.form == stagesForm {
			continue // its stages have them
		}
		team := m.inTeam(k, s)
		if s.entry.Clauses.nowait && s.kind.around != "" && !team {
			return s.entry.At.Errorf("%s: nowait is for what the team of a region around executes, and this makes a region of its own; leave it out, or say team: around", s.in.where(s.open))
		}
		s.pragmas = []string{s.entry.pragma(team) + s.depends}
	}
	return nil
}

// inTeam reports whether the team of a region around executes a site of unit k.
func (m *Marking) inTeam(k int, s *site) bool {
	if s.entry.Clauses.team != "" {
		return s.entry.Clauses.team == "around"
	}
	o := m.around(k, s)
	return o != nil && o.kind.key == "parallel"
}

// shared looks for variables that the loops and tasks of unit k should not share, and for
// those that its tasks should.
func (m *Marking) shared(k int) error {
	for _, s := range m.sites[k] {
		if s.kind.key == "task" && !s.made {
			s.share(slices.Concat(m.lost(k, s), m.kept(k, s), m.copied(k, s)))
			if err := m.stale(k, s); err != nil {
				return err
			}
		}
		if s.kind.key == "taskloop" {
			s.share(slices.DeleteFunc(slices.Concat(m.lost(k, s), m.copied(k, s)), s.counts))
		}
		if s.loop == nil || s.kind.key == "taskloop" {
			continue
		}
		parallel := s.in.parallel()
		for _, o := range m.sites[k] {
			if o.loop != nil {
				parallel[o.loop.node] = true
			}
		}
		s.depends = ""
		if err := s.sharedInside(m.team(k, s), parallel); err != nil {
			return err
		}
		s.pragmas[0] += s.depends
	}
	return nil
}

// ownLines reports whether an entry names lines of the sources themselves.
func (m *Marking) ownLines(e *Entry) bool {
	return slices.ContainsFunc(e.places(), func(p *Place) bool {
		return p.File != "" && slices.ContainsFunc(m.units, func(u *unit) bool { return u.files.named(u.source).fits(p.File) != other })
	})
}

// oneFile is an error where a name that an entry gives means several files of the program.
func (m *Marking) oneFile(e *Entry) error {
	for _, p := range e.places() {
		if p.File == "" {
			continue
		}
		var means []*file
		how := ends
		for _, u := range m.units {
			for _, f := range u.files.fitting(p.File) {
				switch is := f.fits(p.File); {
				case is > how:
					means, how = []*file{f}, is
				case is == how && !slices.ContainsFunc(means, f.same):
					means = append(means, f)
				}
			}
		}
		if len(means) > 1 {
			return p.At.Errorf("%s means %s and %s; write more of the path", p.File, means[0].name, means[1].name)
		}
		for _, u := range m.units { // a unit's own best may be less than the program's
			for _, f := range u.files.byName {
				if len(means) == 1 && !f.same(means[0]) {
					f.called[p.File] = other
				}
			}
		}
	}
	return nil
}

// named is the function by whose name an entry names its place; nil where it has lines.
func (e *Entry) named() *Function {
	if e.Caller == nil {
		return e.Places[0].Function
	}
	return e.Caller
}

// places returns those that an entry names by lines.
func (e *Entry) places() []*Place {
	var all []*Place
	for i := range e.Places {
		all = append(all, &e.Places[i])
	}
	return all
}

// overlay writes the changed copies of a unit's files, and the file that lays them over
// those of the user. A file that clang knows by several names is changed under each.
func (m *Marking) overlay(k int) error {
	type root struct {
		Type     string `json:"type"`
		Name     string `json:"name"`
		Contents string `json:"external-contents"`
	}
	var roots []root
	var done []*file
	for _, s := range m.sites[k] {
		f := s.in.begin.file
		if slices.ContainsFunc(done, f.same) {
			continue
		}
		done = append(done, f)
		var sites []*site
		for _, o := range m.sites[k] {
			if o.in.begin.file.same(f) {
				sites = append(sites, o)
			}
		}
		copied := filepath.Join(m.dir, fmt.Sprintf("%d-%d-%s", k, len(done), filepath.Base(f.name)))
		if err := os.WriteFile(copied, apply(f.data, sites), 0o600); err != nil {
			return err
		}
		m.copies[k] = append(m.copies[k], Copy{f.name, copied})
		var names []string
		for _, o := range m.units[k].files.sorted() {
			if o.path != "" && o.same(f) && !slices.Contains(names, o.path) {
				names = append(names, o.path)
				roots = append(roots, root{"file", o.path, copied})
			}
		}
	}
	if len(roots) == 0 {
		return nil
	}
	// Overlays take a/.. for nothing, also where a is a link (seen with LLVM 14 and 16).
	for _, f := range m.units[k].files.sorted() {
		if f.path != "" && !f.leadsTo(f.path) {
			if real := f.real(); real != "" {
				roots = append(roots, root{"file", f.path, real})
			}
		}
	}
	text, err := json.Marshal(struct {
		Version       int    `json:"version"`
		CaseSensitive string `json:"case-sensitive"`
		ExternalNames string `json:"use-external-names"`
		Roots         []root `json:"roots"`
	}{0, "true", "false", roots})
	if err != nil {
		return err
	}
	m.overlays[k] = filepath.Join(m.dir, fmt.Sprintf("overlay-%d.json", k))
	return os.WriteFile(m.overlays[k], text, 0o600)
}

// Overlay returns the file that lays the changed copies of unit k over the user's files, for
// clang's -ivfsoverlay; "" where nothing is changed.
func (m *Marking) Overlay(k int) string { return m.overlays[k] }

// Compile compiles unit k as marked.
func (m *Marking) Compile(ctx context.Context, k int, c toolchain.Compile) (warnings string, err error) {
	c.Overlay = m.overlays[k]
	warnings, err = m.tools.Compile(ctx, c)
	var failed *toolchain.Error
	if c.Overlay != "" && errors.As(err, &failed) && failed.Exit > 0 {
		err = m.Explain(k, failed.Stderr)
	}
	return warnings, err
}

// Files returns the files that are marked, by a name that clang has for each.
func (m *Marking) Files() []string {
	var names []string
	for _, copies := range m.copies {
		for _, c := range copies {
			if !slices.Contains(names, c.File) {
				names = append(names, c.File)
			}
		}
	}
	slices.Sort(names)
	return names
}

// Marked says where an entry's construct was put.
type Marked struct {
	Entry    int    `json:"entry"` // its index in the plan
	File     string `json:"file"`  // as clang has it
	Path     string `json:"path"`  // of the file itself
	Line     int    `json:"line"`
	Column   int    `json:"column,omitempty"` // of tasks: in the order of columns they are made
	Stage    int    `json:"stage,omitempty"`  // of a pipeline, from 1
	Function string `json:"function"`
	Region   bool   `json:"region"` // it begins a region that is estimated
	// Notes say what is estimated and could not run in parallel as it stands.
	Notes []string `json:"notes,omitempty"`
}

// Marked returns the constructs of unit k.
func (m *Marking) Marked(k int) []Marked {
	var all []Marked
	for _, s := range m.sites[k] {
		if s.made {
			continue
		}
		line, column := s.in.begin.file.line(s.open)
		for i := range m.plan.Entries {
			if s.entry == &m.plan.Entries[i] {
				f := s.in.begin.file
				region := s.kind.around != "" && !m.inTeam(k, s)
				if s.kind.key != "task" {
					column = 0
				}
				all = append(all, Marked{i, f.name, f.real(), line, column, s.stage, s.in.qualified(), region, m.passed(k, s)})
			}
		}
	}
	return all
}

// Notes says of regions that nothing in a program came of them, and what Marked holds. There
// tells whether the program has a parallel region that begins on a line of a file.
func (p *Plan) Notes(marked []Marked, there func(file string, line int) bool) []string {
	var notes []string
	for k := range marked {
		notes = append(notes, marked[k].Notes...)
	}
	for i := range p.Entries {
		var first *Marked
		used := false
		for k := range marked {
			if m := &marked[k]; m.Entry == i && m.Region {
				used = used || there(m.File, m.Line)
				if first == nil {
					first = m
				}
			}
		}
		if first != nil && !used {
			notes = append(notes, fmt.Sprintf("%s: nothing of %s:%d is in the compiled program: %s is never used; leave the entry out", p.Entries[i].At, first.File, first.Line, first.Function))
		}
	}
	return notes
}

// Missing lists the entries that are nowhere, as file and line of the plan.
func (p *Plan) Missing(marked []Marked) []string {
	var missing []string
	for i := range p.Entries {
		if !slices.ContainsFunc(marked, func(m Marked) bool { return m.Entry == i }) {
			missing = append(missing, p.Entries[i].At.String())
		}
	}
	return missing
}

// Ambiguous is an error where an entry was put into several places by parts of a program that
// did not know of each other.
func (p *Plan) Ambiguous(marked []Marked) error {
	for i := range p.Entries {
		var first *Marked
		if len(p.Entries[i].Places) > 1 && p.Entries[i].kind.form != sectionsForm && p.Entries[i].kind.form != stagesForm || p.Entries[i].Caller != nil && p.Entries[i].kind.form == blockForm {
			continue // a construct each
		}
		for k := range marked {
			switch m := &marked[k]; {
			case m.Entry != i || m.Stage > 0: // a pipeline is where its loop is
			case first == nil:
				first = m
			case first.Line != m.Line || first.Path != m.Path:
				return p.Entries[i].At.Errorf("the entry means %s:%d and %s:%d; name one by FILE:LINE, with more of its path", first.Path, first.Line, m.Path, m.Line)
			}
		}
	}
	return nil
}
