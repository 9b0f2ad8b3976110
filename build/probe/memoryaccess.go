package probe

// This file tells of accesses: of loads and stores, and of what functions do of which pathspan
// knows what they do.

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pathspan/ir/asm"
	"pathspan/memory"
)

// effects returns what a call of the library does to memory, and whether it is one that is known.
func (w *Memory) effects(c *asm.Call) ([]memory.Effect, bool) {
	if c.Callee == "" || w.m.Func(c.Callee) != nil {
		return nil, false
	}
	return memory.Effects(c.Callee)
}

// accesses reports whether an instruction accesses memory, and does so atomically.
func (w *Memory) accesses(in *asm.Instr) (is, atomic bool) {
	switch in.Op() {
	case "load", "store":
		_, rest, _ := strings.Cut(in.Text(), in.Op())
		return true, strings.HasPrefix(strings.TrimSpace(rest), "atomic ")
	case "atomicrmw", "cmpxchg":
		return true, true
	}
	c := in.Call()
	if c == nil {
		return false, false
	}
	for _, a := range c.Args {
		is = is || byval(a) != ""
	}
	known, _ := w.effects(c)
	for _, e := range known {
		is, atomic = true, atomic || e.Atomic
	}
	_, format := memory.FormatOf(c.Callee)
	_, makes := memory.Makes(c.Callee)
	_, masked := maskedOf(c)
	return is || w.m.Func(c.Callee) == nil && (format || makes || masked), atomic
}

// isForeign reports whether a call is of code that pathspan does not see, that is given a pointer,
// and of which nothing is known.
func (w *Memory) isForeign(in *asm.Instr) (string, bool) {
	c := in.Call()
	if c == nil || c.Indirect || c.Callee != "" && w.m.Func(c.Callee) != nil {
		return "", false
	}
	if _, known := w.effects(c); known {
		return "", false
	}
	if _, makes := memory.Makes(c.Callee); makes {
		return "", false
	}
	name, points := c.Callee, false
	for _, a := range c.Args {
		points = points || isPointer(a.Type)
	}
	if c.Asm {
		name = "asm"
	}
	return name, points
}

func isPointer(t string) bool { return t == "ptr" || strings.HasSuffix(t, "*") }

var byvalType = regexp.MustCompile(`\bbyval\((.*?)\)( |$)`)

// byval returns the type of what an argument's callee gets a copy of, "" for none.
func byval(a asm.Arg) string {
	if m := byvalType.FindStringSubmatch(a.Attrs); m != nil {
		return m[1]
	}
	return ""
}

var (
	intType    = regexp.MustCompile(`^i(\d+)$`)
	vectorType = regexp.MustCompile(`^<(\d+) x (.+)>$`)
	floatBits  = map[string]int{"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}
)

// bits returns how many bits a load or store of a type moves, 0 where the type is another.
func (w *Memory) bits(t string) int {
	if n := intType.FindStringSubmatch(t); n != nil {
		bits, _ := strconv.Atoi(n[1])
		return bits
	}
	if v := vectorType.FindStringSubmatch(t); v != nil {
		n, _ := strconv.Atoi(v[1])
		return n * w.bits(v[2])
	}
	if isPointer(t) {
		return 8 * w.wordBytes
	}
	return floatBits[t]
}

// access tells of one access before it happens, or behind it, or of a row of so many that begins
// with it.
func (w *Memory) access(in *asm.Instr, site, n, each int) {
	b := in.Block()
	var text []string
	ops := in.Operands()
	if n > 1 {
		what, pointer, _ := w.plain(in)
		at := w.address(&text, pointer.Type, pointer.Value)
		text = append(text, fmt.Sprintf("call void @__pathspan_%s_row(i64 %s, i64 %s, i64 %d, i64 %d)", what, w.site(&text, site), at, n*each, each))
		w.insert(b, b.Index(in), text...)
		return
	}
	switch in.Op() {
	case "load":
		w.single(&text, "read", site, ops[0], in.Type())
	case "store":
		w.single(&text, "write", site, ops[1], ops[0].Type)
	case "atomicrmw":
		w.single(&text, "read", site, ops[0], ops[1].Type)
		w.single(&text, "write", site, ops[0], ops[1].Type)
	case "cmpxchg":
		w.single(&text, "read", site, ops[0], ops[1].Type)
		var behind []string
		did := w.value(&behind, "did", "extractvalue %s %s, 1", in.ResultType(), asm.LocalRef(in.Result()))
		size := w.value(&behind, "size", "select i1 %s, i64 %d, i64 0", did, (w.bits(ops[1].Type)+7)/8)
		at := w.address(&behind, ops[0].Type, ops[0].Value)
		w.behind(in, append(behind, fmt.Sprintf("call void @__pathspan_write_range(i64 %s, i64 %s, i64 %s)", w.site(&behind, site), at, size))...)
	default:
		w.call(in, site)
		return
	}
	w.insert(b, b.Index(in), text...)
}

func (w *Memory) address(text *[]string, t, value string) string {
	return w.value(text, "at", "ptrtoint %s %s to i64", t, value)
}

func (w *Memory) site(_ *[]string, i int) string {
	array := fmt.Sprintf("[%d x %s]", len(w.found), siteType)
	return fmt.Sprintf("ptrtoint (%s getelementptr inbounds (%s, %s @%s, i64 0, i64 %d) to i64)", w.m.Pointer(siteType), array, w.m.Pointer(array), sitesName, i)
}

func (w *Memory) single(text *[]string, what string, site int, pointer asm.Operand, t string) {
	at := w.address(text, pointer.Type, pointer.Value)
	switch n := (w.bits(t) + 7) / 8; n {
	case 1, 2, 4, 8, 16:
		*text = append(*text, fmt.Sprintf("call void @__pathspan_%s%d(i64 %s, i64 %s)", what, n, w.site(text, site), at))
	default:
		w.rangeOf(text, what, site, at, w.sizeText(t))
	}
}

// sizeText spells how many bytes a type has.
func (w *Memory) sizeText(t string) string {
	if n := (w.bits(t) + 7) / 8; n > 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("ptrtoint (%s to i64)", w.sizeOf(t))
}

func (w *Memory) rangeOf(text *[]string, what string, site int, at, size string) {
	*text = append(*text, fmt.Sprintf("call void @__pathspan_%s_range(i64 %s, i64 %s, i64 %s)", what, w.site(text, site), at, size))
}

// call tells what a call does to memory besides what the program's own code does in it.
func (w *Memory) call(in *asm.Instr, site int) {
	c := in.Call()
	b := in.Block()
	var before, behind []string
	copies := false
	for _, a := range c.Args {
		if t := byval(a); t != "" {
			w.rangeOf(&before, "read", site, w.address(&before, a.Type, a.Value), w.sizeText(t))
			copies = true
		}
	}
	if copies { // and are written where the callee begins
		before = append(before, fmt.Sprintf("store i64 %s, %s @%s, align 8", w.site(&before, site), w.i64ptr, copierName))
	}
	if w.m.Func(c.Callee) == nil {
		known, _ := w.effects(c)
		for _, e := range known {
			to := &before
			if e.After {
				to = &behind
			}
			w.effect(to, e, in, c, site)
		}
		if f, ok := memory.FormatOf(c.Callee); ok && f.Arg < len(c.Args) {
			to := &before
			if f.Scans {
				to = &behind
			}
			w.format(to, f, in, c, site)
		}
		if m, ok := maskedOf(c); ok {
			w.masked(&before, m, c, site)
		}
	}
	w.insert(b, b.Index(in), before...)
	w.behind(in, behind...)
}

// effect tells of one effect of a function of the library.
func (w *Memory) effect(text *[]string, e memory.Effect, in *asm.Instr, c *asm.Call, site int) {
	last := max(e.Pointer, e.Size.Arg, e.Size.Times)
	if e.Size.Kind == memory.Common || e.Size.Kind == memory.Folded || e.Size.Kind == memory.Until {
		last = max(last, e.Size.Other)
	}
	if last >= len(c.Args) {
		return // another function of the name
	}
	what := "read"
	if e.Writes {
		what = "write"
	}
	word := func(arg int) string { return w.word(text, c.Args[arg]) }
	unit := max(1, e.Size.Unit)
	load := func(v string) string {
		return w.pointerAt(text, v)
	}
	at := word(e.Pointer)
	if e.Deref {
		at = load(at)
	}
	if e.End {
		at = w.value(text, "at", "call i64 @__pathspan_zero(i64 %s, i32 %d)", at, unit)
	}
	size := ""
	switch s := e.Size; s.Kind {
	case memory.Fixed, memory.Pointers, memory.List:
		size = fmt.Sprint(w.fixed(s))
		if !e.Deref { // such results may be left out
			given := w.value(text, "given", "icmp ne i64 %s, 0", at)
			size = w.value(text, "size", "select i1 %s, i64 %s, i64 0", given, size)
		}
	case memory.Bytes, memory.Result:
		if s.Kind == memory.Result {
			size = w.wide(text, in.ResultType(), asm.LocalRef(in.Result()))
			positive := w.value(text, "is", "icmp sgt i64 %s, 0", size)
			size = w.value(text, "size", "select i1 %s, i64 %s, i64 0", positive, size)
		} else {
			size = word(s.Arg)
		}
		if s.Times >= 0 {
			size = w.value(text, "size", "mul i64 %s, %s", size, word(s.Times))
		}
		if unit > 1 {
			size = w.value(text, "size", "mul i64 %s, %d", size, unit)
		}
	default:
		string, other, most := word(s.Arg), "0", "-1"
		if e.Deref {
			string = at
		}
		if s.Kind != memory.Text {
			other = word(s.Other)
		}
		if s.Times >= 0 {
			most = word(s.Times)
		}
		// What could not be read leaves the buffer as it was.
		if in.Op() != "call" && in.Op() != "invoke" {
			return
		}
		size = w.value(text, "size", "call i64 @__pathspan_length(i32 %d, i64 %s, i64 %s, i64 %s, i32 %d)", s.Kind, string, other, most, unit)
		if e.After && e.Writes {
			size = w.unlessFailed(text, in, size)
		}
	}
	w.rangeOf(text, what, site, at, size)
}

// pointerAt is the pointer that lies at an address, as a 64-bit integer.
func (w *Memory) pointerAt(text *[]string, address string) string {
	word := fmt.Sprintf("i%d", 8*w.wordBytes)
	t := w.m.Pointer(word)
	at := w.value(text, "at", "load %s, %s %s, align %d", word, t, w.value(text, "ptr", "inttoptr i64 %s to %s", address, t), w.wordBytes)
	if w.wordBytes == 8 {
		return at
	}
	return w.value(text, "at", "zext %s %s to i64", word, at)
}

// fixed is how many bytes a size has that no call says.
func (w *Memory) fixed(s memory.Size) int {
	switch s.Kind {
	case memory.Pointers:
		return s.Other * w.wordBytes
	case memory.List: // by the procedure call standards; where it is a pointer, one word
		switch arch, _, _ := strings.Cut(w.p.Triple, "-"); arch {
		case "x86_64":
			return 24
		case "aarch64":
			return 32
		}
		return w.wordBytes
	}
	return s.Other
}

// unlessFailed is a size, or 0 where a call says that it did nothing: by null or a number below 0.
func (w *Memory) unlessFailed(text *[]string, in *asm.Instr, size string) string {
	if in.Result() == "" || in.ResultType() == "void" {
		return size
	}
	got, test := w.wide(text, in.ResultType(), asm.LocalRef(in.Result())), "sge"
	if isPointer(in.ResultType()) {
		test = "ne"
	}
	ok := w.value(text, "ok", "icmp %s i64 %s, 0", test, got)
	return w.value(text, "size", "select i1 %s, i64 %s, i64 0", ok, size)
}

// format tells what a format makes a function do.
func (w *Memory) format(text *[]string, f memory.Format, in *asm.Instr, c *asm.Call, site int) {
	var words []string
	for _, a := range c.Args[min(f.First, len(c.Args)):] {
		v := "0"
		if isPointer(a.Type) || intType.MatchString(a.Type) {
			v = w.word(text, a)
		}
		words = append(words, ", i64 "+v)
	}
	format := w.word(text, c.Args[f.Arg])
	if !f.Scans {
		*text = append(*text, fmt.Sprintf("call void (i64, i64, i32, ...) @__pathspan_printed(i64 %s, i64 %s, i32 %d%s)", w.site(text, site), format, len(words), strings.Join(words, "")))
		return
	}
	filled := w.wide(text, in.ResultType(), asm.LocalRef(in.Result()))
	*text = append(*text, fmt.Sprintf("call void (i64, i64, i64, i32, ...) @__pathspan_scanned(i64 %s, i64 %s, i64 %s, i32 %d%s)", w.site(text, site), format, filled, len(words), strings.Join(words, "")))
}

// maskedAccess is a function of LLVM that accesses the elements of a vector that a mask has.
type maskedAccess struct {
	what       string
	value      string // type of the vector
	pointers   int    // argument
	mask       int
	scattered  bool // the pointers are a vector
	compressed bool // elements stand side by side
}

func maskedOf(c *asm.Call) (maskedAccess, bool) {
	name, ok := strings.CutPrefix(c.Callee, "llvm.masked.")
	if !ok {
		return maskedAccess{}, false
	}
	name, _, _ = strings.Cut(name, ".")
	m := maskedAccess{what: "read", value: c.RetType, mask: -1}
	switch name {
	case "load", "gather", "expandload":
	case "store", "scatter", "compressstore":
		m.what, m.value, m.pointers = "write", c.Args[0].Type, 1
	default:
		return m, false
	}
	m.scattered, m.compressed = name == "gather" || name == "scatter", name == "expandload" || name == "compressstore"
	for i, a := range c.Args {
		if v := vectorType.FindStringSubmatch(a.Type); i > m.pointers && m.mask < 0 && v != nil && v[2] == "i1" {
			m.mask = i
		}
	}
	return m, m.mask >= 0 && vectorType.MatchString(m.value)
}

// masked tells of each element that the mask has.
func (w *Memory) masked(text *[]string, m maskedAccess, c *asm.Call, site int) {
	v := vectorType.FindStringSubmatch(m.value)
	n, _ := strconv.Atoi(v[1])
	size := (w.bits(v[2]) + 7) / 8
	base, mask := c.Args[m.pointers], c.Args[m.mask]
	at := ""
	if !m.scattered {
		at = w.address(text, base.Type, base.Value)
	}
	for i := range n {
		bit := w.value(text, "bit", "extractelement %s %s, i32 %d", mask.Type, mask.Value, i)
		bytes := w.value(text, "size", "select i1 %s, i64 %d, i64 0", bit, size)
		if m.scattered {
			element := vectorType.FindStringSubmatch(base.Type)[2]
			at = w.address(text, element, w.value(text, "ptr", "extractelement %s %s, i32 %d", base.Type, base.Value, i))
		}
		w.rangeOf(text, m.what, site, at, bytes)
		switch {
		case m.compressed:
			at = w.value(text, "at", "add i64 %s, %s", at, bytes)
		case !m.scattered:
			at = w.value(text, "at", "add i64 %s, %d", at, size)
		}
	}
}

// word makes a 64-bit integer of an argument.
func (w *Memory) word(text *[]string, a asm.Arg) string { return w.wide(text, a.Type, a.Value) }

func (w *Memory) wide(text *[]string, t, value string) string {
	switch {
	case t == "i64":
		return value
	case isPointer(t):
		return w.address(text, t, value)
	case w.bits(t) > 64:
		return w.value(text, "wide", "trunc %s %s to i64", t, value)
	}
	return w.value(text, "wide", "sext %s %s to i64", t, value)
}
