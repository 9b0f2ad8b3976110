package ir

// This file reads in the source what kind of statement a loop is.

import (
	"bytes"
	"cmp"
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

// ReadLoopWords notes which statements the loops of a program are, as far as read knows the
// content of its files. Of loops that lost where they stand, the branch back has the place:
// where that is a loop's word, it is noted as well, with an End of 0.
func (p *Program) ReadLoopWords(read func(file string) []byte) {
	files := map[int][][]byte{}
	at := func(l Loc) LoopWord {
		if l.File < 0 || l.File >= len(p.Files) {
			return UnknownLoop
		}
		lines, ok := files[l.File]
		if !ok {
			lines = bytes.Split(read(p.Files[l.File]), []byte("\n"))
			files[l.File] = lines
		}
		if l.Line < 1 || l.Line > len(lines) || l.Col < 1 || l.Col > len(lines[l.Line-1]) {
			return UnknownLoop
		}
		return wordAt(string(lines[l.Line-1][l.Col-1:]))
	}
	for _, f := range p.Funcs {
		known := map[int]bool{}
		for i := range f.Loops {
			f.Loops[i].Word = at(f.Loops[i].Loc)
			known[f.Loops[i].Block] = true
		}
		for _, b := range f.Blocks {
			back := slices.ContainsFunc(b.Succs, func(s int) bool { return s <= b.Index })
			if loc := b.Terminator().Loc; back && !known[b.Index] {
				if word := at(loc); word != UnknownLoop {
					f.Loops = append(f.Loops, LoopLines{Block: b.Index, Loc: loc, Word: word})
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
