; Types that few programs use, for the conformance kit; written by hand.
source_filename = "types.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%record = type { i32, { i8, [4 x { double, ptr }] } }
%"odd name" = type <{ i8, i32 }>
%nothing = type {}

define void @integers(ptr %p, ptr %q) {
entry:
  %a = load i4096, ptr %p, align 8
  %b = load i4096, ptr %q, align 8
  %c = add i4096 %a, %b
  %d = xor i4096 %c, -1
  store i4096 %d, ptr %p, align 8
  %s = load i7, ptr %q, align 1
  %t = zext i7 %s to i129
  store i129 %t, ptr %q, align 8
  ret void
}

define <4 x float> @vectors(<4 x float> %a, <3 x i1> %b, ptr %p) {
entry:
  %w = load <32 x i64>, ptr %p, align 8
  %x = mul <32 x i64> %w, %w
  store <32 x i64> %x, ptr %p, align 8
  %y = fmul <4 x float> %a, %a
  %z = zext <3 x i1> %b to <3 x i32>
  store <3 x i32> %z, ptr %p, align 4
  ret <4 x float> %y
}

define i8 @aggregates(ptr %p, i64 %i) {
entry:
  %big = alloca [1000000 x i8], align 1
  %none = alloca %nothing, align 8
  %field = getelementptr %record, ptr %p, i64 %i, i32 1, i32 1, i64 2
  %pair = load { double, ptr }, ptr %field, align 8
  %first = extractvalue { double, ptr } %pair, 0
  store double %first, ptr %p, align 8
  %odd = getelementptr %"odd name", ptr %p, i64 %i, i32 1
  store i32 0, ptr %odd, align 1
  %at = getelementptr [1000000 x i8], ptr %big, i64 0, i64 %i
  %v = load i8, ptr %at, align 1
  ret i8 %v
}

define fp128 @floats(x86_fp80 %a, fp128 %b) {
entry:
  %c = fadd x86_fp80 %a, %a
  %d = fpext x86_fp80 %c to fp128
  %e = fmul fp128 %d, %b
  ret fp128 %e
}
