package ir

// This file reads in the source what kind of statement a loop is, and its label.

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// LoopWord is the word that a loop's statement begins with.
type LoopWord uint8

// The words. A loop that a macro makes, or goto, has none of them.
const (
	UnknownLoop LoopWord = iota
	ForLoop
	WhileLoop
	DoLoop
)

// ReadLoopWords notes which statements the loops of a program are, and their labels, as far as read knows the
// content of its files. Of loops that lost where they stand, the branch back has the place:
// where that is a loop's word, it is noted as well, with an End of 0.
func (p *Program) ReadLoopWords(read func(file string) []byte) {
	files := map[int][][]byte{}
	at := func(l Loc) (LoopWord, string) {
		if l.File < 0 || l.File >= len(p.Files) {
			return UnknownLoop, ""
		}
		lines, ok := files[l.File]
		if !ok {
			lines = bytes.Split(read(p.Files[l.File]), []byte("\n"))
			files[l.File] = lines
		}
		if l.Line < 1 || l.Line > len(lines) || l.Col < 1 || l.Col > len(lines[l.Line-1]) {
			return UnknownLoop, ""
		}
		word := wordAt(string(lines[l.Line-1][l.Col-1:]))
		if word == UnknownLoop {
			return word, ""
		}
		return word, labelBefore(lines[:l.Line-1], string(lines[l.Line-1][:l.Col-1]))
	}
	for _, f := range p.Funcs {
		known := map[int]bool{}
		for i := range f.Loops {
			f.Loops[i].Word, f.Loops[i].Label = at(f.Loops[i].Loc)
			known[f.Loops[i].Block] = true
		}
		for _, b := range f.Blocks {
			back := slices.ContainsFunc(b.Succs, func(s int) bool { return s <= b.Index })
			if loc := b.Terminator().Loc; back && !known[b.Index] {
				if word, label := at(loc); word != UnknownLoop {
					f.Loops = append(f.Loops, LoopLines{Block: b.Index, Loc: loc, Word: word, Label: label})
				}
			}
		}
		slices.SortFunc(f.Loops, func(x, y LoopLines) int { return cmp.Compare(x.Block, y.Block) })
	}
}

func wordAt(text string) LoopWord {
	for word, is := range map[string]LoopWord{"for": ForLoop, "while": WhileLoop, "do": DoLoop} {
		if rest, ok := strings.CutPrefix(text, word); ok && (rest == "" || !strings.ContainsAny(rest[:1], "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")) {
			return is
		}
	}
	return UnknownLoop
}

// aLabel ends in what may be one; the words before a colon that are none are C++'s own.
var (
	aLabel  = regexp.MustCompile(`(?:^|[;{}:)]|\*/)\s*([A-Za-z_]\w*)\s*:$`)
	noLabel = []string{"default", "public", "private", "protected"}
)

// labelBefore returns the label of a statement behind the text of its line and the lines before that, of which
// those without code are passed over.
func labelBefore(lines [][]byte, text string) string {
	for {
		if text = strings.TrimSpace(text); text != "" && !strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "#") {
			break
		}
		if len(lines) == 0 {
			return ""
		}
		text, lines = string(lines[len(lines)-1]), lines[:len(lines)-1]
		if at := strings.Index(text, "//"); at > 0 {
			text = text[:at]
		}
	}
	if m := aLabel.FindStringSubmatch(text); m != nil && !slices.Contains(noLabel, m[1]) {
		return m[1]
	}
	return ""
}
