package forge

// This file changes texts of lines and words, such as LLVM assembly.

import (
	"bytes"
	"strings"
)

// Lines changes text as data says.
func Lines(text, data []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	for n := 0; n < mostChanges && len(data) >= 6 && len(lines) > 0; n++ {
		a := (int(data[0])<<8 | int(data[1])) % len(lines)
		b := (int(data[2])<<8 | int(data[3])) % len(lines)
		switch data[4] % 8 {
		case 0: // one less
			lines = append(lines[:a:a], lines[a+1:]...)
		case 1: // one twice
			lines = append(lines[:b:b], append([][]byte{lines[a]}, lines[b:]...)...)
		case 2: // two change places
			lines = append([][]byte{}, lines...)
			lines[a], lines[b] = lines[b], lines[a]
		default: // a word becomes one of another line, or goes
			lines = append([][]byte{}, lines...)
			lines[a] = word(lines[a], lines[b], data[4], data[5])
		}
		data = data[6:]
	}
	return bytes.Join(lines, nil)
}

// word replaces a word of a line by one of another.
func word(line, other []byte, how, which byte) []byte {
	words, others := words(string(line)), words(string(other))
	if len(words) == 0 || len(others) == 0 {
		return line
	}
	at := int(which) % len(words)
	by := others[(int(which)/len(words)+int(how)/8)%len(others)]
	if how%8 == 7 {
		by = ""
	}
	words[at] = by
	return []byte(strings.Join(words, ""))
}

// words cuts a line into words and what stands between them.
func words(line string) []string {
	var out []string
	start := 0
	kind := func(c byte) int {
		switch {
		case c == ' ' || c == '\t' || c == '\n':
			return 0
		case strings.IndexByte(",(){}[]<>=*:", c) >= 0:
			return 1
		}
		return 2
	}
	for i := 1; i <= len(line); i++ {
		if i == len(line) || kind(line[i]) != kind(line[i-1]) || kind(line[i]) == 1 {
			out = append(out, line[start:i])
			start = i
		}
	}
	return out
}
