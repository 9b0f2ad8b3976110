package shim

// This file is the strict reader: what it finds, and the order of its checks.

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

// Finding is something wrong with a SHIM file.
type Finding struct {
	File string
	Line int
	What string // what is wrong
	Do   string // what to do
	like string // equal for findings of one kind
}

func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s; %s", f.File, f.Line, f.What, f.Do) }

// Lint reports, by line, what is wrong with a SHIM file:
//
//   - what breaks the schema: unknown elements and attributes, missing ones, values
//     of the wrong type, ids that are taken, references to nothing;
//   - opcodes that LLVM does not have, and opcodes that are given twice;
//   - figures that cannot be true: negative ones, best above typical or typical above
//     worst, all equal as an editor fills them in, a clock of zero or none.
//
// A file that cannot be read or is no XML gives one finding. The order of children
// is not checked, nor the choice between alternatives but for the one of
// communications in 2.0; published files keep neither.
func Lint(path string) []Finding {
	root, err := readTree(path)
	if err != nil {
		f := Finding{File: path, Line: 1, What: strings.TrimPrefix(err.Error(), path+": "), Do: "give a SHIM file"}
		if at, ok := err.(*inputError); ok {
			f.Line, f.What = at.line, at.what
		}
		if what, do, ok := cutLast(f.What, "; "); ok {
			f.What, f.Do = what, do
		}
		return []Finding{f}
	}
	return lintTree(root, filepath.Dir(path))
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

type linter struct {
	schema   schema
	index    *index
	findings []Finding
}

// maxFindings is far more than anyone reads.
const maxFindings = 50000

func (l *linter) full() bool { return len(l.findings) >= maxFindings }

// report adds a finding. Findings of the same like differ in place and figures only.
func (l *linter) report(n *node, like, do, format string, args ...any) {
	l.findings = append(l.findings, Finding{n.file, n.line, fmt.Sprintf(format, args...), do, like})
}

// lintTree checks the tree of a file in folder dir; with dir "", other files are
// taken as missing.
func lintTree(root *node, dir string) []Finding {
	l := &linter{}
	if !l.root(root) {
		return l.findings
	}
	l.index = newIndex(root, func(n, first *node) {
		l.report(n, "duplicate id", "give each element an id of its own",
			"%s: id %q is that of line %d", n.label(), clip(n.attr("id")), first.line)
	})
	l.element(root)
	root.walk(func(n *node) {
		if l.full() {
			return
		}
		switch n.name {
		case "MasterComponent":
			l.opcodes(n)
			l.placeholders(n, "instruction", n.first("CommonInstructionSet"))
		case "FunctionalUnitSet":
			if n.parent == root { // a file of units alone
				l.opcodes(n)
				l.placeholders(n, "instruction", n)
			}
		case "AddressSpaceSet":
			l.placeholders(n, "access", n)
		case "CommunicationSet":
			l.placeholders(n, "access", n)
			l.oneKind(n)
		case "Pitch", "Latency":
			l.figure(n)
		case "SubSpace":
			l.addresses(n)
		case "ClockFrequency":
			l.frequency(n, "clockValue")
		case "OperatingPoint":
			l.frequency(n, "frequency")
		case "FunctionalUnitSetFile":
			reader := &loader{dir: dir}
			reader.unitFile(n)
			for _, w := range reader.warnings {
				l.report(n, "unit file", "mend the file or its path", "%s", w.What)
			}
		}
	})
	l.clocks(root, dir)
	if l.full() {
		l.report(root, "full", "mend these and run it again", "more than %d findings; the rest is left out", maxFindings)
	}
	slices.SortStableFunc(l.findings, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	return l.findings
}

// root picks the schema by the root element.
func (l *linter) root(root *node) bool {
	const wantRoot = "begin with Shim (SHIM 2.0) or SystemConfiguration (SHIM 1.0)"
	version, space := "1.0", ""
	switch root.name {
	case "SystemConfiguration":
		l.schema = schema10()
	case "Shim":
		l.schema, version, space = schema20(), version20, namespace20
	default:
		l.report(root, "root", wantRoot, "root element %s is none of SHIM's", clip(root.name))
		return false
	}
	if v := root.attr("shimVersion"); v != "" && v != version {
		l.report(root, "version", fmt.Sprintf("write %q, or the elements of version %s", version, clip(v)),
			"shimVersion is %q, the root element %s is that of %s", clip(v), root.name, version)
	}
	if root.space != space {
		l.report(root, "namespace", fmt.Sprintf("use %q", space), "namespace %q is not that of SHIM %s", clip(root.space), version)
	}
	return true
}

// longestWord bounds the words for which a near one is looked for.
const longestWord = 64

// suggestion is what to write instead of a word.
func suggestion(word string, words []string) string {
	if near := nearest(word, words); near != "" {
		return fmt.Sprintf("write %q", near)
	}
	return "want " + yamlstrict.List(words)
}

func nearest(word string, words []string) string {
	if len(word) > longestWord {
		return ""
	}
	return yamlstrict.Nearest(word, words)
}
