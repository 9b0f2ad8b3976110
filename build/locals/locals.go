// Package locals says what iterations of each loop of the source leave to each other in scalar variables of its function,
// as clang wrote it: the optimiser keeps these in registers, and makes one of those that go on alike, after which nothing
// tells what the source has each thread share.
//
//	locals.Mark(m, read) // before anything is optimised; package depend reads what it wrote
//
// A variable is looked at where all that is done with it is to load and store it: of one whose address goes elsewhere nothing
// is said. What iterations leave in memory is for a run to tell.
package locals

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
)

// mostBlocks is of functions that are looked at; larger ones take long.
const mostBlocks = 4000

// Mark writes into the named metadata [asm.Variables] what it finds, a line for each loop and variable. The values of m
// must be named, and not optimised. read returns the text of a source, nil where it is not known.
func Mark(m *asm.Module, read func(file string) []byte) error {
	const format = "%d %d %s %s %s %s %s" // where the loop is, what is said, name, detail, lines, file
	var list []string
	files := map[string][][]byte{}
	for _, f := range m.Funcs() {
		if len(f.Blocks) == 0 || len(f.Blocks) > mostBlocks {
			continue
		}
		fn := newFunction(f)
		for _, l := range fn.cfg.Loops {
			at, ok := placeOf(m, f, l)
			if !ok || l.Irreducible {
				continue
			}
			if _, known := files[at.file]; !known {
				files[at.file] = bytes.Split(read(at.file), []byte("\n"))
			}
			text := files[at.file]
			if at.line <= len(text) {
				text = text[at.line-1 : min(max(at.end, at.line), len(text))]
			}
			x := newLoop(m, fn, l)
			for _, v := range fn.vars {
				is, detail := x.is(v)
				if v == x.counts && (is == "" || is == "lastprivate") && at.line <= len(files[at.file]) && unset.Match(text[0][min(at.col-1, len(text[0])):]) {
					is, detail = "unset", ""
				}
				if is == "" {
					continue
				}
				list = append(list, fmt.Sprintf(format, at.line, at.col, is, cmp.Or(named(v.name, text), "-"), cmp.Or(detail, "-"), x.lines(v), path.Base(at.file)))
			}
			for _, name := range fn.numbered {
				if real := named(name, text); real != name && fn.of[name] == nil && slices.ContainsFunc(fn.users[name], func(in *asm.Instr) bool { return x.in[fn.at[in][0]] }) {
					list = append(list, fmt.Sprintf(format, at.line, at.col, "called", cmp.Or(real, "-"), name, "-", path.Base(at.file)))
				}
			}
		}
	}
	return m.AddNamedStrings(asm.Variables, list)
}

// place is where the statement of a loop stands.
type place struct {
	file           string
	line, col, end int
}

func placeOf(m *asm.Module, f *asm.Func, l *flow.Loop) (place, bool) {
	for _, latch := range l.Latches {
		term := f.Blocks[latch.From].Term()
		if term == nil {
			continue
		}
		var p place
		for _, id := range m.Meta(ir.LoopID(term)).Refs() {
			n := m.Meta(id)
			if n == nil || n.Kind != "DILocation" {
				continue
			}
			if p.line > 0 {
				p.end = n.Int("line")
				continue
			}
			p = place{fileOf(m, n), n.Int("line"), n.Int("column"), n.Int("line")}
		}
		if p.line > 0 && p.file != "" {
			return p, true
		}
	}
	return place{}, false
}

func fileOf(m *asm.Module, n *asm.Meta) string {
	for range 1000 {
		if n = m.Meta(n.Ref("scope")); n == nil {
			break
		}
		if f := m.Meta(n.Ref("file")); f != nil {
			return f.Str("filename")
		}
	}
	return ""
}

var (
	unset      = regexp.MustCompile(`^for\s*\(\s*;`)
	identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	words      = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
)

// named returns the name that the text of a loop has for a variable, of which clang numbers those that are called alike; "" where
// it is in none of the lines, as of a macro.
func named(name string, text [][]byte) string {
	name = strings.TrimSuffix(name, ".addr")
	if !identifier.MatchString(name) {
		return ""
	}
	for {
		if slices.ContainsFunc(text, func(line []byte) bool {
			return slices.ContainsFunc(words.FindAll(line, -1), func(w []byte) bool { return string(w) == name })
		}) {
			return name
		}
		last := name[len(name)-1]
		if last < '0' || last > '9' || len(name) == 1 {
			return ""
		}
		name = name[:len(name)-1]
	}
}
