package mca

// This file turns the costed module into one for another processor: same functions,
// blocks and names, nothing that only those have that it was compiled for.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// module is a retargeted module, ready to be printed in parts.
type module struct {
	m       *asm.Module
	version int  // LLVM major version that wrote it, 0 when it does not say
	typed   bool // spells pointers as i32*
	// replaced counts, by function and block, the instructions taken out because only
	// the host's processor has them.
	replaced map[place]int
	taken    map[string][]string // blocks whose address is taken, by function
	marks    []string            // names of the blocks that start with a marker, by its number
}

type place struct{ fn, block string }

var (
	identVersion = regexp.MustCompile(`clang version (\d+)`)
	addressTaken = regexp.MustCompile(`blockaddress\(@("[^"]*"|[-\w.$]+), %("[^"]*"|[-\w.$]+)\)`)
)

// neutral is what stands in for the result of an instruction that was taken out: a
// volatile load, so that nothing that hangs on the value is folded away.
const neutral = "__pathspan_neutral"

// retarget reads and prepares a module. keepTarget leaves in what is particular to the
// processors that it was compiled for, where costs are of such a one.
func retarget(text []byte, keepTarget bool) (*module, error) {
	m, err := asm.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the bundle's module: %w", err)
	}
	m.NameValues() // llc's comments name blocks, so each needs a name
	out := &module{m: m, typed: !m.OpaquePointers(), replaced: map[place]int{}, taken: map[string][]string{}}
	for _, id := range m.NamedMeta("llvm.ident") {
		if v := identVersion.FindStringSubmatch(m.Meta(id).Text); v != nil {
			fmt.Sscan(v[1], &out.version)
			break
		}
	}
	for _, a := range addressTaken.FindAllSubmatch(text, -1) {
		fn := bare(string(a[1]))
		if b := bare(string(a[2])); !slices.Contains(out.taken[fn], b) {
			out.taken[fn] = append(out.taken[fn], b)
		}
	}
	for _, f := range m.Funcs() {
		f.SetDbg(-1)
		for _, b := range f.Blocks {
			if err := out.strip(f, b, keepTarget); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func bare(name string) string { return strings.Trim(name, `"`) }

// strip removes debug records, markers and, unless kept, the host's own instructions.
func (r *module) strip(f *asm.Func, b *asm.Block, keepTarget bool) error {
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		in := b.Instrs[i]
		var err error
		switch call := in.Call(); {
		case in.IsDebug():
			err = b.Delete(i)
		case call != nil && call.Callee == ir.MarkerFunc:
			// A task starts here. The label stays in the machine code where llc merges
			// the block with the one before, which is another task's.
			err = in.SetText(fmt.Sprintf(`call void asm sideeffect "%s%d:", "~{memory}"()`, markLabel, len(r.marks)))
			r.marks = append(r.marks, b.Name())
		case call != nil && !keepTarget && hostOnly(call) && in.Op() == "call":
			r.replaced[place{f.Name(), b.Name()}]++
			err = r.takeOut(b, i)
		case call != nil && !keepTarget && hostOnly(call) && in.Op() == "callbr" && in.Result() == "":
			r.replaced[place{f.Name(), b.Name()}]++
			err = r.choose(b, i)
		default:
			in.SetDbg(-1)
		}
		if err != nil {
			return fmt.Errorf("the bundle's module, function %s: %w", f.Name(), err)
		}
	}
	return nil
}

func hostOnly(c *asm.Call) bool {
	return c.Asm || strings.HasPrefix(c.Callee, "llvm.x86.") || strings.HasPrefix(c.Callee, "llvm.aarch64.") || strings.HasPrefix(c.Callee, "llvm.arm.") || strings.HasPrefix(c.Callee, "llvm.riscv.")
}

// takeOut deletes an instruction, or has a load give its result.
func (r *module) takeOut(b *asm.Block, i int) error {
	in := b.Instrs[i]
	if in.Result() == "" {
		return b.Delete(i)
	}
	load, err := r.load(in.Result(), in.ResultType())
	if err != nil {
		return err
	}
	return in.SetText(load)
}

// choose has a switch lead where assembly with labels might go.
func (r *module) choose(b *asm.Block, i int) error {
	in := b.Instrs[i]
	name := b.Func().FreshName("pathspan.chosen")
	load, err := r.load(name, "i8")
	if err != nil {
		return err
	}
	succs := in.Succs()
	var text strings.Builder
	fmt.Fprintf(&text, "switch i8 %s, label %s [", asm.LocalRef(name), asm.LocalRef(succs[0]))
	for k, s := range succs[1:] {
		fmt.Fprintf(&text, " i8 %d, label %s", k, asm.LocalRef(s))
	}
	if err := in.SetText(text.String() + " ]"); err != nil {
		return err
	}
	return b.InsertBefore(i, load)
}

// load is the text of a load that stands in for a value.
func (r *module) load(name, typ string) (string, error) {
	if err := r.m.AddGlobal(asm.GlobalRef(neutral) + " = external global i8, align 16"); err != nil {
		return "", err
	}
	from, ptr := asm.GlobalRef(neutral), "ptr"
	if !r.m.OpaquePointers() {
		ptr = r.m.Pointer(typ)
		from = fmt.Sprintf("bitcast (i8* %s to %s)", from, ptr)
	}
	return fmt.Sprintf("%s = load volatile %s, %s %s", asm.LocalRef(name), typ, ptr, from), nil
}

// markLabel begins the labels that stand for markers.
const markLabel = ".Lpathspan_mark_"

var hostAttrs = regexp.MustCompile(` ?"(target-cpu|target-features|tune-cpu|probe-stack|stack-probe-size|min-legal-vector-width|prefer-vector-width|patchable-function|indirect-tls-seg-refs)"(="[^"]*")?`)

// text prints the module with the bodies of some functions only. The others are declared,
// or, where something refers to their inside, defined with nothing to do.
func (r *module) text(want func(fn string) bool) []byte {
	inside := map[string]bool{}
	for _, g := range r.m.Globals() {
		if g.Kind() == "alias" || g.Kind() == "ifunc" {
			inside[g.Aliasee()] = true
		}
	}
	others := map[string]*asm.Func{}
	for _, f := range r.m.Funcs() {
		if !want(f.Name()) {
			others[f.Header()] = f
		}
	}
	var out strings.Builder
	skipping := false
	for line := range strings.Lines(string(r.m.Bytes())) {
		switch {
		case skipping:
			skipping = line != "}\n" && line != "}"
		case strings.HasPrefix(line, "define "):
			f := others[strings.TrimRight(line, "\n")]
			if skipping = f != nil; skipping && !inside[f.Name()] && len(r.taken[f.Name()]) == 0 {
				out.WriteString(declaration(f))
				continue
			}
			// llc gives no code for what another module defines.
			line = strings.Replace(line, "define available_externally ", "define ", 1)
			out.WriteString(hostAttrs.ReplaceAllString(line, ""))
			if skipping {
				out.WriteString("\tunreachable\n")
				for _, b := range r.taken[f.Name()] {
					fmt.Fprintf(&out, "%s:\n\tunreachable\n", asm.Spell(b))
				}
				out.WriteString("}\n")
			}
		case strings.HasPrefix(line, "attributes "):
			line = hostAttrs.ReplaceAllString(line, "")
			// A group must hold something.
			out.WriteString(emptyGroup.ReplaceAllString(line, `{ "pathspan" }`))
		case !hostLine(line):
			out.WriteString(line)
		}
	}
	return []byte(out.String())
}

var emptyGroup = regexp.MustCompile(`\{ *\}`)

// hostLine tells the lines that are the host's.
func hostLine(line string) bool {
	return strings.HasPrefix(line, "target ") || strings.HasPrefix(line, "module asm ") || strings.HasPrefix(line, "!llvm.dbg.cu ")
}

// declaration declares a function by its type alone.
func declaration(f *asm.Func) string {
	var types []string
	for _, p := range f.Params() {
		types = append(types, p.Type)
	}
	if f.Variadic() {
		types = append(types, "...")
	}
	return fmt.Sprintf("declare %s %s(%s)\n", f.RetType(), asm.GlobalRef(f.Name()), strings.Join(types, ", "))
}
