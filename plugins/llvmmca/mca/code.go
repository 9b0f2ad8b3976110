package mca

// This file times all machine code of a program, each different block once.

import (
	"context"
	"slices"
	"sort"
)

// code is a machine block's text.
type code struct {
	block   *machineBlock
	pieces  []*piece
	dropped []drop
}

// drop is a unit that was not timed.
type drop struct {
	unit
	placeholder bool // its schedule holds a placeholder, against none at all
}

// timeCode times the blocks of all functions and returns the figures by their text, and what was timed.
func (t *timer) timeCode(ctx context.Context, funcs []*machineFunc, o options) (map[string]figure, map[string]*code, error) {
	var codes []*code
	byKey := map[string]*code{}
	var different []unit
	seen := map[string]bool{}
	for _, f := range funcs {
		for _, b := range f.blocks {
			k := b.key()
			if byKey[k] != nil || len(b.units) == 0 {
				continue
			}
			c := &code{block: b}
			byKey[k] = c
			codes = append(codes, c)
			for _, u := range b.units {
				if !seen[u.text] {
					seen[u.text] = true
					different = append(different, u)
				}
			}
		}
	}
	refused, err := t.unsupported(ctx, different)
	if err != nil {
		return nil, nil, err
	}
	var pieces []*piece
	for _, c := range codes {
		c.pieces, c.dropped = cut(c.block, refused)
		pieces = append(pieces, c.pieces...)
	}
	if err := t.time(ctx, byLength(pieces)); err != nil {
		return nil, nil, err
	}
	// Instructions with placeholders for latencies hide all that is around them, so
	// their pieces are timed again without them.
	var again []*piece
	for _, c := range codes {
		if c.withoutPlaceholders() {
			again = append(again, c.pieces...)
		}
	}
	if err := t.time(ctx, again); err != nil {
		return nil, nil, err
	}
	out := make(map[string]figure, len(codes))
	for k, c := range byKey {
		out[k] = figureOf(c.pieces, c.dropped, o)
	}
	return out, byKey, nil
}

// byLength sorts pieces: those of about one length make batches whose time is even.
func byLength(pieces []*piece) []*piece {
	sort.SliceStable(pieces, func(i, j int) bool { return len(pieces[i].units) < len(pieces[j].units) })
	return pieces
}

// cut divides a block into pieces of what llvm-mca takes.
func cut(b *machineBlock, refused map[string]bool) (pieces []*piece, dropped []drop) {
	var p *piece
	for _, u := range b.units {
		if refused[u.text] {
			dropped = append(dropped, drop{unit: u})
			continue
		}
		if p == nil || len(p.units) >= longest {
			p = &piece{}
			pieces = append(pieces, p)
		}
		p.units = append(p.units, u)
	}
	return pieces, dropped
}

// withoutPlaceholders drops the units whose latency is no figure. It reports whether there
// were any.
func (c *code) withoutPlaceholders() bool {
	any := false
	for _, p := range c.pieces {
		statements := 0
		for _, u := range p.units {
			statements += u.statements()
		}
		if statements != len(p.t.rows) {
			continue // which row belongs to which unit cannot be told
		}
		var kept []unit
		at := 0
		for _, u := range p.units {
			rows := p.t.rows[at : at+u.statements()]
			at += len(rows)
			if slices.ContainsFunc(rows, isPlaceholder) {
				c.dropped = append(c.dropped, drop{u, true})
			} else {
				kept = append(kept, u)
			}
		}
		if len(kept) < len(p.units) {
			any = true
			p.units, p.t = kept, timing{}
		}
	}
	return any
}
