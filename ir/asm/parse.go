package asm

// This file parses the inside of an instruction: operands, types, labels and
// references. What does not fit the grammar makes the instruction opaque.

// valueOps are the opcodes that define a value, calls aside.
var valueOps = map[string]bool{}

// simpleForm says how the operands of most instructions are written, after
// flags: T a type, V a value of the last type, O a type and value, L a label,
// "," a comma, "to" that word, "*" the element before again and again, each
// after a comma.
var simpleForm = map[string][]string{
	"ret": {"O"}, "resume": {"O"}, "unreachable": {}, "fence": {},
	"store": {"O", ",", "O"},
	"fneg":  {"O"}, "freeze": {"O"},
	"load":           {"T", ",", "O"},
	"select":         {"O", ",", "O", ",", "O"},
	"extractelement": {"O", ",", "O"},
	"insertelement":  {"O", ",", "O", ",", "O"},
	"shufflevector":  {"O", ",", "O", ",", "O"},
	"extractvalue":   {"O"}, "insertvalue": {"O", ",", "O"},
	"cmpxchg": {"O", ",", "O", ",", "O"}, "atomicrmw": {"O", ",", "O"},
	"va_arg":        {"O", ",", "T"},
	"getelementptr": {"T", "O*"},
	"icmp":          {"O", ",", "V"}, "fcmp": {"O", ",", "V"},
}

func init() {
	for _, op := range []string{"add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr",
		"ashr", "and", "or", "xor", "fadd", "fsub", "fmul", "fdiv", "frem"} {
		simpleForm[op] = []string{"O", ",", "V"}
		valueOps[op] = true
	}
	for _, op := range []string{"trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp",
		"sitofp", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast"} {
		simpleForm[op] = []string{"O", "to", "T"}
		valueOps[op] = true
	}
	for _, op := range []string{"fneg", "freeze", "load", "select", "extractelement", "insertelement",
		"shufflevector", "extractvalue", "insertvalue", "cmpxchg", "atomicrmw", "va_arg",
		"getelementptr", "icmp", "fcmp", "phi", "alloca", "landingpad"} {
		valueOps[op] = true
	}
}

// instrParser walks the tokens of one instruction.
type instrParser struct {
	*tokens
	m    *Module
	fn   string // name of the function, for blockaddress
	info *instrInfo
	i    int
	last string // the last type parsed
}

func (in *Instr) parse() *inside {
	if in.info != nil {
		return in.info
	}
	ts := lex(in.Text())
	defer ts.release()
	info := &ts.info
	info.reset(-1, listed)
	p := instrParser{tokens: ts, info: info}
	if in.b != nil {
		p.m, p.fn = in.b.fn.m, in.b.fn.name
	}
	p.references()
	for p.t[p.i].kind != tEOF && p.text(p.i) != in.op {
		p.i++
	}
	head := p.i
	if p.t[p.i].kind != tEOF {
		p.i++
	}
	if !p.inside(in.op) {
		info.reset(info.dbg, ofGlobals)
		info.opaque = true
		p.i = head
		p.bySpelling(in.op)
	}
	m := p.m
	if m == nil {
		m = &Module{}
	}
	in.info = m.keep(info)
	return in.info
}

func (p *instrParser) span(i int) span { return span{p.t[i].s, p.t[i].e} }

// references collects what is known by its sigil.
func (p *instrParser) references() {
	for i := range p.t {
		switch p.t[i].kind {
		case tGlobal:
			p.info.note(ofGlobals, p.span(i))
		case tAttr:
			if decimal(p.src[p.t[i].s+1:p.t[i].e]) >= 0 {
				p.info.note(ofAttrs, p.span(i))
			}
		case tMeta:
			if p.metaID(i) >= 0 {
				p.info.note(ofMetas, p.span(i))
			} else if p.text(i) == "!dbg" {
				p.info.dbg = p.metaID(i + 1)
			}
		}
	}
}

// bySpelling finds labels and local values of an instruction that is not
// understood.
func (p *instrParser) bySpelling(op string) {
	for i := p.i; i < len(p.t); i++ {
		if p.t[i].kind != tLocal {
			continue
		}
		if i > 0 && p.is(i-1, "label") {
			p.info.note(ofLabels, p.span(i))
			continue
		}
		if p.m != nil && p.m.NamedType(p.name(i)) != "" {
			continue
		}
		p.info.note(ofLocals, p.span(i))
	}
	if isTerminator(op) {
		p.info.refs[ofSuccs] = append(p.info.refs[ofSuccs], p.info.refs[ofLabels]...)
	}
}

// inside parses what follows the opcode. It reports whether it understood.
func (p *instrParser) inside(op string) bool {
	info := p.info
	switch op {
	case "call", "invoke", "callbr":
		return p.call(op)
	case "br":
		if p.is(p.i, "label") {
			return p.succ()
		}
		return p.operand() && p.cond() && p.comma() && p.succ() && p.comma() && p.succ()
	case "switch":
		return p.switchTable()
	case "phi":
		return p.phi()
	case "indirectbr":
		return p.operand() && p.cond() && p.comma() && p.labelList()
	case "alloca":
		p.skipFlags()
		if !p.typ() {
			return false
		}
		info.typ = p.last
		if p.punct(p.i, ',') && p.startsType(p.i+1) {
			p.i++
			return p.operand()
		}
		return true
	case "landingpad":
		return p.landingPad()
	case "ret":
		if p.is(p.i, "void") {
			info.typ = "void"
			return true
		}
	}
	if len(op) > 0 && op[0] == '#' {
		return p.debugRecord()
	}
	form, ok := simpleForm[op]
	if !ok {
		return false
	}
	if len(form) == 0 {
		return true
	}
	p.skipFlags()
	for _, el := range form {
		switch el {
		case "O":
			ok = p.operand()
		case "V":
			ok = p.value(p.last)
		case "T":
			if ok = p.typ(); ok && info.typ == "" {
				info.typ = p.last
			}
		case ",":
			ok = p.comma()
		case "to":
			if ok = p.is(p.i, "to"); ok {
				p.i++
			}
		case "O*":
			for ok && p.punct(p.i, ',') && p.startsType(p.i+1) {
				p.i++
				if p.is(p.i, "inrange") {
					p.i++
				}
				ok = p.operand()
			}
		}
		if !ok {
			return false
		}
	}
	return p.decidingType(op)
}

func (p *instrParser) cond() bool {
	p.info.typ = p.last
	return true
}

// decidingType sets Instr.Type for the instructions of simple form.
func (p *instrParser) decidingType(op string) bool {
	ops, info := p.info.operands, p.info
	switch op {
	case "load":
	case "select", "cmpxchg", "atomicrmw":
		info.typ = ops[1].Type
	case "va_arg":
		info.typ = p.last
	case "shufflevector":
		mask, ok1 := vectorLen(ops[2].Type)
		if _, ok2 := vectorLen(ops[0].Type); ok1 && ok2 {
			info.typ = "<" + mask + p.m.elementType(ops[0].Type, "") + ">"
		}
	case "extractelement":
		info.typ = p.m.elementType(ops[0].Type, "")
	case "extractvalue":
		t := ops[0].Type
		for p.punct(p.i, ',') && p.t[p.i+1].kind == tWord {
			t = p.m.elementType(t, p.text(p.i+1))
			p.i += 2
		}
		info.typ = t
	case "getelementptr":
		if len(ops) == 0 {
			return false
		}
		info.typ = ops[0].Type
	default:
		if form := simpleForm[op]; form[len(form)-1] == "T" {
			info.typ = p.last
		} else if len(ops) > 0 {
			info.typ = ops[0].Type
		}
	}
	return true
}

func (p *instrParser) comma() bool {
	if p.punct(p.i, ',') {
		p.i++
		return true
	}
	return false
}

// skipFlags skips words that are no types: nsw, volatile, predicates and such,
// with what they hold in parentheses.
func (p *instrParser) skipFlags() {
	for p.t[p.i].kind == tWord && !p.startsType(p.i) {
		p.i++
		if p.punct(p.i, '(') && !p.bracket() {
			return
		}
	}
}

// bracket steps over a bracket with what it holds, if it closes.
func (p *instrParser) bracket() bool {
	e := p.behind(p.i)
	if e >= 0 {
		p.i = e
	}
	return e >= 0
}

func (p *instrParser) typ() bool {
	e := p.typeEnd(p.i)
	if e < 0 {
		return false
	}
	p.last = p.slice(p.i, e)
	p.i = e
	return true
}

// operand parses a type and a value and appends them.
func (p *instrParser) operand() bool {
	if !p.typ() {
		return false
	}
	return p.value(p.last)
}

// value parses a value of type t and appends it.
func (p *instrParser) value(t string) bool {
	s := p.i
	if !p.skipValue() {
		return false
	}
	p.info.operands = append(p.info.operands, Operand{t, p.slice(s, p.i)})
	return true
}

// skipValue steps over a value and notes the local values and labels in it.
func (p *instrParser) skipValue() bool {
	i := p.i
	switch p.t[i].kind {
	case tLocal:
		p.info.note(ofLocals, p.span(i))
		p.i++
	case tGlobal, tStr:
		p.i++
	case tMeta:
		p.i++
		if p.punct(p.i, '(') {
			return p.metaArgs(p.text(i) == "!DIArgList")
		}
	case tWord:
		return p.constant()
	case tPunct:
		switch p.src[p.t[i].s] {
		case '!':
			p.i++
			if p.t[p.i].kind == tStr {
				p.i++
				return true
			}
			return p.punct(p.i, '{') && p.group()
		case '{', '[', '<':
			return p.group()
		}
		return false
	default:
		return false
	}
	return true
}

// group steps over a bracketed constant.
func (p *instrParser) group() bool {
	c := p.closing(p.i)
	if c < 0 {
		return false
	}
	for j := p.i; j < c; j++ {
		if p.is(j, "blockaddress") && j+4 < c+1 && p.punct(j+1, '(') {
			p.blockAddress(j)
		}
	}
	p.i = c + 1
	return true
}

// blockAddress notes the label of the blockaddress at j when it is one of
// this function.
func (p *instrParser) blockAddress(j int) {
	if j+4 < len(p.t) && p.t[j+2].kind == tGlobal && p.t[j+4].kind == tLocal && p.name(j+2) == p.fn {
		p.info.note(ofLabels, p.span(j+4))
	}
}

// metaArgs steps over the parentheses of an inline metadata node; those of
// DIArgList hold values.
func (p *instrParser) metaArgs(values bool) bool {
	c := p.closing(p.i)
	if c < 0 {
		return false
	}
	if values {
		keep := len(p.info.operands)
		for p.i++; p.i < c; p.i++ {
			if !p.operand() {
				return false
			}
		}
		p.info.operands = p.info.operands[:keep]
	}
	p.i = c + 1
	return true
}

func isSimpleConstant(w string) bool {
	switch w {
	case "true", "false", "null", "none", "undef", "poison", "zeroinitializer":
		return true
	}
	c := w[0]
	return c >= '0' && c <= '9' || (c == '-' || c == '+') && len(w) > 1
}

// isConstantWord reports whether w starts a constant expression.
func isConstantWord(w string) bool {
	switch w {
	case "getelementptr", "blockaddress", "dso_local_equivalent", "no_cfi", "splat", "ptrauth", "asm":
		return true
	}
	if w == "load" || w == "store" || w == "call" {
		return false
	}
	_, ok := simpleForm[w]
	return ok
}

// constant steps over a constant that starts with a word.
func (p *instrParser) constant() bool {
	w := p.text(p.i)
	if isSimpleConstant(w) {
		p.i++
		return true
	}
	start := p.i
	p.i++
	switch w {
	case "asm":
		for p.t[p.i].kind == tWord {
			p.i++
		}
		if p.t[p.i].kind != tStr || !p.punct(p.i+1, ',') || p.t[p.i+2].kind != tStr {
			return false
		}
		p.i += 3
		return true
	case "dso_local_equivalent", "no_cfi":
		if p.t[p.i].kind != tGlobal {
			return false
		}
		p.i++
		return true
	case "blockaddress":
		if p.punct(p.i, '(') {
			p.blockAddress(start)
		}
	}
	// Flags, each perhaps with parentheses, then the operands.
	for p.t[p.i].kind == tWord {
		p.i++
		if p.punct(p.i, '(') {
			if c := p.closing(p.i); c > 0 && p.punct(c+1, '(') {
				p.i = c + 1
			}
		}
	}
	if !p.punct(p.i, '(') {
		return false
	}
	return p.group()
}
