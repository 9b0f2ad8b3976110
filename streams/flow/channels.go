package flow

// This file classes the channels between statements by how tokens are read (section 2.2.1):
// what takes a queue, what a memory to reorder in, and what one that keeps tokens for later.

import (
	"cmp"
	"slices"

	"pathspan/streams"
)

// Channel is what a statement reads of another, or of itself.
type Channel struct {
	From, To int // statements
	Tokens   int // executions of From that To reads something of
	Reads    int // by how many executions of To each, added up
	// InOrder says that tokens are read in the order in which they are written, Multiple that
	// some are read more than once.
	InOrder, Multiple bool
}

// Class names it as the literature does: IOM-, IOM+, OOM-, OOM+.
func (c *Channel) Class() string {
	name := "OOM"
	if c.InOrder {
		name = "IOM"
	}
	if c.Multiple {
		return name + "+"
	}
	return name + "-"
}

// Channels finds them, ascending by statements.
func Channels(t *streams.Trace) []Channel {
	type state struct {
		Channel
		last int32 // token that was read last
	}
	type pair struct{ from, to int }
	found := make(map[pair]*state)
	// Tokens are those of one channel for each statement that reads them.
	type token struct {
		producer int32
		to       int32
	}
	seen := make(map[token]struct{})
	for i := range t.Len() {
		to := t.Of(i)
		for _, p := range t.Producers(i) {
			at := pair{t.Of(int(p)), to}
			c := found[at]
			if c == nil {
				c = &state{Channel: Channel{From: at.from, To: at.to, InOrder: true}, last: -1}
				found[at] = c
			}
			c.Reads++
			if p < c.last {
				c.InOrder = false
			}
			c.last = p
			if _, again := seen[token{p, int32(to)}]; again {
				c.Multiple = true
			} else {
				seen[token{p, int32(to)}] = struct{}{}
				c.Tokens++
			}
		}
	}
	var out []Channel
	for _, c := range found {
		out = append(out, c.Channel)
	}
	slices.SortFunc(out, func(a, b Channel) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	return out
}
