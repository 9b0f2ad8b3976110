package foreign

// This file says what an instruction of RISC-V is among LLVM's (The RISC-V Instruction Set Manual,
// volume I; names of pseudoinstructions as QEMU has them).

import (
	"regexp"
	"strings"
)

var (
	rvRegister = regexp.MustCompile(`\b(?:ra|sp|gp|tp|s\d{1,2}|[at]\d|f[ast]\d{1,2})\b`)
	rvCompare  = words("beq bne blt bge bltu bgeu bgt ble bgtu bleu beqz bnez blez bgez bltz bgtz")
	rvLoads    = map[string]string{"lb": "i8", "lbu": "i8", "lh": "i16", "lhu": "i16", "lw": "i32", "lwu": "i32", "ld": "i64", "flw": "float", "fld": "double"}
	rvStores   = map[string]string{"sb": "i8", "sh": "i16", "sw": "i32", "sd": "i64", "fsw": "float", "fsd": "double"}
)

// meanRV reads an instruction, such as "ld ra,40(sp)".
func meanRV(text string) meaning {
	text, _, _ = strings.Cut(text, "#") // where it leads
	full, operands, _ := strings.Cut(strings.TrimSpace(text), " ")
	all := rvRegister.FindAllString(operands, -1)
	name, suffix, _ := strings.Cut(full, ".")
	switch {
	case full == "ret":
		return meaning{op: "ret", typ: "void", returns: true}
	case full == "j", full == "jal":
		return meaning{op: "br", typ: "void"}
	case full == "jr", full == "jalr":
		return meaning{op: "indirectbr", typ: "ptr", uses: all}
	case rvCompare[full]:
		return meaning{op: "br", typ: "i1", uses: all}
	case rvStores[full] != "" && len(all) > 0:
		return meaning{op: "store", typ: rvStores[full], uses: rvValue(operands), address: all[len(all)-1:]}
	case rvLoads[full] != "" && len(all) > 0:
		return meaning{op: "load", typ: rvLoads[full], gives: rvValue(operands), address: all[len(all)-1:]}
	case name == "lr" || name == "sc" || strings.HasPrefix(name, "amo"):
		// As an access of what its last operand points to.
		m := meaning{op: "load", typ: "i64", gives: rvValue(operands)}
		if m.uses = all[len(m.gives):]; name == "sc" {
			m.op = "store"
		}
		if n := len(m.uses) - 1; n >= 0 {
			m.uses, m.address = m.uses[:n], m.uses[n:]
		}
		return m
	}
	m := meaning{op: "add", typ: "i64"}
	if strings.HasSuffix(name, "w") {
		m.typ = "i32"
	}
	m.gives = rvValue(operands)
	m.uses = all[len(m.gives):]
	switch {
	case strings.HasPrefix(name, "mul"):
		m.op = "mul"
	case strings.HasPrefix(name, "div"), strings.HasPrefix(name, "rem"): // of LLVM's, a remainder may be two instructions
		m.op = map[bool]string{true: "udiv", false: "sdiv"}[strings.Contains(name[3:], "u")]
	case name == "fence" || name == "ecall":
		m.uses, m.gives = nil, nil
	case strings.HasPrefix(name, "f") && suffix != "": // fcsr's are moves of integers
		m.rvFloat(name, suffix)
	}
	return m
}

// rvFloat says what floating point does: fadd.d, fcvt.d.w, fmv.x.d.
func (m *meaning) rvFloat(name, suffix string) {
	types := map[byte]string{'s': "float", 'd': "double"}
	last := suffix[strings.LastIndexByte(suffix, '.')+1:]
	m.typ = types[suffix[0]]
	if m.typ == "" { // to an integer
		m.typ = types[last[0]]
	}
	if m.typ == "" {
		m.typ = "double"
	}
	switch name {
	case "fadd", "fsub", "fmul", "fdiv":
		m.op = name
	case "fmadd", "fmsub", "fnmadd", "fnmsub":
		m.calls("fma")
	case "fsqrt":
		m.calls("sqrt")
	case "fcvt":
		m.op = conversion(types[suffix[0]] != "", types[last[0]] != "", strings.HasSuffix(last, "u"))
	case "feq", "flt", "fle", "fmin", "fmax", "fclass":
		m.op = "fcmp"
	default: // fsgnj, fmv, fabs, fneg
		m.op = "fneg"
	}
}

// rvValue is the register that stands first, if one does: zero is none, and conversions may have how they round before it.
func rvValue(operands string) []string {
	for first := range strings.SplitSeq(operands, ",") {
		switch first {
		case "rne", "rtz", "rdn", "rup", "rmm", "dyn":
			continue
		}
		if at := rvRegister.FindString(first); at != "" && at == first {
			return []string{at}
		}
		return nil
	}
	return nil
}
