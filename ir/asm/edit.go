package asm

// This file edits single instructions: every edit splices the text and has the
// instruction parsed anew when next asked.

import (
	"fmt"
	"strconv"
	"strings"
)

// splice replaces a span of the instruction's text.
func (in *Instr) splice(sp span, text string) {
	in.raw = in.raw[:in.off+sp.s] + text + in.raw[in.off+sp.e:]
	in.end += int32(len(text)) - (sp.e - sp.s)
	in.info = nil
}

// spliceAll replaces those spans for which with returns a text. The spans are
// in text order.
func (in *Instr) spliceAll(spans []span, with func(text string) (string, bool)) bool {
	text := in.Text()
	var b strings.Builder
	last := int32(0)
	done := false
	for _, sp := range spans {
		if s, ok := with(text[sp.s:sp.e]); ok && sp.s >= last {
			b.WriteString(text[last:sp.s])
			b.WriteString(s)
			last = sp.e
			done = true
		}
	}
	if done {
		b.WriteString(text[last:])
		in.splice(span{0, int32(len(text))}, b.String())
	}
	return done
}

// rename gives the result a name, unless that is "", and the local values and labels that
// the instruction refers to those that values and labels have for them, without sigil. All
// that the function knows of its names is to be forgotten then.
func (in *Instr) rename(result string, values, labels func(ref string) (string, bool)) {
	info, text := in.parse(), in.Text()
	var b strings.Builder
	b.Grow(len(in.raw) + 16)
	b.WriteString(in.raw[:in.off])
	last := int32(0)
	write := func(sp span, name string) {
		b.WriteString(text[last:sp.s])
		b.WriteByte('%')
		b.WriteString(Spell(name))
		last = sp.e
	}
	if eq := strings.Index(text, " = "); eq >= 0 && result != "" {
		write(span{0, int32(eq)}, result)
		in.result, in.numbered = result, false
	}
	uses, goals := info.list(ofLocals), info.list(ofLabels)
	for len(uses)+len(goals) > 0 {
		list, to := &uses, values
		if len(uses) == 0 || len(goals) > 0 && goals[0].s < uses[0].s {
			list, to = &goals, labels
		}
		sp := (*list)[0]
		*list = (*list)[1:]
		if name, ok := to(text[sp.s:sp.e]); ok && sp.s >= last {
			write(sp, name)
		}
	}
	if last == 0 {
		return
	}
	b.WriteString(text[last:])
	end := int32(b.Len())
	b.WriteString(in.raw[in.end:])
	in.raw, in.end, in.info = b.String(), end, nil
}

// SetText replaces the instruction by one other.
func (in *Instr) SetText(text string) error {
	one, err := readInstrs(in.b, text)
	if err != nil || len(one) != 1 {
		return fmt.Errorf("set instruction in @%s: not one instruction: %.80q", in.b.fn.name, text)
	}
	if err := in.b.fn.checkNew(one); err != nil {
		return err
	}
	if in.affectsEdges() || one[0].affectsEdges() {
		in.b.fn.cfgChanged()
	}
	in.splice(span{0, in.end - in.off}, one[0].Text())
	in.op, in.result, in.numbered = one[0].op, one[0].result, one[0].numbered
	in.b.fn.noteName(in.result)
	in.b.fn.edited()
	return nil
}

// affectsEdges reports whether the instruction makes up edges of the graph.
func (in *Instr) affectsEdges() bool { return in.IsTerminator() || in.op == "phi" }

// SetResult renames the value defined. Uses are not changed.
func (in *Instr) SetResult(name string) {
	text := in.Text()
	eq := strings.Index(text, " = ")
	if in.result == "" || eq < 0 {
		return
	}
	in.splice(span{0, int32(eq)}, LocalRef(name))
	in.result, in.numbered = name, false
	in.b.fn.noteName(name)
}

// SetCallee replaces the callee of a call by a value given as spelled: "@g".
func (in *Instr) SetCallee(value string) bool {
	if in.Call() == nil {
		return false
	}
	in.splice(in.parse().callee, value)
	return true
}

// SetPhi replaces the incoming pairs of a phi.
func (in *Instr) SetPhi(pairs []Incoming) error {
	info := in.parse()
	if in.op != "phi" || len(info.pairs) == 0 || len(pairs) == 0 {
		return fmt.Errorf("set phi in @%s: no phi, or no pairs: %.60q", in.b.fn.name, in.Text())
	}
	text := in.Text()
	s := strings.LastIndexByte(text[:info.pairs[0].value.s], '[')
	last := info.pairs[len(info.pairs)-1].label.e
	e := int(last) + strings.IndexByte(text[last:], ']') + 1
	var b strings.Builder
	for i, p := range pairs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("[ " + p.Value + ", " + LocalRef(p.Block) + " ]")
	}
	in.splice(span{int32(s), int32(e)}, b.String())
	return nil
}

// attachment returns the spans of "!kind" and of what it attaches.
func (in *Instr) attachment(kind string) (key, val span, ok bool) {
	text := in.Text()
	if !strings.Contains(text, kind) {
		return
	}
	ts := lex(text)
	defer ts.release()
	for i := range ts.t {
		if ts.t[i].kind != tMeta || ts.text(i) != kind || i == 0 || !ts.punct(i-1, ',') {
			continue
		}
		e := i + 1
		if ts.punct(e, '!') {
			e++
		} else if ts.t[e].kind == tMeta && ts.punct(e+1, '(') {
			e++
		}
		if ts.punct(e, '{') || ts.punct(e, '(') {
			if e = ts.closing(e); e < 0 {
				return
			}
		}
		return span{ts.t[i-1].s, ts.t[i].e}, span{ts.t[i+1].s, ts.t[e].e}, true
	}
	return
}

// SetAttachment attaches metadata, given as spelled: SetAttachment("!prof",
// "!12"). An empty value removes the attachment.
func (in *Instr) SetAttachment(kind, value string) {
	key, val, ok := in.attachment(kind)
	switch {
	case ok && value == "":
		in.splice(span{key.s, val.e}, "")
	case ok:
		in.splice(val, value)
	case value != "":
		end := in.end - in.off
		in.splice(span{end, end}, ", "+kind+" "+value)
	}
}

// SetDbg sets the location's metadata number; -1 removes it.
func (in *Instr) SetDbg(id int) {
	if len(in.op) > 0 && in.op[0] == '#' {
		// A debug record holds its location as the last node.
		if metas := in.parse().list(ofMetas); id >= 0 && len(metas) > 0 {
			in.splice(metas[len(metas)-1], "!"+strconv.Itoa(id))
		}
		return
	}
	if id < 0 {
		in.SetAttachment("!dbg", "")
		return
	}
	in.SetAttachment("!dbg", "!"+strconv.Itoa(id))
}

// RemapMeta replaces references to metadata nodes by their images in ids.
func (in *Instr) RemapMeta(ids map[int]int) {
	if strings.IndexByte(in.raw, '!') < 0 {
		return
	}
	in.setTextUnchecked(remapMeta(in.Text(), ids))
}

func (in *Instr) setTextUnchecked(text string) {
	if text != in.Text() {
		in.splice(span{0, in.end - in.off}, text)
	}
}

// readInstrs parses the text of instructions that are to stand in b.
func readInstrs(b *Block, text string) ([]*Instr, error) {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	m := b.fn.m
	r := reader{m: m, src: text}
	var out []*Instr
	start := 0
	for {
		q := r.skipSpace(start)
		if q == len(text) {
			return out, nil
		}
		if labelEnd(text, q) > 0 || text[q] == '}' {
			return nil, fmt.Errorf("no instruction: %.60q", text[q:])
		}
		stop, next, balanced := r.instrEnd(q, false)
		if !balanced {
			return nil, fmt.Errorf("brackets do not close: %.60q", text[q:])
		}
		in := m.newInstr()
		in.raw = "  " + text[q:stop] + "\n"
		in.off, in.end = 2, int32(2+stop-q)
		in.b = b
		in.readHead()
		if in.op == "" {
			return nil, fmt.Errorf("no instruction: %.60q", text[q:])
		}
		out = append(out, in)
		start = next
	}
}
