package asm

// This file edits the control-flow graph: splitting blocks, redirecting and splitting
// edges, turning calls into invokes.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrUnsplittable is returned (wrapped) when no instruction can be put on an
// edge: out of an indirectbr, an indirect label of a callbr, into a landing pad
// with several predecessors, out of a terminator that is not known. The value
// needed there must be computed before the terminator.
var ErrUnsplittable = errors.New("edge cannot be split")

// SplitBlock moves Instrs[i:] to a new block that b then branches to, and
// returns it. Phis of the successors are told. An empty name takes a fresh one.
// The error wraps [ErrUnsplittable] where LLVM wants instructions to stay
// together: before a pad, and between a musttail call and its ret. Allocas of
// the entry that move become dynamic; split behind them.
func (f *Func) SplitBlock(b *Block, i int, name string) (*Block, error) {
	if err := f.CheckEditable(); err != nil {
		return nil, err
	}
	if i < 0 || i >= len(b.Instrs) || i < b.FirstNonPhi() {
		return nil, fmt.Errorf("split @%s, block %s: cannot split before instruction %d of %d", f.name, b.Name(), i, len(b.Instrs))
	}
	if i < b.StartIndex() {
		return nil, fmt.Errorf("split @%s, block %s: a pad must stay first: %w", f.name, b.Name(), ErrUnsplittable)
	}
	if t := b.Term(); t != nil && t.op == "ret" && b.beforeMustTail(b.Index(t)) < i {
		return nil, fmt.Errorf("split @%s, block %s: a musttail call must stay with its ret: %w", f.name, b.Name(), ErrUnsplittable)
	}
	if name == "" {
		name = f.FreshName(b.Name() + ".split")
	}
	if f.Block(name) != nil {
		return nil, fmt.Errorf("split @%s: block %s exists", f.name, name)
	}
	for _, s := range b.Succs() {
		if t := f.Block(s); t != nil {
			t.renamePhiPred(b.Name(), name, -1)
		}
	}
	nb := f.newBlock(name)
	nb.Instrs = slices.Clone(b.Instrs[i:])
	for _, in := range nb.Instrs {
		in.b = nb
	}
	br, err := readInstrs(b, "br label "+LocalRef(name))
	if err != nil {
		return nil, err
	}
	b.Instrs = slices.Concat(b.Instrs[:i], br)
	at := slices.Index(f.Blocks, b) + 1
	f.Blocks = slices.Insert(f.Blocks, at, nb)
	f.noteName(name)
	if f.index != nil {
		f.index[name] = nb
	}
	counts := f.preds
	f.cfgChanged()
	if counts != nil {
		counts[name] = 1
		f.preds = counts
	}
	return nb, nil
}

// renamePhiPred renames predecessor from in the phis of b, in the first n
// entries of each (all when n < 0).
func (b *Block) renamePhiPred(from, to string, n int) {
	for _, in := range b.Instrs {
		if in.op != "phi" {
			if in.IsDebug() {
				continue
			}
			return
		}
		left := n
		var spans []span
		for _, p := range in.parse().pairs {
			spans = append(spans, p.label)
		}
		in.spliceAll(spans, func(s string) (string, bool) {
			if unspell(s[1:]) != from || left == 0 {
				return "", false
			}
			left--
			return LocalRef(to), true
		})
	}
}

// RetargetSucc makes successor k of b's terminator the block named label. Phis
// of the old and new target must be seen to by the caller.
func (f *Func) RetargetSucc(b *Block, k int, label string) error {
	if err := f.CheckEditable(); err != nil {
		return err
	}
	if err := b.retarget(k, label); err != nil {
		return err
	}
	f.cfgChanged()
	return nil
}

func (b *Block) retarget(k int, label string) error {
	t := b.Term()
	if t == nil || k < 0 || k >= len(t.parse().list(ofSuccs)) {
		return fmt.Errorf("retarget in @%s: block %s has no successor %d", b.fn.name, b.Name(), k)
	}
	t.splice(t.parse().list(ofSuccs)[k], LocalRef(label))
	return nil
}

// NumPreds returns the number of edges into the block named label.
func (f *Func) NumPreds(label string) int {
	if f.preds == nil {
		f.preds = make(map[string]int, len(f.Blocks))
		for _, b := range f.Blocks {
			for _, s := range b.Succs() {
				f.preds[s]++
			}
		}
	}
	return f.preds[label]
}

// InsertOnEdge inserts instructions that run exactly when control goes from b
// over successor k, and returns the block that holds them: b itself when it
// has no other successor, the target when it has no other predecessor edge,
// else a new block on the edge. When there is no such place the error wraps
// [ErrUnsplittable] and nothing has changed.
func (f *Func) InsertOnEdge(b *Block, k int, text ...string) (*Block, error) {
	succs := b.Succs()
	if k < 0 || k >= len(succs) {
		return nil, fmt.Errorf("insert on edge in @%s: block %s has no successor %d", f.name, b.Name(), k)
	}
	if len(succs) == 1 && b.Term().op != "invoke" && b.Term().op != "callbr" {
		return b, b.InsertAtEnd(text...)
	}
	target := f.Block(succs[k])
	if target == nil {
		return nil, fmt.Errorf("insert on edge in @%s: no block %s", f.name, succs[k])
	}
	if f.NumPreds(succs[k]) == 1 && target != f.Blocks[0] {
		return target, target.InsertAtStart(text...)
	}
	nb, err := f.EdgeBlock(b, k)
	if err != nil {
		return nil, err
	}
	return nb, nb.InsertBefore(0, text...)
}

// EdgeBlock puts a new block on the edge from b over successor k and returns
// it. Phis of the target are told. The block is appended to the function, so
// that splitting all edges stays linear. The error wraps [ErrUnsplittable]
// when the edge must go directly; nothing has changed then.
func (f *Func) EdgeBlock(b *Block, k int) (*Block, error) {
	if err := f.CheckEditable(); err != nil {
		return nil, err
	}
	succs := b.Succs()
	if k < 0 || k >= len(succs) {
		return nil, fmt.Errorf("split edge in @%s: block %s has no successor %d", f.name, b.Name(), k)
	}
	target := f.Block(succs[k])
	if target == nil {
		return nil, fmt.Errorf("split edge in @%s: no block %s", f.name, succs[k])
	}
	if why := unsplittable(b.Term(), k, target); why != "" {
		return nil, fmt.Errorf("edge %s to %s in @%s: %s: %w", b.Name(), succs[k], f.name, why, ErrUnsplittable)
	}
	nb := f.newBlock(f.FreshName(b.Name() + "." + target.Name()))
	br, err := readInstrs(nb, "br label "+LocalRef(target.Name()))
	if err != nil {
		return nil, err
	}
	nb.Instrs = br
	f.NumPreds("") // counted before the edge moves, then kept up to date
	counts := f.preds
	if err := b.retarget(k, nb.name); err != nil {
		return nil, err
	}
	target.renamePhiPred(b.Name(), nb.name, 1)
	f.appendBlock(nb)
	counts[nb.name] = 1
	f.preds = counts
	return nb, nil
}

// unsplittable says why the edge of terminator t to successor k must go
// directly, or "".
func unsplittable(t *Instr, k int, target *Block) string {
	switch t.op {
	case "br", "switch":
	case "callbr":
		if k > 0 {
			return "it leaves inline assembly"
		}
	case "invoke":
		if k == 1 {
			return "it is an unwind edge"
		}
	default:
		return "it leaves an " + t.op
	}
	if i := target.FirstNonPhi(); i < len(target.Instrs) && target.Instrs[i].op == "landingpad" {
		return "it enters a landing pad"
	}
	return ""
}

// Invoke turns the call in, which must not be marked musttail, into an invoke that
// unwinds to the block named unwind. The instructions behind it move to a block of
// their own, which is returned. A function that holds an invoke needs a personality.
func (f *Func) Invoke(in *Instr, unwind string) (*Block, error) {
	c := in.Call()
	if c == nil || in.op != "call" || c.Tail == "musttail" {
		return nil, fmt.Errorf("invoke in @%s: no call that can be invoked: %.80q", f.name, in.Text())
	}
	b := in.b
	i := b.Index(in)
	rest, err := f.SplitBlock(b, i+1, "")
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	if in.result != "" {
		fmt.Fprintf(&text, "%s = ", LocalRef(in.result))
	}
	text.WriteString("invoke ")
	for _, w := range strings.Fields(c.RetAttrs) {
		if !fastMath[w] { // which an invoke cannot carry
			text.WriteString(w + " ")
		}
	}
	called, old := in.parse().called, in.Text()
	fmt.Fprintf(&text, "%s to label %s unwind label %s%s", old[called.s:called.e], LocalRef(rest.Name()), LocalRef(unwind), old[called.e:])
	if err := b.Delete(i + 1); err != nil {
		return nil, err
	}
	return rest, in.SetText(text.String())
}

var fastMath = map[string]bool{"fast": true, "nnan": true, "ninf": true, "nsz": true, "arcp": true,
	"contract": true, "afn": true, "reassoc": true}

// Personality returns the function's personality with its type, as spelled: "ptr
// @__gxx_personality_v0"; "" when it has none.
func (f *Func) Personality() string {
	h := f.header()
	if h.pers.e == h.pers.s {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(f.head[h.pers.s:h.pers.e], "personality"))
}

// SetPersonality gives a function without one a personality, spelled with its type.
func (f *Func) SetPersonality(text string) error {
	h := f.header()
	if !h.ok || h.pers.e > h.pers.s {
		return fmt.Errorf("set personality of @%s: %.60q has one, or was not understood", f.name, f.Header())
	}
	f.splice(span{h.clauses, h.clauses}, " personality "+text)
	return nil
}
