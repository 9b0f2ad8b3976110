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

// Finding is a remark about a place of a file: something wrong, or, of Load, something that
// it could not use or used in a way that it had to choose.
type Finding struct {
	File string `json:"-"`
	Line int    `json:"line"`
	What string `json:"what"`  // what is wrong
	Do   string `json:"to_do"` // what to do; "" of Load
	like string // equal for findings of one kind
	More []int  `json:"-"` // lines of others like it in the same file, ascending; see GroupFindings
}

func (f Finding) String() string {
	text := fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.What)
	if f.Do != "" {
		text += "; " + f.Do
	}
	switch n := len(f.More); n {
	case 0:
		return text
	case 1:
		return fmt.Sprintf("%s (line %d too)", text, f.More[0])
	default:
		return fmt.Sprintf("%s (%d more like it, down to line %d)", text, n, f.More[n-1])
	}
}

// GroupFindings puts findings of one kind under the first of them. Editors repeat a
// mistake in each instruction of each core: 1,400 findings are a handful of groups.
func GroupFindings(findings []Finding) []Finding {
	type key struct{ file, like, do string }
	at := map[key]int{}
	var groups []Finding
	for _, f := range findings {
		k := key{f.File, f.like, f.Do}
		if f.like == "hash" {
			k.do = "" // names the id, which differs
		}
		if i, ok := at[k]; ok && f.like != "" {
			groups[i].More = append(groups[i].More, f.Line)
			continue
		}
		at[k] = len(groups)
		groups = append(groups, f)
	}
	return groups
}

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
		if i := strings.LastIndex(f.What, "; "); i >= 0 {
			f.What, f.Do = f.What[:i], f.What[i+2:]
		}
		return []Finding{f}
	}
	return lintTree(root, filepath.Dir(path))
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
	l.findings = append(l.findings, Finding{File: n.file, Line: n.line, What: fmt.Sprintf(format, args...), Do: do, like: like})
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
			if set := n.first("CommonInstructionSet"); set != nil {
				l.placeholders(n, "instruction", set)
			}
		case "FunctionalUnitSet":
			if n.parent == root { // a file of units alone
				l.opcodes(n)
				l.placeholders(n, "instruction", n)
			}
		case "AddressSpaceSet", "CommunicationSet":
			l.placeholders(n, "access", n)
			l.oneKind(n)
		case "Pitch", "Latency":
			l.figure(n)
		case "SubSpace":
			start, ok := parseWhole(n.attr("start"))
			end, ok2 := parseWhole(n.attr("end"))
			if ok && ok2 && start > end {
				l.report(n, "addresses", "want the first and the last address", "%s: start %d is above end %d", n.label(), start, end)
			}
		case "ClockFrequency", "OperatingPoint":
			name := map[string]string{"ClockFrequency": "clockValue", "OperatingPoint": "frequency"}[n.name]
			if f, ok := parseNumber(n.attr(name)); ok && f <= 0 {
				l.report(n, "frequency", "give the clock", "%s: %s is %g", n.label(), name, f)
			}
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

// suggestion is what to write instead of a word: the nearest of the list, or one of it.
func suggestion[T any](word string, list []T, name func(T) string) string {
	if len(list) == 0 {
		return "remove it"
	}
	var words []string
	for _, t := range list {
		words = append(words, name(t))
	}
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
