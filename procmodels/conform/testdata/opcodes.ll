; Instructions that compilers write rarely, for the conformance kit; written by hand.
source_filename = "opcodes.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @memory(ptr %p, i32 %x) {
entry:
  %slot = alloca [16 x i32], align 16
  %old = atomicrmw add ptr %p, i32 %x seq_cst
  fence seq_cst
  %pair = cmpxchg ptr %p, i32 %x, i32 1 acq_rel monotonic
  %value = extractvalue { i32, i1 } %pair, 0
  %frozen = freeze i32 %value
  %where = getelementptr [16 x i32], ptr %slot, i64 0, i32 %frozen
  store atomic i32 %old, ptr %where release, align 4
  %sum = add i32 %frozen, %old
  ret i32 %sum
}

define i64 @jumps(i64 %x, ptr %to) {
entry:
  switch i64 %x, label %other [
    i64 0, label %zero
    i64 1, label %other
  ]

zero:
  indirectbr ptr %to, [label %other, label %never]

other:
  %v = phi i64 [ %x, %entry ], [ %x, %entry ], [ 7, %zero ]
  %bits = call i64 @llvm.ctpop.i64(i64 %v)
  %swapped = call i64 @llvm.bswap.i64(i64 %bits)
  ret i64 %swapped

never:
  unreachable
}

define <4 x i32> @vectors(<4 x i32> %a, <4 x i32> %b, i32 %i) {
entry:
  %x = insertelement <4 x i32> %a, i32 %i, i32 %i
  %y = shufflevector <4 x i32> %x, <4 x i32> %b, <4 x i32> <i32 7, i32 0, i32 5, i32 2>
  %less = icmp slt <4 x i32> %y, %b
  %z = select <4 x i1> %less, <4 x i32> %y, <4 x i32> %b
  %e = extractelement <4 x i32> %z, i32 2
  %w = insertelement <4 x i32> %z, i32 %e, i32 0
  ret <4 x i32> %w
}

define double @floats(double %x, float %y, half %h) {
entry:
  %n = fneg double %x
  %r = frem float %y, 2.0
  %e = fpext float %r to double
  %w = fpext half %h to double
  %o = fcmp uno double %n, %e
  %s = select i1 %o, double %w, double %e
  %i = fptoui double %s to i64
  %f = uitofp i64 %i to double
  ret double %f
}

declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.bswap.i64(i64)
