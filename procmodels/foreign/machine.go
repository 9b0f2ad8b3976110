package foreign

// This file says what machines there are, and what tells of them in executables and logs.

import (
	"debug/elf"
	"maps"
	"slices"
	"strings"
)

// machine is a kind of processor whose code is read.
type machine struct {
	name string // as messages call it
	// mean reads an instruction as the emulator writes it: what it is among LLVM's, in several
	// where it accesses more than two registers.
	mean func(text string) []meaning
	// branches are the relocations of branches to symbols.
	branches map[uint32]bool
	// apart is how far behind the place of such a relocation the branch may lie, in bytes: RISC-V's
	// is of two instructions, unless the linker made one of them.
	apart uint64
	// odd says that addresses of functions are odd where their code is of another encoding.
	odd bool
}

var machines = map[elf.Machine]*machine{
	elf.EM_AARCH64: {name: "AArch64", mean: func(text string) []meaning { return []meaning{meanA64(text)} },
		branches: set(uint32(elf.R_AARCH64_CALL26), uint32(elf.R_AARCH64_JUMP26))},
	elf.EM_ARM: {name: "ARM", mean: meanA32, odd: true,
		branches: set(uint32(elf.R_ARM_CALL), uint32(elf.R_ARM_JUMP24), uint32(elf.R_ARM_PLT32), uint32(elf.R_ARM_THM_PC22), uint32(elf.R_ARM_THM_JUMP24))},
	elf.EM_RISCV: {name: "RISC-V", mean: func(text string) []meaning { return []meaning{meanRV(text)} }, apart: 4,
		branches: set(uint32(elf.R_RISCV_CALL), uint32(elf.R_RISCV_CALL_PLT), uint32(elf.R_RISCV_JAL), uint32(elf.R_RISCV_RVC_JUMP))},
}

// Reads tells whether programs of a triple's machine are read.
func Reads(triple string) bool {
	arch, _, _ := strings.Cut(triple, "-")
	return arch == "aarch64" || arch == "riscv64" || strings.HasPrefix(arch, "arm") || strings.HasPrefix(arch, "thumb")
}

// Machines lists what is read, for people.
func Machines() string {
	var names []string
	for _, m := range machines {
		names = append(names, m.name)
	}
	slices.Sort(names)
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func set[K comparable](all ...K) map[K]bool {
	return maps.Collect(func(yield func(K, bool) bool) {
		for _, k := range all {
			if !yield(k, true) {
				return
			}
		}
	})
}

// returns tells whether an instruction leads back to who called.
func (m *machine) returns(text string) bool {
	all := m.mean(text)
	return all[len(all)-1].returns
}

// meaning is an instruction as LLVM would have it, and the registers that it takes and gives.
type meaning struct {
	op, typ string
	call    string // intrinsic that it is, for op "call"
	uses    []string
	address []string // of uses, those that are an address: they come behind stored values
	gives   []string
	returns bool // to who called, if it branches
}

// calls makes it an intrinsic of a floating-point type.
func (m *meaning) calls(name string) {
	suffix := map[string]string{"float": ".f32", "half": ".f16"}[m.typ]
	if suffix == "" {
		suffix = ".f64"
	}
	m.op, m.call = "call", "llvm."+name+suffix
}

// conversion is the opcode of one to or from floating point.
func conversion(to, from, unsigned bool) string {
	switch {
	case to && from:
		return "fpext"
	case to && unsigned:
		return "uitofp"
	case to:
		return "sitofp"
	}
	return "fptosi"
}

const flags = "flags"

const vector = "<2 x double>"

// with is a list and more behind it, which others that share it do not see.
func with(list []string, more ...string) []string { return append(slices.Clip(list), more...) }

func words(list string) map[string]bool { return set(strings.Fields(list)...) }
