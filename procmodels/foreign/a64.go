package foreign

// This file says what an instruction of AArch64 is among LLVM's (Arm ARM, DDI 0487, section C).

import (
	"regexp"
	"strings"
)

var (
	register  = regexp.MustCompile(`\b([bhsdqvwx])(\d{1,2})\b|\bsp\b|\bwsp\b`)
	typeOf    = map[byte]string{'w': "i32", 'x': "i64", 'b': "i8", 'h': "half", 's': "float", 'd': "double", 'q': vector, 'v': vector}
	multiples = words("mul madd msub mneg smull umull smaddl umaddl smsubl umsubl smnegl umnegl smulh umulh")
	compares  = words("cmp cmn tst ccmp ccmn fcmp fcmpe fccmp fccmpe")
	selects   = words("csel csinc csinv csneg cset csetm cinc cinv cneg fcsel")
	setFlags  = words("adds subs ands bics negs adcs sbcs ngcs")
	readFlags = words("adc adcs sbc sbcs ngc ngcs ccmp ccmn fccmp fccmpe")
	// keepsSome leave a part of what they write as it was.
	keepsSome = words("movk bfi bfxil bfc bif bit bsl fmla fmls mla mls ins")
	fused     = words("fmadd fmsub fnmadd fnmsub fmla fmls")
)

// meanA64 reads an instruction, such as "ldr x1, [sp, #8]".
func meanA64(text string) meaning {
	name, operands, _ := strings.Cut(text, " ")
	switch {
	case name == "ret":
		return meaning{op: "ret", typ: "void", returns: true}
	case name == "b" || name == "bl":
		return meaning{op: "br", typ: "void"}
	case name == "br" || name == "blr":
		return meaning{op: "indirectbr", typ: "ptr", uses: registers(operands)}
	case isConditional(name):
		if strings.HasPrefix(name, "b.") {
			return meaning{op: "br", typ: "i1", uses: []string{flags}}
		}
		return meaning{op: "br", typ: "i1", uses: registers(operands)}
	case strings.HasPrefix(name, "ld") || strings.HasPrefix(name, "st") || name == "prfm":
		return access(name, operands)
	}
	all := registers(operands)
	m := meaning{op: "add", typ: typeOfFirst(operands)}
	switch {
	case compares[name]:
		m.op, m.uses, m.gives = "icmp", all, []string{flags}
	case len(all) > 0 && name != "msr":
		// What is written stands first, and need not be read: xzr is no register.
		m.gives, m.uses = all[:1], all[1:]
		if first, _, _ := strings.Cut(operands, ","); first == "xzr" || first == "wzr" {
			m.gives, m.uses = nil, all
		}
		if keepsSome[name] || strings.Contains(operands, "[") && m.typ == vector { // an element
			m.uses = append(m.uses, m.gives...)
		}
	default:
		m.uses = all
	}
	if setFlags[name] {
		m.gives = with(m.gives, flags)
	}
	if selects[name] || readFlags[name] {
		m.uses = with(m.uses, flags)
	}
	switch {
	case selects[name]:
		m.op = "select"
	case multiples[name]:
		m.op = "mul"
	case name == "sdiv" || name == "udiv":
		m.op = name
	case fused[name]:
		m.calls("fma")
	case name == "fsqrt":
		m.calls("sqrt")
	case name == "scvtf":
		m.op = "sitofp"
	case name == "ucvtf":
		m.op = "uitofp"
	case strings.HasPrefix(name, "f"):
		m.op = floating(name)
		if !strings.ContainsAny(m.typ, "fhd") { // to an integer
			m.typ = "double"
		}
	case strings.Contains(operands, "v"):
		m.op = "shufflevector"
	}
	return m
}

func floating(name string) string {
	switch name {
	case "fadd", "fsub", "fmul", "fdiv":
		return name
	case "fnmul":
		return "fmul"
	case "fcmp", "fcmpe", "fccmp", "fccmpe":
		return "fcmp"
	case "fcvt":
		return "fpext"
	}
	if strings.HasPrefix(name, "fcvt") || strings.HasPrefix(name, "frint") {
		return "fptosi"
	}
	if strings.HasPrefix(name, "fmax") || strings.HasPrefix(name, "fmin") || strings.HasPrefix(name, "fcm") {
		return "fcmp"
	}
	return "fneg" // fabs, fmov, fneg
}

func isConditional(name string) bool {
	return strings.HasPrefix(name, "b.") || name == "cbz" || name == "cbnz" || name == "tbz" || name == "tbnz"
}

// access reads a load or a store; of two registers it is of a struct of two.
func access(name, operands string) meaning {
	values, address, _ := strings.Cut(operands, "[")
	m := meaning{op: "load", typ: typeOfFirst(values), address: registers(address)}
	data := registers(values)
	if strings.HasSuffix(name, "b") {
		m.typ = "i8"
	} else if strings.HasSuffix(name, "h") {
		m.typ = "i16"
	}
	if strings.HasPrefix(name, "ldp") || strings.HasPrefix(name, "stp") || strings.HasPrefix(name, "ldnp") || strings.HasPrefix(name, "stnp") {
		m.typ = "{ " + m.typ + ", " + m.typ + " }"
	}
	if strings.HasPrefix(name, "st") {
		m.op, m.uses = "store", data
	} else if name != "prfm" {
		m.gives = data
	}
	if _, behind, _ := strings.Cut(address, "]"); behind != "" && len(m.address) > 0 {
		m.gives = with(m.gives, m.address[0]) // it moves on
	}
	return m
}

func typeOfFirst(operands string) string {
	r := register.FindStringSubmatch(operands)
	if r == nil || r[1] == "" {
		return "i64"
	}
	return typeOf[r[1][0]]
}

// registers lists the registers of operands: x5 for w5 as well, v5 for all of its sizes.
func registers(operands string) []string {
	var out []string
	for _, r := range register.FindAllStringSubmatch(operands, -1) {
		switch {
		case r[1] == "":
			out = append(out, "sp")
		case r[1] == "w" || r[1] == "x":
			out = append(out, "x"+r[2])
		default:
			out = append(out, "v"+r[2])
		}
	}
	return out
}
