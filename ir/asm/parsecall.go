package asm

// This file parses calls and the terminators that hold lists.

// Call is the inside of a call, invoke or callbr.
type Call struct {
	Callee   string // symbol called, through constant casts too; "" when indirect or asm
	Value    string // callee as spelled
	Indirect bool
	Asm      bool // inline assembly
	RetType  string
	FnType   string // "i32 (ptr, ...)" when it is spelled out, as it is for varargs; else ""
	RetAttrs string // flags, calling convention and return attributes, as spelled
	Args     []Arg
	Attrs    string // inline function attributes and groups, as spelled: "#3 nounwind"
	Tail     string // "", "tail", "musttail" or "notail"
}

// Arg is an argument of a call.
type Arg struct {
	Type  string
	Attrs string // as spelled, "" when none
	Value string
}

// Call returns the inside of a call, invoke or callbr, nil for others and
// when it was not understood. It is to be read only.
func (in *Instr) Call() *Call {
	switch in.op {
	case "call", "invoke", "callbr":
		return in.parse().call
	}
	return nil
}

// callee returns the symbol called or "".
func (in *Instr) callee() string {
	if c := in.Call(); c != nil {
		return c.Callee
	}
	return ""
}

func (p *instrParser) call(op string) bool {
	c := &Call{}
	if p.i >= 2 && op == "call" {
		switch w := p.text(p.i - 2); w {
		case "tail", "musttail", "notail":
			c.Tail = w
		}
	}
	s := p.i
	if !p.skipAttrs(p.startsType) {
		return false
	}
	c.RetAttrs = p.slice(s, p.i)
	s = p.i
	e := p.typeEnd(s)
	if e < 0 {
		return false
	}
	from := p.t[s].s
	c.RetType = p.slice(s, e)
	if p.punct(e-1, ')') {
		if open := p.opening(e - 1); open > s && !p.is(open-1, "addrspace") && !p.is(open-1, "target") {
			c.FnType = c.RetType
			c.RetType = p.slice(s, open)
		}
	}
	p.i = e
	p.info.typ = c.RetType
	if !p.calleeValue(c) || !p.punct(p.i, '(') {
		return false
	}
	if !p.args(c) {
		return false
	}
	s = p.i
	p.skipAttrs(func(i int) bool {
		return p.punct(i, '[') || p.punct(i, ',') || p.is(i, "to") || p.t[i].kind == tEOF
	})
	c.Attrs = p.slice(s, p.i)
	p.info.callAttrs = span{p.t[s-1].e, p.t[p.i-1].e}
	if p.punct(p.i, '[') && !p.bundles() {
		return false
	}
	p.info.call, p.info.called = c, span{from, p.t[p.i-1].e}
	switch op {
	case "invoke":
		return p.word("to") && p.succ() && p.word("unwind") && p.succ()
	case "callbr":
		return p.word("to") && p.succ() && p.labelList()
	}
	return true
}

func (p *instrParser) word(w string) bool {
	if p.is(p.i, w) {
		p.i++
		return true
	}
	return false
}

// skipAttrs skips attributes until stop holds: words and strings, what they
// hold in parentheses, "key"="value", groups, and the number of align 8. It
// returns false when something else is met.
func (p *instrParser) skipAttrs(stop func(i int) bool) bool {
	for !stop(p.i) {
		switch {
		case p.t[p.i].kind == tWord, p.t[p.i].kind == tStr, p.t[p.i].kind == tAttr, p.punct(p.i, '='):
			p.i++
		case p.punct(p.i, '('):
			if !p.bracket() {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (p *instrParser) calleeValue(c *Call) bool {
	s := p.i
	switch p.t[s].kind {
	case tGlobal:
		c.Callee = p.name(s)
	case tLocal:
		c.Indirect = true
	case tWord:
		c.Indirect = true
		switch p.text(s) {
		case "asm":
			c.Asm, c.Indirect = true, false
		case "bitcast", "addrspacecast":
			end := p.closing(s + 1)
			for j := s; j < end; j++ {
				if p.t[j].kind == tGlobal {
					c.Callee, c.Indirect = p.name(j), false
					break
				}
			}
		case "dso_local_equivalent", "no_cfi":
			if p.t[s+1].kind == tGlobal {
				c.Callee, c.Indirect = p.name(s+1), false
			}
		}
	}
	if !p.skipValue() {
		return false
	}
	c.Value = p.slice(s, p.i)
	p.info.callee = span{p.t[s].s, p.t[p.i-1].e}
	return true
}

// args parses the arguments between parentheses.
func (p *instrParser) args(c *Call) bool {
	end := p.closing(p.i)
	if end < 0 {
		return false
	}
	p.i++
	for p.i < end {
		if !p.typ() {
			return false
		}
		a := Arg{Type: p.last}
		if p.i < end && !p.punct(p.i, ',') {
			s := p.i
			p.argAttrs(end)
			if p.i > s {
				a.Attrs = p.slice(s, p.i)
			}
			s = p.i
			if a.Type == "metadata" && p.startsType(p.i) {
				if !p.typ() {
					return false
				}
			}
			if !p.skipValue() {
				return false
			}
			a.Value = p.slice(s, p.i)
		}
		c.Args = append(c.Args, a)
		p.info.operands = append(p.info.operands, Operand{a.Type, a.Value})
		if p.i < end && !p.comma() {
			return false
		}
	}
	p.i = end + 1
	return true
}

// argAttrs skips the attributes of an argument whose list ends at token end.
func (p *instrParser) argAttrs(end int) {
	for p.i < end {
		switch p.t[p.i].kind {
		case tStr:
			if !p.punct(p.i+1, '=') {
				return
			}
			p.i += 3
		case tWord:
			w := p.text(p.i)
			if isSimpleConstant(w) || isConstantWord(w) || isTypeWord(w) {
				return
			}
			next := p.i + 1
			if p.punct(next, '(') {
				if c := p.closing(next); c > 0 {
					next = c + 1
				}
			} else if w == "align" && isNumber(p.text(next)) {
				next++
			}
			if next >= end || p.punct(next, ',') {
				return // a constant of a kind not known
			}
			p.i = next
		default:
			return
		}
	}
}

// bundles parses [ "tag"(T v, ...), ... ].
func (p *instrParser) bundles() bool {
	end := p.closing(p.i)
	if end < 0 {
		return false
	}
	keep := len(p.info.operands)
	for p.i++; p.i < end; {
		if p.t[p.i].kind != tStr || !p.punct(p.i+1, '(') {
			return false
		}
		list := p.closing(p.i + 1)
		for p.i += 2; p.i < list; {
			if !p.operand() {
				return false
			}
			if p.i < list && !p.comma() {
				return false
			}
		}
		p.i = list + 1
		if p.i < end && !p.comma() {
			return false
		}
	}
	p.info.operands = p.info.operands[:keep]
	p.i = end + 1
	return true
}

// succ parses a label and notes it as a successor.
func (p *instrParser) succ() bool {
	if !p.is(p.i, "label") || p.t[p.i+1].kind != tLocal {
		return false
	}
	sp := p.span(p.i + 1)
	p.info.note(ofLabels, sp)
	p.info.note(ofSuccs, sp)
	p.i += 2
	return true
}

// labelList parses [label %a, label %b].
func (p *instrParser) labelList() bool {
	if !p.punct(p.i, '[') {
		return false
	}
	for p.i++; !p.punct(p.i, ']'); {
		if !p.succ() {
			return false
		}
		p.comma()
	}
	p.i++
	return true
}

func (p *instrParser) switchTable() bool {
	if !p.operand() || !p.cond() || !p.comma() || !p.succ() || !p.punct(p.i, '[') {
		return false
	}
	for p.i++; !p.punct(p.i, ']'); {
		if !p.typ() {
			return false
		}
		s := p.i
		if !p.skipValue() {
			return false
		}
		v := span{p.t[s].s, p.t[p.i-1].e}
		if !p.comma() || !p.succ() {
			return false
		}
		p.info.pairs = append(p.info.pairs, pair{v, p.info.refs[ofSuccs][len(p.info.refs[ofSuccs])-1]})
	}
	p.i++
	return true
}

func (p *instrParser) phi() bool {
	p.skipFlags()
	if !p.typ() {
		return false
	}
	t := p.last
	p.info.typ = t
	for {
		if !p.punct(p.i, '[') {
			return false
		}
		p.i++
		s := p.i
		if !p.value(t) || !p.comma() || p.t[p.i].kind != tLocal || !p.punct(p.i+1, ']') {
			return false
		}
		v := span{p.t[s].s, p.t[p.i-2].e}
		l := p.span(p.i)
		p.info.note(ofLabels, l)
		p.info.pairs = append(p.info.pairs, pair{v, l})
		p.i += 2
		if !p.punct(p.i, ',') || !p.punct(p.i+1, '[') {
			return true
		}
		p.i++
	}
}

func (p *instrParser) landingPad() bool {
	if !p.typ() {
		return false
	}
	p.info.typ = p.last
	for {
		switch {
		case p.word("cleanup"):
		case p.word("catch"), p.word("filter"):
			if !p.operand() {
				return false
			}
		default:
			return true
		}
	}
}

// debugRecord parses (T v, !1, !DIExpression(), ...): the last node is the
// location.
func (p *instrParser) debugRecord() bool {
	if !p.punct(p.i, '(') {
		return false
	}
	end := p.closing(p.i)
	for p.i++; p.i < end; {
		if p.startsType(p.i) {
			if !p.operand() {
				return false
			}
		} else {
			if id := p.metaID(p.i); id >= 0 {
				p.info.dbg = id
			}
			if !p.skipValue() {
				return false
			}
		}
		p.comma()
	}
	return end > 0
}
