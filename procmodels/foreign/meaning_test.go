package foreign

import (
	"debug/elf"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// said shows a meaning: what it is, what it reads (@ an address), what it writes.
func said(m meaning) string {
	reads := slices.Clone(m.uses)
	for _, a := range m.address {
		reads = append(reads, "@"+a)
	}
	out := []string{m.op, m.typ}
	if m.call != "" {
		out = append(out, m.call)
	}
	line := fmt.Sprintf("%s: %s -> %s", strings.Join(out, " "), strings.Join(reads, " "), strings.Join(m.gives, " "))
	if m.returns {
		line += " returns"
	}
	return line
}

// By the architectures' manuals: what an instruction reads, writes and is.
func TestMeaning(t *testing.T) {
	for _, of := range []struct {
		machine elf.Machine
		all     [][2]string
	}{
		{elf.EM_AARCH64, [][2]string{
			{"fmadd d0, d1, d2, d3", "call double llvm.fma.f64: v1 v2 v3 -> v0"},
			{"add x0, x1, w2, sxtw #3", "add i64: x1 x2 -> x0"},
			{"cmp w3, #4", "icmp i32: x3 -> flags"},
			{"subs xzr, x1, x2", "add i64: x1 x2 -> flags"},
			{"b.eq #0x400100", "br i1: flags -> "},
			{"tbnz w5, #3, #0x400100", "br i1: x5 -> "},
			{"bl #0x400100", "br void:  -> "},
			{"ret", "ret void:  ->  returns"},
			{"ldp x19, x20, [sp, #0x10]", "load { i64, i64 }: @sp -> x19 x20"},
			{"stp x29, x30, [sp, #-0x20]!", "store { i64, i64 }: x29 x30 @sp -> sp"},
			{"ldr d0, [x1, x2, lsl #3]", "load double: @x1 @x2 -> v0"},
			{"ldrb w3, [x4], #1", "load i8: @x4 -> x3 x4"},
			{"movk x1, #5, lsl #16", "add i64: x1 -> x1"},
			{"csel w0, w1, w2, ne", "select i32: x1 x2 flags -> x0"},
			{"fcmpe d1, d2", "fcmp double: v1 v2 -> flags"},
			{"fcvtzs w0, d1", "fptosi double: v1 -> x0"},
			{"fdiv s0, s1, s2", "fdiv float: v1 v2 -> v0"},
			{"fsqrt s0, s1", "call float llvm.sqrt.f32: v1 -> v0"},
			{"umulh x0, x1, x2", "mul i64: x1 x2 -> x0"},
			{"cmeq v0.16b, v1.16b, #0", "shufflevector <2 x double>: v1 -> v0"},
			{"nop", "add i64:  -> "},
		}},
		{elf.EM_RISCV, [][2]string{
			{"addi sp,sp,-48", "add i64: sp -> sp"},
			{"addi a0,zero,3", "add i64:  -> a0"},
			{"add zero,a1,a2", "add i64: a1 a2 -> "},
			{"addw a0,s10,t6", "add i32: s10 t6 -> a0"},
			{"sd ra,40(sp)", "store i64: ra @sp -> "},
			{"sb zero,0(a5)", "store i8: @a5 -> "},
			{"ld ra,40(sp)", "load i64: @sp -> ra"},
			{"lbu a4,1(a1)", "load i8: @a1 -> a4"},
			{"fld fa5,-8(a3)", "load double: @a3 -> fa5"},
			{"fsw fs11,0(t0)", "store float: fs11 @t0 -> "},
			{"beqz a0,16 # 0x10e76", "br i1: a0 -> "},
			{"bgtu a2,a3,-20 # 0x10e76", "br i1: a2 a3 -> "},
			{"jal ra,1988 # 0x10e76", "br void:  -> "},
			{"jalr ra,a5,0", "indirectbr ptr: ra a5 -> "},
			{"ret", "ret void:  ->  returns"},
			{"divuw a0,a1,a2", "udiv i32: a1 a2 -> a0"},
			{"rem a0,a1,a2", "sdiv i64: a1 a2 -> a0"},
			{"mulhu a0,a1,a2", "mul i64: a1 a2 -> a0"},
			{"fmadd.d fa0,fa1,fa2,fa3", "call double llvm.fma.f64: fa1 fa2 fa3 -> fa0"},
			{"fsqrt.s rne,fa0,fa1", "call float llvm.sqrt.f32: fa1 -> fa0"},
			{"fcvt.d.w rne,fa0,s0", "sitofp double: s0 -> fa0"},
			{"fcvt.lu.d rtz,a0,fa5", "fptosi double: fa5 -> a0"},
			{"fcvt.s.d dyn,fa0,fa5", "fpext float: fa5 -> fa0"},
			{"fmv.x.d a2,fa0", "fneg double: fa0 -> a2"},
			{"fle.d a5,fa0,ft11", "fcmp double: fa0 ft11 -> a5"},
			{"lr.w.aq a5,(a4)", "load i64: @a4 -> a5"},
			{"amoswap.w a5,a3,(a4)", "load i64: a3 @a4 -> a5"},
			{"sc.w a5,a3,(a4)", "store i64: a3 @a4 -> a5"},
			{"frrm a5", "add i64:  -> a5"},
		}},
		{elf.EM_ARM, [][2]string{
			{"add r2, pc", "add i32: r2 -> r2"},
			{"adds r3, #1", "add i32: r3 -> r3 flags"},
			{"addne.w r1, r2, r3, lsl #2", "add i32: r2 r3 r1 flags -> r1"},
			{"subshs r2, r2, #0x10", "add i32: r2 r2 flags flags -> r2 flags"},
			{"cmp sb, #4", "icmp i32: r9 -> flags"},
			{"mls r0, r1, r2, r3", "mul i32: r1 r2 r3 -> r0"},
			{"muls r0, r1, r0", "mul i32: r1 r0 -> r0 flags"},
			{"umull r2, r3, r0, r1", "mul i32: r0 r1 -> r2 r3"},
			{"umlal r2, r3, r0, r1", "mul i32: r0 r1 r2 r3 -> r2 r3"},
			{"movt r3, #5", "add i32: r3 -> r3"},
			{"mvnls r3, r4", "add i32: r4 r3 flags -> r3"},
			{"adcs r1, r1, r2", "add i32: r1 r2 flags -> r1 flags"},
			{"bls #0x10", "br i1: flags -> "},
			{"bl #0x10", "br void:  -> "},
			{"blx r3", "indirectbr ptr: r3 -> "},
			{"bxeq lr", "br i1: lr flags ->  returns"},
			{"bx lr", "ret void: lr ->  returns"},
			{"bx ip", "indirectbr ptr: r12 -> "},
			{"mov pc, lr", "ret void: lr ->  returns"},
			{"addls pc, pc, r0, lsl #2", "br i1: r0 flags -> "},
			{"push {r4, r5, lr}", "store { i32, i32 }: r4 r5 @sp -> ; store i32: lr @sp -> sp"},
			{"pop {r4, pc}", "load { i32, i32 }: @sp -> r4 sp jump; ret void: jump ->  returns"},
			{"ldr pc, [sp], #4", "load i32: @sp -> sp jump; ret void: jump ->  returns"},
			{"ldr pc, [r3, r2, lsl #2]", "load i32: @r3 @r2 -> jump; indirectbr ptr: jump -> "},
			{"ldm.w r7!, {r0, r1, r2, r3}", "load { i32, i32 }: @r7 -> r0 r1; load { i32, i32 }: @r7 -> r2 r3 r7"},
			{"stmhs r3!, {r1, ip}", "store { i32, i32 }: r1 r12 r3 flags @r3 -> r3"},
			{"ldrd r0, r3, [r6, #0x38]", "load { i32, i32 }: @r6 -> r0 r3"},
			{"ldr.w r2, [pc, #0x444]", "load i32:  -> r2"},
			{"ldrbne r0, [r1, #-1]!", "load i8: r0 r1 flags @r1 -> r0 r1"},
			{"strex r0, r1, [r2]", "store i32: r1 @r2 -> r0"},
			{"tbb [pc, r3]", "load i8: @r3 -> jump; indirectbr ptr: jump -> "},
			{"vldr d1, [pc, #0x29c]", "load double:  -> s2 s3"},
			{"vpush {d8, d9}", "store { double, double }: s16 s18 @sp -> sp"},
			{"vld1.8 {d0}, [r1]!", "load double: @r1 -> s0 s1 r1"},
			{"vadd.f64 d0, d1, d2", "fadd double: s2 s4 -> s0 s1"},
			{"vmla.f32 s0, s14, s15", "fmul float: s14 s15 s0 -> s0"},
			{"vcvt.f64.s32 d0, s0", "sitofp double: s0 -> s0 s1"},
			{"vcvt.s32.f64 s0, d7", "fptosi double: s14 -> s0"},
			{"vcmpe.f64 d6, d7", "fcmp double: s14 s12 s13 -> fpscr"},
			{"vmrs apsr_nzcv, fpscr", "freeze i32: fpscr -> flags"},
			{"vmov r2, r3, d0", "fneg float: s0 -> r2 r3"},
			{"vsqrt.f32 s0, s1", "call float llvm.sqrt.f32: s1 -> s0"},
			{"vmov.i32 q8, #0", "shufflevector <2 x double>:  -> s32 s33 s34 s35"},
			{"mrc p15, #0, r0, c13, c0, #3", "add i32:  -> r0"},
		}},
	} {
		for _, c := range of.all {
			var got []string
			for _, m := range machines[of.machine].mean(c[0]) {
				got = append(got, said(m))
			}
			if got := strings.Join(got, "; "); got != c[1] {
				t.Errorf("%s: %s: %s, want %s", machines[of.machine].name, c[0], got, c[1])
			}
		}
	}
}
