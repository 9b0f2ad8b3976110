package openmp

// This file writes the function of a section and its call.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pathspan/ir/asm"
)

// returns spells what the section's function returns.
func (x *extraction) returns() string {
	switch len(x.results) {
	case 0:
		return "void"
	case 1:
		return x.results[0].typ
	}
	var types []string
	for _, l := range x.results {
		types = append(types, l.typ)
	}
	return "{ " + strings.Join(types, ", ") + " }"
}

// define adds the section's function to the module.
func (x *extraction) define() {
	f := x.f
	var b strings.Builder
	var params []string
	for _, a := range x.args {
		params = append(params, words(a.typ, a.attrs, asm.LocalRef(a.name)))
	}
	fmt.Fprintf(&b, "define weak %s %s(%s)%s\n", x.returns(), asm.GlobalRef(x.name), strings.Join(params, ", "), headerTail(f))
	fmt.Fprintf(&b, "%s:\n", asm.Spell(f.FreshName("pathspan.entry")))
	for _, t := range x.prolog {
		b.WriteString("  " + dropDbg(t) + "\n")
	}
	if x.section.entry == nil {
		b.WriteString("  ret void\n}\n")
	} else {
		fmt.Fprintf(&b, "  br label %s\n", asm.LocalRef(x.section.entry.Name()))
		for i, here := range x.section.in {
			if here {
				x.block(&b, f.Blocks[i])
			}
		}
		if len(x.g.preds[x.g.index[x.join]]) > 0 {
			x.epilog(&b)
		}
		b.WriteString("}\n")
	}
	fn := made(x.m.AddFunc(b.String()))
	x.fn = fn
	x.trimPhis()
	opaque(fn)
	x.debugScopes()
}

// block prints one block of the section.
func (x *extraction) block(b *strings.Builder, blk *asm.Block) {
	fmt.Fprintf(b, "\n%s:\n", asm.Spell(blk.Name()))
	for _, in := range blk.Instrs {
		if in.IsDebug() || x.foreignLifetime(in) {
			continue
		}
		b.WriteString("  " + in.Text() + "\n")
	}
}

// foreignLifetime reports whether in marks the lifetime of a variable that did
// not move into the section as it was.
func (x *extraction) foreignLifetime(in *asm.Instr) bool {
	c := in.Call()
	if c == nil || !strings.HasPrefix(c.Callee, "llvm.lifetime.") {
		return false
	}
	for _, u := range in.Uses() {
		if k, ok := x.slots.of[u]; ok {
			mode, used := x.mode[x.slots.list[k]]
			return used && mode != byMove
		}
	}
	return false
}

// epilog prints the block that ends the section and returns its results.
func (x *extraction) epilog(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s:\n", asm.Spell(x.join.Name()))
	typ := x.returns()
	value := ""
	for i, l := range x.results {
		v := asm.LocalRef(x.f.FreshName(l.name + ".out"))
		fmt.Fprintf(b, "  %s = load %s, %s %s%s\n", v, l.typ, l.in.ResultType(), asm.LocalRef(l.name), align(l))
		if len(x.results) == 1 {
			value = " " + v
			break
		}
		if i == 0 {
			value = " undef"
		}
		next := asm.LocalRef(x.f.FreshName(l.name + ".set"))
		fmt.Fprintf(b, "  %s = insertvalue %s%s, %s %s, %d\n", next, typ, value, l.typ, v, i)
		value = " " + next
	}
	fmt.Fprintf(b, "  ret %s%s\n", typ, value)
}

// call spells the call of the section with what goes before and after it.
func (x *extraction) call(dbg int) string {
	f, at := x.f, suffixDbg(dbg)
	var out, args []string
	for _, a := range x.args {
		v := a.value
		if a.slot != nil {
			v = asm.LocalRef(f.FreshName(a.slot.name + ".now"))
			out = append(out, fmt.Sprintf("%s = load %s, %s %s%s%s", v, a.typ, a.slot.in.ResultType(), asm.LocalRef(a.slot.name), align(a.slot), at))
		}
		args = append(args, a.typ+" "+v)
	}
	result := ""
	if len(x.results) > 0 {
		result = asm.LocalRef(f.FreshName("pathspan.result"))
	}
	out = append(out, callText(result, x.returns(), x.name, args, f, dbg))
	for i, l := range x.results {
		v := result
		if len(x.results) > 1 {
			v = asm.LocalRef(f.FreshName(l.name + ".new"))
			out = append(out, fmt.Sprintf("%s = extractvalue %s %s, %d%s", v, x.returns(), result, i, at))
		}
		out = append(out, fmt.Sprintf("store %s %s, %s %s%s%s", l.typ, v, l.in.ResultType(), asm.LocalRef(l.name), align(l), at))
	}
	return strings.Join(out, "\n")
}

// callText spells a call that the optimiser must leave as it is.
func callText(result, typ, callee string, args []string, caller *asm.Func, dbg int) string {
	if result != "" {
		result += " = "
	}
	attrs := " nounwind nomerge"
	if caller.HasAttr("strictfp") {
		attrs += " strictfp"
	}
	return fmt.Sprintf("%scall %s %s(%s)%s%s", result, typ, asm.GlobalRef(callee), strings.Join(args, ", "), attrs, suffixDbg(dbg))
}

func words(s ...string) string {
	return strings.Join(slices.DeleteFunc(s, func(w string) bool { return w == "" }), " ")
}

// trimPhis drops what phis of shared blocks say about ways in that the section's
// function does not have.
func (x *extraction) trimPhis() {
	for in := range x.fn.Instrs() {
		pairs := in.Phi()
		if pairs == nil {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(pairs), func(p asm.Incoming) bool { return x.fn.Block(p.Block) == nil })
		if len(left) < len(pairs) {
			must(in.SetPhi(left))
		}
	}
}

// opaque keeps the optimiser from looking through calls of f, as it cannot look
// through the run-time library of the parallel program.
func opaque(f *asm.Func) {
	for _, a := range []string{"alwaysinline", "norecurse", "inlinehint", "optnone"} {
		f.RemoveAttr(a)
	}
	must(f.AddAttr("noinline"))
	must(f.SetLinkage("weak"))
}

var (
	dbgSuffix     = regexp.MustCompile(`,? ?!dbg !\d+`)
	headerDropped = regexp.MustCompile(` (local_unnamed_addr\b|unnamed_addr\b|comdat(\([^)]*\))?)`)
	retained      = regexp.MustCompile(`, retainedNodes: !\d+`)
)

func dropDbg(text string) string { return dbgSuffix.ReplaceAllString(text, "") }

// headerTail returns what follows the parameters in f's header, without what
// must be a function's own.
func headerTail(f *asm.Func) string {
	h := f.Header()
	i := strings.Index(h, asm.GlobalRef(f.Name())+"(") + len(asm.GlobalRef(f.Name()))
	depth, quoted := 0, false
	for ; i < len(h); i++ {
		switch {
		case h[i] == '"':
			quoted = !quoted
		case quoted:
		case h[i] == '(':
			depth++
		case h[i] == ')':
			if depth--; depth == 0 {
				return headerDropped.ReplaceAllString(dropDbg(h[i+1:]), "")
			}
		}
	}
	return " {"
}

// debugScopes gives the section's function a subprogram and scopes of its own.
func (x *extraction) debugScopes() {
	from := x.f.Dbg()
	sp := x.m.Meta(from)
	if sp == nil {
		return
	}
	to := x.m.AddMeta(retained.ReplaceAllString(sp.Text, ""))
	x.fn.SetDbg(to)
	var roots []int
	for in := range x.fn.Instrs() {
		roots = append(roots, in.MetaRefs()...)
	}
	ids := x.m.RehomeScopes(from, to, roots)
	for in := range x.fn.Instrs() {
		in.RemapMeta(ids)
	}
}
