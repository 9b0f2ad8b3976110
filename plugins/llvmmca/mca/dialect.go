package mca

// This file knows how the assembly of each architecture spells jumps, calls and comments.

import (
	"fmt"
	"regexp"
	"strings"
)

// flow says what an instruction does to control.
type flow uint8

const (
	plain    flow = iota
	branch        // may go to a label, or on
	jump          // goes to a label
	leave         // goes to a place that the text does not show, or nowhere: ret, br x8, trap
	call          // calls and comes back
	tailCall      // jumps to another function
)

// dialect is the assembly of one architecture.
type dialect struct {
	name    string // of the architecture
	comment string
	// classify tells what an instruction does and the symbol it goes to, "" when none.
	classify func(mnemonic, operands string) (flow, string)
	// asJump spells a call as the jump that it is, without the return address.
	asJump func(mnemonic, operands string) string
}

// dialectOf returns the dialect of a triple's architecture.
func dialectOf(triple string) (*dialect, error) {
	arch, _, _ := strings.Cut(triple, "-")
	switch {
	case arch == "x86_64" || arch == "amd64" || regexp.MustCompile(`^i[3-6]86$`).MatchString(arch):
		return &dialect{"x86-64", "#", classifyX86, jumpX86}, nil
	case strings.HasPrefix(arch, "aarch64") || strings.HasPrefix(arch, "arm64"):
		return &dialect{"AArch64", "//", classifyAArch64, jumpAArch64}, nil
	case strings.HasPrefix(arch, "arm") || strings.HasPrefix(arch, "thumb"):
		return &dialect{"ARM", "@", classifyARM, jumpARM}, nil
	case strings.HasPrefix(arch, "riscv"):
		return &dialect{"RISC-V", "#", classifyRISCV, jumpRISCV}, nil
	}
	return nil, fmt.Errorf("triple=%s: the model reads the assembly of x86-64, AArch64, ARM, Thumb and RISC-V only", triple)
}

// onLocal takes a jump to a symbol for a tail call unless the symbol is a block.
func onLocal(f flow, symbol string) (flow, string) {
	switch {
	case strings.HasPrefix(symbol, ".L"):
		return f, symbol
	case f == jump:
		return tailCall, symbol
	}
	return branch, symbol // a conditional tail call
}

// last returns the last operand, where branches have their target.
func last(operands string) string {
	return strings.TrimSpace(operands[strings.LastIndexByte(operands, ',')+1:])
}

func classifyX86(m, ops string) (flow, string) {
	symbol := strings.TrimSuffix(ops, "@PLT")
	if strings.HasPrefix(ops, "*") {
		symbol = ""
	}
	switch {
	case strings.HasPrefix(m, "call"):
		return call, symbol
	case strings.HasPrefix(m, "jmp") && symbol == "":
		return leave, ""
	case strings.HasPrefix(m, "jmp"):
		return onLocal(jump, symbol)
	case m[0] == 'j':
		return onLocal(branch, symbol)
	case strings.HasPrefix(m, "ret"), m == "ud2", m == "int3", m == "hlt":
		return leave, ""
	}
	return plain, ""
}

func jumpX86(m, ops string) string {
	if strings.HasPrefix(ops, "*") {
		return "\tjmpq\t" + ops
	}
	return "\tjmp\t.L"
}

func classifyAArch64(m, ops string) (flow, string) {
	switch {
	case m == "bl":
		return call, ops
	case strings.HasPrefix(m, "blr"):
		return call, ""
	case m == "b":
		return onLocal(jump, ops)
	case strings.HasPrefix(m, "b."), strings.HasPrefix(m, "bc."), m == "cbz", m == "cbnz", m == "tbz", m == "tbnz":
		return onLocal(branch, last(ops))
	case m == "br", strings.HasPrefix(m, "bra"), strings.HasPrefix(m, "ret"), m == "brk", m == "udf":
		return leave, ""
	}
	return plain, ""
}

func jumpAArch64(m, ops string) string {
	if m == "bl" {
		return "\tb\t.L"
	}
	return "\tbr\t" + ops
}

const conditions = `(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al)?`

var (
	armBranch = regexp.MustCompile(`^b` + conditions + `(\.[wn])?$`)
	armCall   = regexp.MustCompile(`^blx?` + conditions + `(\.[wn])?$`)
	armReturn = regexp.MustCompile(`^(bx` + conditions + `|tbb|tbh|udf(\.w)?|trap|bkpt)$`)
	writesPC  = regexp.MustCompile(`^(pop|ldm|mov|ldr)`)
	toPC      = regexp.MustCompile(`[{ ,]pc}|^pc,`)
)

func classifyARM(m, ops string) (flow, string) {
	switch {
	case m == "bls" || m == "ble" || m == "blt" || m == "blo" || m == "bls.w" || m == "ble.w" || m == "blt.w" || m == "blo.w":
		return onLocal(branch, ops) // conditions that look like bl with one
	case armCall.MatchString(m):
		if strings.HasPrefix(m, "blx") && !strings.ContainsAny(ops, "_.") && isARMRegister(ops) {
			return call, ""
		}
		return call, strings.TrimSuffix(ops, "(PLT)")
	case m == "b" || m == "b.w" || m == "b.n":
		return onLocal(jump, strings.TrimSuffix(ops, "(PLT)"))
	case armBranch.MatchString(m), m == "cbz", m == "cbnz":
		return onLocal(branch, last(ops))
	case m == "bx" || armReturn.MatchString(m) && !strings.HasPrefix(m, "bx"):
		return leave, ""
	case writesPC.MatchString(m) && toPC.MatchString(ops) && !conditional(m):
		return leave, ""
	}
	return plain, "" // a conditional return among them: control may go on
}

var conditional = regexp.MustCompile(`^(pop|ldm|mov|ldr)(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)`).MatchString

func isARMRegister(s string) bool {
	return regexp.MustCompile(`^(r\d+|lr|ip|sp)$`).MatchString(s)
}

func jumpARM(m, ops string) string {
	if strings.HasPrefix(m, "blx") && isARMRegister(ops) {
		return "\tb" + m[2:] + "\t" + ops
	}
	return "\tb" + strings.TrimPrefix(strings.TrimPrefix(m, "bl"), "x") + "\t.L"
}

func classifyRISCV(m, ops string) (flow, string) {
	symbol := strings.TrimSuffix(ops, "@plt")
	switch {
	case m == "call" || m == "jal" && !strings.Contains(ops, ","):
		return call, symbol
	case m == "jalr":
		return call, ""
	case m == "tail":
		return tailCall, symbol
	case m == "j":
		return onLocal(jump, symbol)
	case m == "jr", m == "ret", m == "unimp", m == "ebreak", m == "mret":
		return leave, ""
	case m[0] == 'b' && strings.Contains(last(ops), ".L"):
		return branch, last(ops)
	}
	return plain, ""
}

func jumpRISCV(m, ops string) string {
	if m == "jalr" {
		return "\tjr\t" + last(ops)
	}
	return "\tj\t.L" // as linkers relax it
}
