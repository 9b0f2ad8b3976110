package openmp

// This file looks at the stack variables of an outlined function: how each is
// used, and by which blocks. In the parallel program they are private to a thread
// and mostly live in registers; a section that became a function must not reach
// them through memory because of that.

import (
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

type useKind uint8

const (
	useLoad    useKind = iota + 1
	useStore           // of the whole variable
	usePart            // store of a part
	useBegin           // llvm.lifetime.start
	useEnd             // llvm.lifetime.end
	useMem             // of a part, or by llvm.memcpy and the like: the address stays inside
	useUnknown         // the address may become known elsewhere
)

type use struct {
	block int
	at    int // position in the block
	kind  useKind
}

// slot is one stack variable: an alloca of the entry block with constant size.
type slot struct {
	name  string
	in    *asm.Instr
	typ   string // what it holds
	bits  int    // size of a scalar, 0 for anything else
	uses  []use
	casts []string // names of bitcasts of its address, in order
	parts []string // names of addresses inside it, in order
	param int      // the parameter that it holds for good, or -1
}

// slots are the stack variables of a function.
type slots struct {
	f    *asm.Func
	list []*slot
	of   map[string]int        // slot by name of its address or a cast of it
	part map[string]int        // slot by name of an address inside it
	defs map[string]*asm.Instr // instruction by result
}

func findSlots(m *asm.Module, f *asm.Func) *slots {
	s := &slots{f: f, of: map[string]int{}, part: map[string]int{}, defs: map[string]*asm.Instr{}}
	ptr := ir.PointerBits(m.DataLayout())
	for _, in := range f.Blocks[0].Instrs {
		if in.Op() == "alloca" && len(in.Operands()) == 0 && in.Result() != "" {
			s.of[in.Result()] = len(s.list)
			s.list = append(s.list, &slot{name: in.Result(), in: in, typ: in.Type(), bits: ir.ScalarBits(in.Type(), ptr), param: -1})
		}
	}
	for again := true; again; {
		again = false
		for in := range f.Instrs() {
			again = s.derive(in) || again
		}
	}
	for bi, b := range f.Blocks {
		for at, in := range b.Instrs {
			if in.Result() != "" {
				s.defs[in.Result()] = in
			}
			if in.IsDebug() || in.Op() == "bitcast" && s.isCast(in.Result()) {
				continue
			}
			for _, u := range in.Uses() {
				if k, ok := s.of[u]; ok {
					l := s.list[k]
					l.uses = append(l.uses, use{bi, at, l.classify(s, in, u, ptr)})
				} else if k, ok := s.part[u]; ok {
					l := s.list[k]
					l.uses = append(l.uses, use{bi, at, insideUse(s, in, u)})
				}
			}
		}
	}
	params := f.Params()
	for _, l := range s.list {
		stores := 0
		for _, u := range l.uses {
			switch u.kind {
			case useStore:
				stores++
				v := bare(f.Blocks[u.block].Instrs[u.at].Operands()[0].Value)
				l.param = slices.IndexFunc(params, func(p asm.Param) bool { return p.Name == v })
			case useLoad, useBegin, useEnd:
			default:
				stores = 2
			}
		}
		if stores != 1 {
			l.param = -1
		}
	}
	return s
}

// derive notes that in computes an address of or inside a slot, and reports whether
// that is news.
func (s *slots) derive(in *asm.Instr) bool {
	if in.Op() != "bitcast" && in.Op() != "getelementptr" {
		return false
	}
	base := bare(in.Operands()[0].Value)
	k, whole := s.of[base]
	if !whole {
		var ok bool
		if k, ok = s.part[base]; !ok {
			return false
		}
	}
	l, names := s.list[k], &s.list[k].parts
	known := s.part
	if whole && in.Op() == "bitcast" {
		known, names = s.of, &l.casts
	}
	if _, ok := known[in.Result()]; ok {
		return false
	}
	known[in.Result()] = k
	*names = append(*names, in.Result())
	return true
}

// insideUse classifies the use of an address inside a variable.
func insideUse(s *slots, in *asm.Instr, name string) useKind {
	switch in.Op() {
	case "load":
		return useMem
	case "store":
		if in.Operands()[0].Value != asm.LocalRef(name) {
			return useMem
		}
	case "getelementptr", "bitcast":
		if _, ok := s.part[in.Result()]; ok {
			return useMem
		}
	case "call":
		if c := in.Call(); c != nil && strings.HasPrefix(c.Callee, "llvm.mem") {
			return useMem
		}
	}
	return useUnknown
}

func (s *slots) isCast(name string) bool {
	k, ok := s.of[name]
	return ok && s.list[k].name != name
}

// paramAttrs returns the attributes of the parameter whose value the local value
// called name is, "" when it is none.
func (s *slots) paramAttrs(name string) string {
	in := s.defs[name]
	if in == nil || in.Op() != "load" {
		return ""
	}
	if k, ok := s.of[bare(in.Operands()[0].Value)]; ok && s.list[k].param >= 0 && in.Type() == s.list[k].typ {
		return keepAttrs(s.f.Params()[s.list[k].param].Attrs)
	}
	return ""
}

func (l *slot) classify(s *slots, in *asm.Instr, name string, ptrBits int) useKind {
	ref := asm.LocalRef(name)
	plain := func(typ string) bool {
		head, _, _ := strings.Cut(in.Text(), ",")
		return l.bits > 0 && !strings.Contains(head, " volatile ") && !strings.Contains(head, " atomic ") &&
			(typ == l.typ || ir.ScalarBits(typ, ptrBits) > 0 && ir.ScalarBits(typ, ptrBits) <= l.bits)
	}
	ops := in.Operands()
	switch in.Op() {
	case "load":
		if plain(in.Type()) {
			return useLoad
		}
	case "store":
		if ops[0].Value != ref && plain(ops[0].Type) {
			if ops[0].Type == l.typ || ir.ScalarBits(ops[0].Type, ptrBits) == l.bits {
				return useStore
			}
			return usePart
		}
	}
	switch in.Op() {
	case "load", "store", "getelementptr", "bitcast":
		return insideUse(s, in, name)
	case "call":
		c := in.Call()
		switch {
		case c == nil:
		case strings.HasPrefix(c.Callee, "llvm.lifetime.start"):
			return useBegin
		case strings.HasPrefix(c.Callee, "llvm.lifetime.end"):
			return useEnd
		case strings.HasPrefix(c.Callee, "llvm.mem"):
			return useMem
		}
	}
	return useUnknown
}

func bare(value string) string {
	if !strings.HasPrefix(value, "%") {
		return ""
	}
	value = value[1:]
	if s, err := strconv.Unquote(value); err == nil && strings.HasPrefix(value, `"`) {
		return s
	}
	return value
}
