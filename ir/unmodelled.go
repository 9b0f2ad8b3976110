package ir

// This file holds what is said of OpenMP constructs that are not modelled as parallel.
// Bundles keep it as text.

import (
	"fmt"
	"regexp"
	"strings"
)

// Unmodelled is an OpenMP construct that no task graph knows, and what is done with it.
type Unmodelled struct {
	Place     string // file:line, "?" when unknown
	Construct string // "parallel for"
	Done      string
}

// CountedAround ends what is done with a construct that could run in parallel and is
// counted as serial code.
const CountedAround = "its cost is counted in the task around it"

// CountedOutside ends what is done with a thread that a program starts itself.
const CountedOutside = "what it does is counted outside of main"

func (u Unmodelled) String() string {
	return fmt.Sprintf("%s: %s: %s", u.Place, u.Construct, u.Done)
}

// Serial reports whether the construct could run in parallel and no task graph has it: it is
// counted as serial code, or outside of main.
func (u Unmodelled) Serial() bool {
	return strings.HasSuffix(u.Done, CountedAround) || strings.HasSuffix(u.Done, CountedOutside)
}

var unmodelled = regexp.MustCompile(`^(\?|.+?:\d+): ([^:]+): (.+)$`)

// ParseUnmodelled reads what String wrote, and reports whether the text is such.
func ParseUnmodelled(text string) (Unmodelled, bool) {
	m := unmodelled.FindStringSubmatch(text)
	if m == nil {
		return Unmodelled{}, false
	}
	return Unmodelled{m[1], m[2], m[3]}, true
}
