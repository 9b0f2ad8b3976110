package mca

// This file finds the instructions that llvm-mca cannot take: those it cannot read, and
// those its schedule for the processor says nothing of. One of them would fail a whole run.

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"pathspan/build/toolchain"
)

var positioned = regexp.MustCompile(`(?m)^[^\n]*?:(\d+):\d+: error: `)

// unsupported returns which of the different units given llvm-mca refuses: those whose
// lines it complains of, else by halving.
func (t *timer) unsupported(ctx context.Context, units []unit) (map[string]bool, error) {
	refused := map[string]bool{}
	// One of each shape goes first: what holds for add r0, r1 holds for add r2, r3.
	shapes := map[string]bool{}
	var first []unit
	for _, u := range units {
		if s := u.shape(); !shapes[s] {
			shapes[s] = true
			first = append(first, u)
		}
	}
	var search func(list []unit) error
	search = func(list []unit) error {
		for len(list) > 0 {
			err := t.probe(ctx, list)
			if err == nil {
				return nil
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			var failed *toolchain.Error
			if !errors.As(err, &failed) || failed.Exit < 0 && failed.Signal == "" {
				return err
			}
			if rest := withoutLines(list, failed.Stderr, refused); len(rest) < len(list) {
				list = rest
				continue
			}
			if len(list) == 1 {
				refused[list[0].text] = true
				return nil
			}
			if err := search(list[:len(list)/2]); err != nil {
				return err
			}
			list = list[len(list)/2:]
		}
		return nil
	}
	if err := search(first); err != nil {
		return nil, err
	}
	bad := map[string]bool{}
	for _, u := range first {
		if refused[u.text] {
			bad[u.shape()] = true
		}
	}
	var rest []unit
	for _, u := range units {
		if bad[u.shape()] {
			refused[u.text] = true
		} else {
			rest = append(rest, u)
		}
	}
	return refused, search(rest)
}

var digits = regexp.MustCompile(`\d+`)

// shape is a unit's text without numbers.
func (u unit) shape() string { return digits.ReplaceAllString(u.text, "0") }

// probe runs llvm-mca once over units.
func (t *timer) probe(ctx context.Context, units []unit) error {
	var text strings.Builder
	text.WriteString("# LLVM-MCA-BEGIN 0\n")
	for _, u := range units {
		text.WriteString(u.text + "\n")
	}
	text.WriteString("# LLVM-MCA-END\n")
	_, err := t.analyse(ctx, "units", text.String(), 1)
	return err
}

// withoutLines drops the units on lines that the messages complain of, and notes them.
func withoutLines(units []unit, messages string, refused map[string]bool) []unit {
	bad := map[int]bool{}
	for _, m := range positioned.FindAllStringSubmatch(messages, -1) {
		n, _ := strconv.Atoi(m[1])
		bad[n] = true
	}
	var rest []unit
	line := 2 // below the mark
	for _, u := range units {
		lines := strings.Count(u.text, "\n") + 1
		ok := true
		for i := range lines {
			ok = ok && !bad[line+i]
		}
		if ok {
			rest = append(rest, u)
		} else {
			refused[u.text] = true
		}
		line += lines
	}
	return rest
}
