package cc

// This file replaces @FILE on a command line by the words in FILE, as clang does.

import (
	"errors"
	"fmt"
	"strings"

	"pathspan/bounded"
)

// Bounds of response files that name each other: how deep, and how many bytes all of them
// may have.
const (
	maxResponseDepth = 20
	maxResponse      = 64 << 20
)

// expand replaces response files. A file that cannot be read stays, as clang leaves it.
func expand(args []string) ([]string, error) {
	left := maxResponse
	return expandWithin(args, 0, &left)
}

func expandWithin(args []string, depth int, left *int) ([]string, error) {
	var out []string
	for _, a := range args {
		if len(a) < 2 || a[0] != '@' {
			out = append(out, a)
			continue
		}
		text, err := bounded.ReadFile(a[1:], bounded.Text)
		switch {
		case errors.As(err, &bounded.ErrTooLarge{}):
			return nil, err
		case err != nil:
			out = append(out, a)
			continue
		}
		if *left -= len(text); depth == maxResponseDepth || *left < 0 {
			return nil, fmt.Errorf("%s: response files name each other without end", a)
		}
		more, err := expandWithin(responseWords(string(text)), depth+1, left)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// responseWords splits the text of a response file by the rules of GNU's tools: blanks
// part words, quotes of both kinds keep them, a backslash takes the next character as
// it is (inside single quotes as well, as clang has it).
func responseWords(text string) []string {
	var out []string
	var word strings.Builder
	started := false
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			started = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'':
			quote, started = c, true
		case strings.IndexByte(" \t\r\n\v\f", c) >= 0:
			if started {
				out = append(out, word.String())
			}
			word.Reset()
			started = false
		default:
			word.WriteByte(c)
			started = true
		}
	}
	if started {
		out = append(out, word.String())
	}
	return out
}
