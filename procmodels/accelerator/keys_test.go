package accelerator

// This file holds that every key of accelerators is used.

import (
	"fmt"
	"strings"
	"testing"

	"pathspan/yamlstrict/keytest"
)

// nested is a loop around a loop, at a.c:2 and a.c:3, and one by itself at a.c:4.
const nested = `@a = global [64 x float] zeroinitializer
define void @f(i64 %n, float %x) !dbg !4 {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %k, %tail ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %next, %inner ]
  %s = phi float [ %x, %outer ], [ %t, %inner ]
  %p = getelementptr [64 x float], ptr @a, i64 0, i64 %i
  %v = load float, ptr %p
  %m = fmul float %v, %x
  %u = call float @sqrtf(float %m)
  %w = call float @cosf(float %u)
  %t = fadd float %s, %w
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %inner, label %tail, !dbg !7
tail:
  %z = fadd float %t, %x
  %z2 = fadd float %x, %x
  store float %z, ptr @a
  %k = add i64 %j, 1
  %d = icmp ult i64 %k, %n
  br i1 %d, label %outer, label %between, !dbg !6
between:
  br label %alone
alone:
  %h = phi i64 [ 0, %between ], [ %g, %alone ]
  %q = getelementptr [64 x float], ptr @a, i64 0, i64 %h
  %l = load float, ptr %q
  %r = getelementptr float, ptr %q, i64 70
  %l2 = load float, ptr %r
  %r2 = getelementptr float, ptr %q, i64 170
  %l3 = load float, ptr %r2
  %o = fadd float %l, %l2
  %o2 = fadd float %o, %l3
  store float %o2, ptr %q
  %g = add i64 %h, 1
  %e = icmp ult i64 %g, %n
  br i1 %e, label %alone, label %end, !dbg !8
end:
  ret void
}
declare float @sqrtf(float)
declare float @cosf(float)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !5)
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !{}
!6 = !DILocation(line: 2, column: 1, scope: !4)
!7 = !DILocation(line: 3, column: 1, scope: !4)
!8 = !DILocation(line: 4, column: 1, scope: !4)
`

func shows(t *testing.T, text string) string {
	m, err := fromText(t, text)
	if err != nil {
		return err.Error()
	}
	blocks, err := costsOf(m, nested)
	return fmt.Sprintf("%+v\n%+v\n%+v\n%v", m.Describe(), m.Loops(), blocks, err)
}

func TestKeysAreUsed(t *testing.T) {
	text := strings.Replace(small, "adder: 1", "adder: 4", 1) + `notes: made up
loops:
  a.c:4: {unroll: 8, partition: 1, takes: {LUT: {8: 40}}, shares: {DSP: {8: 8}}, try: {unroll: [8], partition: [1, 2]}}
capacity: {LUT: 100, DSP: 21}
`
	keytest.Check(t, []string{"read.go"}, text, shows, []keytest.Change{
		{Key: "schema", Old: "accelerator/1", New: "accelerator/2"}, {Key: "name", Old: "name: small", New: "name: other"}, {Key: "source", Old: "invented", New: "a book"},
		{Key: "notes", Old: "made up", New: "b"}, {Key: "clock_mhz", Old: "100\nunits", New: "101\nunits"}, {Key: "units", Old: "adder: 4}", New: "adder: 1}"},
		{Key: "unit", Old: "unit: adder, latency", New: "latency"}, {Key: "latency", Old: "latency: 4", New: "latency: 5"}, {Key: "every", Old: "every: 2", New: "every: 9"},
		{Key: "classes", Old: "load: {latency: 2}", New: "load: {latency: 3}"}, {Key: "opcodes", Old: "load: load", New: "load: mul"}, {Key: "calls", Old: "sqrtf: mul", New: "sqrt: mul"},
		{Key: "library", Old: "generic", New: "leon3"}, {Key: "capacity", Old: "LUT: 100", New: "LUT: 101"}, {Key: "loops", Old: "a.c:4", New: "a.c:3"},
		{Key: "ii", Old: "unroll: 8,", New: "unroll: 8, ii: 9,"}, {Key: "unroll", Old: "unroll: 8,", New: "unroll: 9,"}, {Key: "takes", Old: "LUT: {8: 40}", New: "LUT: {8: 41}"}, {Key: "shares", Old: "DSP: {8: 8}", New: "DSP: {8: 9}"},
		{Key: "banks", Old: "unroll: 8, p", New: "unroll: 8, banks: {BRAM: {1: 2}}, p"}, {Key: "try", Old: "try: {unroll: [8], partition: [1, 2]}", New: "try: {unroll: [8]}"},
		{Key: "pipeline", Old: "unroll: 8, partition: 1,", New: "pipeline: no,"}, {Key: "flatten", Old: "unroll: 8,", New: "unroll: 8, flatten: yes,"},
		{Key: "latency", Old: "unroll: 8,", New: "unroll: 8, latency: 99,"}, {Key: "extends", Old: "name: small", New: "name: small\nextends: nosuch"},
		{Key: "trips", Old: "notes: made up", New: "notes: made up\ntrips: 100"}, {Key: "functions", Old: "notes: made up", New: "notes: made up\nfunctions: {f: {latency: 3}}"},
		{Key: "sum", Old: "unroll: 8,", New: "unroll: 8, sum: tree,"}, {Key: "scan", Old: "unroll: 8,", New: "unroll: 8, scan: 64,"},
		{Key: "report", Old: "notes: made up", New: "notes: made up\nreport: small.xml"}, {Key: "report", Old: "notes: made up\nloops:", New: "notes: made up\nreport: small.xml\nloops:\n  a.c:3: {report: f/alone}"},
		{Key: "ports", Old: "ports: 2", New: "ports: 1"}, {Key: "partition", Old: "partition: 1,", New: "partition: 2,"},
	})
}
