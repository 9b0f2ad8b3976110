package main

// This file reads flags that take lists: each may be given several times, and each time
// with several values between commas.

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

const maxPlatforms = 1000

// numbersFlag is a list of numbers of processors: 1-4,8.
type numbersFlag struct {
	to      *[]int
	changed bool // the default is gone
}

func (f *numbersFlag) Set(text string) error {
	if !f.changed {
		*f.to, f.changed = nil, true
	}
	for _, part := range strings.Split(text, ",") {
		from, to, ok := strings.Cut(part, "-")
		if !ok {
			to = from
		}
		a, err := strconv.Atoi(from)
		b, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || a < 1 || b < a || b > 4096 {
			return fmt.Errorf("%q: want numbers of processors from 1 to 4096, as 1-4,8", part)
		}
		for n := a; n <= b; n++ {
			*f.to = append(*f.to, n)
		}
	}
	if len(*f.to) > maxPlatforms {
		return fmt.Errorf("%d numbers of processors: want %d at most", len(*f.to), maxPlatforms)
	}
	return nil
}

func (f *numbersFlag) Type() string { return "numbers" }

func (f *numbersFlag) String() string {
	if f.to == nil {
		return ""
	}
	var all []string
	for _, n := range *f.to {
		all = append(all, strconv.Itoa(n))
	}
	return strings.Join(all, ",")
}

// listFlag is a list of files, or of what begins with a name of the program. Commas within
// brackets, as names of templates have them, and within the name of a file that exists do
// not divide it.
type listFlag struct{ to *[]string }

func (f listFlag) Set(text string) error {
	if _, err := os.Stat(text); err == nil {
		*f.to = append(*f.to, text)
		return nil
	}
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '<', '(':
			depth++
		case '>', ')':
			depth--
		case ',':
			if depth <= 0 {
				*f.to = append(*f.to, text[from:i])
				from = i + 1
			}
		}
	}
	*f.to = append(*f.to, text[from:])
	return nil
}

func (f listFlag) Type() string { return "list" }

func (f listFlag) String() string {
	if f.to == nil {
		return ""
	}
	return strings.Join(*f.to, ",")
}
