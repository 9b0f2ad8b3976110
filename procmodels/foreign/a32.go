package foreign

// This file says what an instruction of ARM is among LLVM's, in both of its encodings (Arm ARM, DDI
// 0406, sections A8 and A8.8).

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	a32Register   = regexp.MustCompile(`\b(?:r\d{1,2}|s[bl]|fp|ip|sp|lr|pc|[sdq]\d{1,2})\b`)
	a32Numbered   = map[string]string{"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12", "r13": "sp", "r14": "lr", "r15": "pc"}
	a32Conditions = words("eq ne hs cs lo cc mi pl vs vc hi ls ge lt gt le")
	// a32Three take two operands and write a third, which may be the first of these.
	a32Three     = words("add sub and orr eor bic orn rsb rsc adc sbc lsl lsr asr ror mul addw subw")
	a32Compares  = words("cmp cmn tst teq")
	a32Keeps     = words("movt bfi bfc usada8 vmla vmls vnmla vnmls vfma vfms vfnma vfnms vbsl vbit vbif vmlal vmlsl")
	a32ReadFlags = words("adc sbc rsc sel")
	a32GiveFlags = words("uadd8 usub8 sadd8 ssub8 uadd16 usub16 sadd16 ssub16")
	a32Both      = words("umull smull umlal smlal umaal")
	// a32Others have names besides that end as conditions do not, but may have one behind.
	a32Others = words("b bl bx blx mov mvn movw movt ldr ldrb ldrh ldrsb ldrsh ldrd ldrex ldrexb ldrexd str strb strh strd strex strexb strexd ldm ldmia ldmib ldmda ldmdb stm stmia stmib stmda stmdb push pop clz rev rev16 rbit ubfx sbfx bfi bfc uxtb uxth sxtb sxth uxtab uxtah sxtab sxtah mla mls umull smull umlal smlal umaal udiv sdiv sel mrc mcr vmov vmrs vadd vsub vmul vnmul vdiv vsqrt vabs vneg vcmp vcmpe vcvt vldr vstr vmla vmls pld svc")
)

// meanA32 reads an instruction, such as "ldr.w r1, [sp, #8]".
func meanA32(text string) []meaning {
	full, operands, _ := strings.Cut(text, " ")
	name, kind, _ := strings.Cut(full, ".")
	if kind == "w" || kind == "n" {
		kind = ""
	}
	name, conditional := a32Condition(name)
	out := a32Plain(name, kind, operands)
	if !conditional {
		return out
	}
	for i := range out {
		m := &out[i]
		if m.op == "br" || m.op == "ret" || m.op == "indirectbr" {
			m.op, m.typ = "br", "i1"
		}
		// What it does not do leaves what it writes as it was.
		m.uses = with(m.uses, m.gives...)
		m.uses = append(m.uses, flags)
	}
	return out
}

// a32Condition takes the condition off a name: addne is add.
func a32Condition(name string) (string, bool) {
	known := func(name string) bool { return a32Others[name] || a32Three[name] || a32Compares[name] }
	n := len(name) - 2
	if n <= 0 || known(name) || !a32Conditions[name[n:]] {
		return name, false
	}
	if base := name[:n]; known(base) || known(strings.TrimSuffix(base, "s")) {
		return base, true
	}
	return name, false
}

func a32Plain(name, kind, operands string) []meaning {
	all := a32Registers(operands)
	switch name {
	case "b", "bl":
		return []meaning{{op: "br", typ: "void"}}
	case "bx", "blx":
		if len(all) == 0 {
			return []meaning{{op: "br", typ: "void"}}
		}
		if name == "bx" && all[0] == "lr" {
			return []meaning{{op: "ret", typ: "void", uses: all, returns: true}}
		}
		return []meaning{{op: "indirectbr", typ: "ptr", uses: all}}
	case "cbz", "cbnz":
		return []meaning{{op: "br", typ: "i1", uses: all}}
	case "tbb", "tbh":
		return []meaning{{op: "load", typ: "i8", address: a32Read(all), gives: []string{"jump"}}, {op: "indirectbr", typ: "ptr", uses: []string{"jump"}}}
	}
	if out := a32Access(name, operands); out != nil {
		return out
	}
	m := meaning{op: "add", typ: "i32"}
	setsFlags := a32GiveFlags[name]
	if base, ok := strings.CutSuffix(name, "s"); ok && (a32Three[base] || base == "mov" || base == "mvn") {
		name, setsFlags = base, true
	}
	written := 1
	if a32Both[name] || name == "vmov" && len(all) == 3 && all[1][0] == 'r' && all[0][0] == 'r' {
		written = 2 // vmov r0, r1, d0
	}
	switch {
	case a32Compares[name]:
		m.op, m.uses, m.gives = "icmp", all, []string{flags}
	case len(all) >= written && name != "mcr" && name != "msr" && name != "vmsr":
		m.gives, m.uses = all[:written], all[written:]
		if a32Keeps[name] || strings.HasSuffix(name, "lal") || name == "umaal" ||
			a32Three[name] && strings.Count(operands, ",") == 1 {
			m.uses = with(m.uses, m.gives...)
		}
	default:
		m.uses = all
	}
	m.uses = a32Read(m.uses)
	m.gives = a32Whole(m.gives, operands)
	if a32ReadFlags[name] {
		m.uses = with(m.uses, flags)
	}
	if setsFlags {
		m.gives = with(m.gives, flags)
	}
	switch {
	case strings.HasPrefix(name, "mul"), strings.HasPrefix(name, "ml"), strings.HasPrefix(name, "smul"), strings.HasPrefix(name, "smla"),
		strings.HasPrefix(name, "umul"), strings.HasPrefix(name, "umla"), strings.HasPrefix(name, "smml"), strings.HasPrefix(name, "smmul"), name == "umaal":
		m.op = "mul"
	case name == "sdiv", name == "udiv":
		m.op = name
	case strings.HasPrefix(name, "uxt"):
		m.op = "zext"
	case strings.HasPrefix(name, "sxt"):
		m.op = "sext"
	case strings.HasPrefix(name, "v"):
		m.a32Float(name, kind, operands)
	}
	if len(m.gives) > 0 && m.gives[0] == "pc" {
		m.gives = nil
		back := meaning{op: "indirectbr", typ: "ptr", uses: m.uses}
		if name == "mov" && len(m.uses) == 1 && m.uses[0] == "lr" {
			back = meaning{op: "ret", typ: "void", uses: m.uses, returns: true}
		}
		return []meaning{back}
	}
	return []meaning{m}
}

// a32Float says what floating point and vectors do: vadd.f64, vcvt.s32.f64, vmov.
func (m *meaning) a32Float(name, kind, operands string) {
	first, second, _ := strings.Cut(kind, ".")
	m.typ = map[string]string{"f32": "float", "f64": "double"}[first]
	if second != "" && m.typ == "" {
		m.typ = map[string]string{"f32": "float", "f64": "double"}[second]
	}
	if name == "vmrs" || name == "vmsr" { // a comparison has it with it
		m.op, m.typ, m.uses = "freeze", "i32", append(m.uses, "fpscr")
		if len(m.gives) == 0 {
			m.gives = []string{flags}
		}
		return
	}
	if strings.Contains(operands, "q") || m.typ == "" && name != "vmov" {
		m.op, m.typ = "shufflevector", vector
		return
	}
	if m.typ == "" {
		m.typ = "float" // between the two files of registers
	}
	switch name {
	case "vadd", "vsub", "vdiv":
		m.op = "f" + name[1:]
	case "vmul", "vnmul", "vmla", "vmls", "vnmla", "vnmls", "vfma", "vfms", "vfnma", "vfnms":
		m.op = "fmul" // with what it adds
	case "vsqrt":
		m.calls("sqrt")
	case "vcmp", "vcmpe":
		m.op, m.uses, m.gives = "fcmp", append(m.uses, m.gives...), []string{"fpscr"}
	case "vcvt", "vcvtr":
		m.op = conversion(strings.HasPrefix(first, "f"), strings.HasPrefix(second, "f"), strings.HasPrefix(second, "u"))
	default: // vmov, vabs, vneg
		m.op = "fneg"
	}
}

// a32Access reads loads and stores, of two registers at a time where there are several; nil for anything else.
func a32Access(name, operands string) []meaning {
	op := ""
	switch {
	case strings.HasPrefix(name, "ld"), name == "pop", name == "vpop", strings.HasPrefix(name, "vld"), name == "pld":
		op = "load"
	case strings.HasPrefix(name, "st"), name == "push", name == "vpush", strings.HasPrefix(name, "vst"):
		op = "store"
	default:
		return nil
	}
	var values, base, moved []string
	at, list, several := strings.Cut(operands, "{")
	switch {
	case several && at != "": // ldm r6!, {r0, r1}
		base = a32Registers(at)
		values = a32Registers(a32Ranges(list))
		if strings.Contains(at, "!") {
			moved = base
		}
	case several: // push {r4, lr}; vld1.8 {d0}, [r1]!
		inside, behind, _ := strings.Cut(list, "}")
		values = a32Registers(a32Ranges(inside))
		base = a32Registers(behind)
		if behind == "" {
			base = []string{"sp"}
		}
		if behind == "" || strings.Contains(behind, "!") {
			moved = base[:1]
		}
	default:
		before, behind, _ := strings.Cut(operands, "[")
		values, base = a32Registers(before), a32Registers(behind)
		if _, after, _ := strings.Cut(behind, "]"); len(base) > 0 && after != "" {
			moved = base[:1]
		}
	}
	address, typ := a32Read(base), a32Type(name, operands)
	var extra []string // strex tells whether it did
	if strings.HasPrefix(name, "strex") && len(values) > 1 {
		extra, values = values[:1], values[1:]
	}
	var out []meaning
	leaves, back := false, false
	for len(values) > 0 || len(out) == 0 {
		n := min(2, len(values))
		m := meaning{op: op, typ: typ, address: address}
		if n == 2 {
			m.typ = "{ " + typ + ", " + typ + " }"
		}
		if op == "store" {
			m.uses = values[:n]
		} else {
			for _, v := range values[:n] {
				if v == "pc" {
					leaves, back = true, len(base) > 0 && base[0] == "sp"
					continue
				}
				m.gives = append(m.gives, v)
			}
			m.gives = a32Whole(m.gives, operands)
		}
		values = values[n:]
		out = append(out, m)
	}
	m := &out[len(out)-1]
	m.gives = with(m.gives, moved...)
	m.gives = append(m.gives, extra...)
	if leaves {
		m.gives = append(m.gives, "jump")
		jump := meaning{op: "indirectbr", typ: "ptr", uses: []string{"jump"}}
		if back {
			jump = meaning{op: "ret", typ: "void", uses: jump.uses, returns: true}
		}
		out = append(out, jump)
	}
	return out
}

func a32Type(name, operands string) string {
	if name[0] == 'v' {
		r := a32Register.FindString(strings.TrimLeft(operands[strings.IndexByte(operands, '{')+1:], " "))
		switch {
		case name == "vld1" || name == "vst1" || strings.HasPrefix(r, "q"):
			return "double"
		case strings.HasPrefix(r, "s"):
			return "float"
		}
		return "double"
	}
	switch {
	case name == "push":
	case strings.HasSuffix(name, "b"):
		return "i8"
	case strings.HasSuffix(name, "h"):
		return "i16"
	}
	return "i32"
}

// a32Ranges spells a list of registers out: r4-r7 has four.
func a32Ranges(list string) string {
	return a32Range.ReplaceAllStringFunc(list, func(text string) string {
		from, to, _ := strings.Cut(strings.ReplaceAll(text, " ", ""), "-")
		a, _ := strconv.Atoi(from[1:])
		b, _ := strconv.Atoi(to[1:])
		var out []string
		for ; a <= b; a++ {
			out = append(out, from[:1]+strconv.Itoa(a))
		}
		return strings.Join(out, ", ")
	})
}

var a32Range = regexp.MustCompile(`\b[rsd]\d{1,2} ?- ?[rsd]\d{1,2}\b`)

// a32Registers lists the registers of operands: of two words by the first, which is written with the second.
func a32Registers(operands string) []string {
	var out []string
	for _, r := range a32Register.FindAllString(operands, -1) {
		if n, ok := a32Numbered[r]; ok {
			r = n
		}
		if words, n := a32Words(r); words > 1 {
			r = "s" + strconv.Itoa(n)
		}
		out = append(out, r)
	}
	return out
}

// a32Read leaves pc out, whose value is always there.
func a32Read(registers []string) []string {
	return slices.DeleteFunc(slices.Clone(registers), func(r string) bool { return r == "pc" })
}

// a32Words is how many single words a register has, and the number of the first.
func a32Words(r string) (words, first int) {
	n, err := strconv.Atoi(r[1:])
	switch {
	case err != nil:
		return 1, 0
	case r[0] == 'd':
		return 2, 2 * n
	case r[0] == 'q':
		return 4, 4 * n
	}
	return 1, n
}

// a32Whole adds, of the registers that are written, the words behind the first.
func a32Whole(gives []string, operands string) []string {
	whole := map[string]int{}
	for _, r := range a32Register.FindAllString(a32Ranges(operands), -1) {
		if words, n := a32Words(r); words > 1 {
			whole["s"+strconv.Itoa(n)] = words
		}
	}
	out := gives[:len(gives):len(gives)]
	for _, g := range gives {
		for k := 1; k < whole[g]; k++ {
			n, _ := strconv.Atoi(g[1:])
			out = append(out, "s"+strconv.Itoa(n+k))
		}
	}
	return out
}
