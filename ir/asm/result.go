package asm

// This file works out the type of the value an instruction defines.

import "strings"

// ResultType returns the type of the value defined, as LLVM would spell it:
// "" for instructions that define none, and when it cannot be told.
func (in *Instr) ResultType() string {
	info := in.parse()
	if info.opaque {
		return ""
	}
	ops := info.operands
	switch in.op {
	case "icmp", "fcmp":
		if n, ok := vectorLen(info.typ); ok {
			return "<" + n + "i1>"
		}
		return "i1"
	case "alloca":
		return in.pointerTo(info.typ, in.allocaSpace())
	case "cmpxchg":
		return "{ " + info.typ + ", i1 }"
	case "getelementptr":
		return in.gepType()
	case "call", "invoke", "callbr":
		if info.typ == "void" {
			return ""
		}
		return info.typ
	case "atomicrmw":
		return ops[1].Type
	}
	if valueOps[in.op] {
		return info.typ
	}
	return ""
}

func (in *Instr) pointerTo(elem, space string) string {
	if in.b.fn.m.OpaquePointers() {
		if space != "" {
			return "ptr " + space
		}
		return "ptr"
	}
	if space != "" {
		return elem + " " + space + "*"
	}
	return elem + "*"
}

// allocaSpace returns the addrspace(n) clause of an alloca.
func (in *Instr) allocaSpace() string {
	text := in.Text()
	if i := strings.LastIndex(text, ", addrspace("); i >= 0 {
		i += 2
		if j := strings.IndexByte(text[i:], ')'); j >= 0 {
			return text[i : i+j+1]
		}
	}
	return ""
}

// gepType walks the indices of a getelementptr.
func (in *Instr) gepType() string {
	info := in.parse()
	base := info.operands[0].Type
	vec, isVec := vectorLen(base)
	for _, op := range info.operands[1:] {
		if v, ok := vectorLen(op.Type); ok && !isVec {
			vec, isVec = v, true
		}
	}
	if isVec {
		if _, ok := vectorLen(base); ok {
			base = base[1+len(vec) : len(base)-1]
		}
	}
	t := base
	if strings.HasSuffix(base, "*") {
		elem := in.gepSource()
		if len(info.operands) > 1 {
			for _, op := range info.operands[2:] {
				if elem = in.b.fn.m.elementType(elem, op.Value); elem == "" {
					return ""
				}
			}
		}
		t = elem + "*"
		if i := strings.LastIndex(base, " addrspace("); i > 0 && strings.IndexByte(base[i:], ')') == len(base)-i-2 {
			t = elem + base[i:]
		}
	}
	if isVec {
		return "<" + vec + t + ">"
	}
	return t
}

// gepSource returns the type a getelementptr indexes into.
func (in *Instr) gepSource() string {
	ts := lex(in.Text())
	defer ts.release()
	for i := range ts.t {
		if ts.is(i, "getelementptr") {
			for i++; ts.t[i].kind == tWord && !isTypeWord(ts.text(i)); i++ {
				if ts.punct(i+1, '(') {
					i = max(i, ts.closing(i+1))
				}
			}
			if e := ts.typeEnd(i); e > 0 {
				return ts.slice(i, e)
			}
			return ""
		}
	}
	return ""
}

// Indexed returns the type that a getelementptr indexes into, "" for other instructions.
func (in *Instr) Indexed() string {
	if in.op != "getelementptr" {
		return ""
	}
	return in.gepSource()
}
