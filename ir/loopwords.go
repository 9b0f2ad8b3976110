package ir

// This file reads in the source what kind of statement a loop is.

import (
	"bytes"
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
// content of its files.
func (p *Program) ReadLoopWords(read func(file string) []byte) {
	lines := map[int][][]byte{}
	for _, f := range p.Funcs {
		for i := range f.Loops {
			l := &f.Loops[i]
			text, ok := lines[l.Loc.File]
			if !ok {
				text = bytes.Split(read(p.Files[l.Loc.File]), []byte("\n"))
				lines[l.Loc.File] = text
			}
			if l.Loc.Line > len(text) {
				continue
			}
			line := string(text[l.Loc.Line-1])
			if l.Loc.Col < 1 || l.Loc.Col > len(line) {
				continue
			}
			l.Word = wordAt(line[l.Loc.Col-1:])
		}
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
