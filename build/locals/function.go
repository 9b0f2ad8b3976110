package locals

// This file finds the variables of a function, and where each is read and written.

import (
	"regexp"
	"slices"
	"strings"

	"pathspan/ir/asm"
	"pathspan/ir/flow"
)

type function struct {
	f     *asm.Func
	cfg   *flow.CFG
	def   map[string]*asm.Instr
	at    map[*asm.Instr][2]int // block and index
	users map[string][]*asm.Instr
	vars  []*variable
	of    map[string]*variable // by the name of what makes it
	// numbered are variables of all kinds that may have a number behind the name that the source has.
	numbered []string
}

// variable is a scalar that is loaded and stored, and nothing else.
type variable struct {
	name, typ string
	param     bool
	uses      [][]use // by block, in their order
	begins    []int   // blocks in which its life begins
}

type use struct {
	in    *asm.Instr
	store bool // else a load
}

var scalar = regexp.MustCompile(`^(i\d+|half|bfloat|float|double|x86_fp80|fp128|ptr|.*\*)$`)

func newFunction(f *asm.Func) *function {
	succs, names := make([][]int, len(f.Blocks)), map[string]int{}
	for i, b := range f.Blocks {
		names[b.Name()] = i
	}
	for i, b := range f.Blocks {
		for _, s := range b.Succs() {
			succs[i] = append(succs[i], names[s])
		}
	}
	fn := &function{f: f, cfg: flow.AnalyzeGraph(succs), def: map[string]*asm.Instr{}, at: map[*asm.Instr][2]int{}, users: map[string][]*asm.Instr{}, of: map[string]*variable{}}
	for b, block := range f.Blocks {
		for i, in := range block.Instrs {
			fn.at[in] = [2]int{b, i}
			if in.IsDebug() {
				continue
			}
			if in.Result() != "" {
				fn.def[in.Result()] = in
			}
			for _, u := range in.Uses() {
				fn.users[u] = append(fn.users[u], in)
			}
		}
	}
	for in := range f.Instrs() {
		if name := in.Result(); in.Op() == "alloca" && name[len(name)-1] >= '0' && name[len(name)-1] <= '9' {
			fn.numbered = append(fn.numbered, name)
		}
		if in.Op() != "alloca" || !scalar.MatchString(in.Type()) || len(in.Operands()) > 0 && in.Operands()[0].Value != "1" {
			continue
		}
		v := &variable{name: in.Result(), typ: in.Type(), param: strings.HasSuffix(in.Result(), ".addr"), uses: make([][]use, len(f.Blocks))}
		if fn.reads(v, in.Result()) {
			fn.vars = append(fn.vars, v)
			fn.of[in.Result()] = v
		}
	}
	return fn
}

// reads fills in the uses of a variable, and reports whether its address goes nowhere else.
func (fn *function) reads(v *variable, pointer string) bool {
	for _, u := range fn.users[pointer] {
		c, at := u.Call(), fn.at[u]
		switch {
		case u.Op() == "load" && !strings.Contains(u.Text(), "load volatile ") && !strings.Contains(u.Text(), "load atomic "):
			v.uses[at[0]] = append(v.uses[at[0]], use{u, false})
		case u.Op() == "store" && u.Operands()[0].Value != "%"+pointer && !strings.Contains(u.Text(), "store volatile ") && !strings.Contains(u.Text(), "store atomic "):
			v.uses[at[0]] = append(v.uses[at[0]], use{u, true})
		case c != nil && strings.HasPrefix(c.Callee, "llvm.lifetime.start"):
			v.begins = append(v.begins, at[0])
		case c != nil && strings.HasPrefix(c.Callee, "llvm.lifetime.end"):
		case u.Op() == "bitcast" && strings.HasSuffix(u.Type(), "*"): // of typed pointers: for its life alone
			if slices.ContainsFunc(fn.users[u.Result()], func(x *asm.Instr) bool {
				return x.Call() == nil || !strings.HasPrefix(x.Call().Callee, "llvm.lifetime.")
			}) || !fn.reads(v, u.Result()) {
				return false
			}
		default:
			return false
		}
	}
	for _, list := range v.uses {
		slices.SortFunc(list, func(a, b use) int { return fn.at[a.in][1] - fn.at[b.in][1] })
	}
	return true
}

// loaded is the variable that a value was loaded from; nil for others.
func (fn *function) loaded(value string) *variable {
	in := fn.made(value)
	if in == nil || in.Op() != "load" {
		return nil
	}
	name, _ := strings.CutPrefix(in.Operands()[0].Value, "%")
	return fn.of[name]
}

// made is the instruction that makes a value, nil for others.
func (fn *function) made(value string) *asm.Instr {
	name, local := strings.CutPrefix(value, "%")
	if !local {
		return nil
	}
	return fn.def[name]
}

// bare looks through conversions between widths.
func (fn *function) bare(value string) string {
	for range 8 {
		in := fn.made(value)
		if in == nil {
			return value
		}
		switch in.Op() {
		case "trunc", "sext", "zext", "fptrunc", "fpext":
			value = in.Operands()[0].Value
		default:
			return value
		}
	}
	return value
}

// computedOf reports whether a value is computed of what was loaded from a variable, within so many steps.
func (fn *function) computedOf(value string, v func(*variable) bool, steps int) bool {
	in := fn.made(value)
	if in == nil {
		return false
	}
	if x := fn.loaded(value); x != nil {
		return v(x)
	}
	if steps == 0 {
		return true
	}
	return slices.ContainsFunc(in.Uses(), func(u string) bool { return fn.computedOf("%"+u, v, steps-1) })
}

// key spells how a value is computed, in which loads from the same place are alike.
func (fn *function) key(value string, steps int) string {
	in := fn.made(value)
	if in == nil || steps == 0 {
		return value
	}
	switch in.Op() {
	case "phi", "call", "invoke", "alloca":
		return value
	}
	text := in.Op() + "("
	for _, o := range in.Operands() {
		text += fn.key(o.Value, steps-1) + ","
	}
	return text + ")"
}
