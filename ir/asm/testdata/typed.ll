; ModuleID = 'typed.c'
; What LLVM 14 prints: typed pointers, and syntax that C rarely leads to.
source_filename = "typed.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

module asm ".globl in_asm ; { not a body"
module asm "in_asm: ret"

%0 = type { i32, i8* }
%struct.node = type { i32, %struct.node*, [4 x { i8, double }] }
%"quoted type" = type <{ i8, i32 }>
%later = type opaque

$"a comdat" = comdat any
$pick = comdat any

@x = global i32 0, align 4
@"\01verbatim" = external global i32
@"with space" = internal constant [3 x i8] c"a\22;", align 1
@0 = private unnamed_addr constant [2 x i8] c"0\00"
@tls = thread_local(initialexec) global i64 0
@table = internal constant [2 x i8*] [i8* blockaddress(@computed, %one), i8* blockaddress(@computed, %two)]
@fnptr = global i32 (i8*, ...)* @printf
@alias = weak alias i32 (i32), i32 (i32)* @straight
@ifn = ifunc i32 (i32), i32 (i32)* ()* @resolver
@llvm.global_ctors = appending global [1 x { i32, void ()*, i8* }] [{ i32, void ()*, i8* } { i32 100, void ()* @ctor, i8* null }]

; Function Attrs: nounwind
define internal void @ctor() #0 section ".text.startup" {
  ret void
}

define i32 (i32)* @resolver() {
entry:
  ret i32 (i32)* @straight
}

define i32 @straight(i32 %0) local_unnamed_addr #0 {
  %2 = add nsw i32 %0, 1
  %3 = icmp slt i32 %2, 10
  br i1 %3, label %4, label %6

4:                                                ; preds = %1
  %5 = mul i32 %2, 3
  br label %6

6:                                                ; preds = %4, %1
  %7 = phi i32 [ %2, %1 ], [ %5, %4 ]
  ret i32 %7
}

define weak_odr dso_local hidden noundef signext i8 @"odd \22name\22"(i8* nocapture align 8 noalias %"the arg", ...) unnamed_addr #1 comdat($"a comdat") align 16 gc "shadow-stack" personality i32 (...)* @pers {
"first block":
  %p = alloca %struct.node, i32 2, align 8
  %q = getelementptr inbounds %struct.node, %struct.node* %p, i64 0, i32 2, i64 1, i32 1
  %r = load volatile double, double* %q, align 8
  %c = fcmp fast olt double %r, 0x7FF0000000000000
  %v = select i1 %c, <2 x i32> <i32 1, i32 undef>, <2 x i32> zeroinitializer
  %e = extractelement <2 x i32> %v, i32 0
  %i = insertelement <2 x i32> %v, i32 %e, i64 1
  %s = shufflevector <2 x i32> %v, <2 x i32> %i, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %x = cmpxchg weak volatile i32* @x, i32 0, i32 1 syncscope("singlethread") acq_rel monotonic, align 4
  %o = extractvalue { i32, i1 } %x, 1
  %n = atomicrmw volatile add i32* @x, i32 %e seq_cst, align 4
  fence acquire
  %w = invoke zeroext i8 bitcast (i8 (i32)* @callee to i8 (i8*)*)(i8* nonnull %"the arg") #1
          to label %"normal" unwind label %"un wind"

normal:                                           ; preds = %"first block"
  %a = va_arg i8* %"the arg", i32
  %z = tail call i32 (i8*, ...) @printf(i8* getelementptr inbounds ([3 x i8], [3 x i8]* @"with space", i64 0, i64 0), i32 %a, double 0x3FF0000000000000) #0 [ "deopt"(i32 %a, i64 7), "tag"() ]
  switch i32 %z, label %"last" [
    i32 -1, label %last
    i32 2147483647, label %"un reach"
  ], !prof !1

"un wind":                                        ; preds = %"first block"
  %lp = landingpad { i8*, i32 }
          cleanup
          catch i8* bitcast ({ i8*, i8* }* @ti to i8*)
          filter [1 x i8*] [i8* null]
  resume { i8*, i32 } %lp

last:
  ret i8 %w

"un reach":
  unreachable
}

define i32 @computed(i64 %n) {
entry:
  %slot = getelementptr [2 x i8*], [2 x i8*]* @table, i64 0, i64 %n
  %to = load i8*, i8** %slot
  indirectbr i8* %to, [label %one, label %two]

one:                                              ; preds = %entry
  callbr void asm sideeffect "jmp ${0:l} # { unbalanced", "X,~{flags}"(i8* blockaddress(@computed, %two))
          to label %three [label %two]

three:                                            ; preds = %one
  br label %two

two:                                              ; preds = %three, %one, %entry
  %k = phi i32 [ 1, %entry ], [ 2, %one ], [ 3, %three ]
  ret i32 %k
}

declare i32 @printf(i8* nocapture readonly, ...) #2
declare i32 @pers(...)
declare i8 @callee(i32)
@ti = external constant { i8*, i8* }
declare !dbg !3 void @with_dbg() #2

attributes #0 = { nounwind "frame-pointer"="all" }
attributes #1 = { noinline optnone uwtable }
attributes #2 = { "a{b"="c;d" }

!llvm.ident = !{!0}
!llvm.module.flags = !{}

!0 = !{!"clang version 14.0.6 \22quoted\22"}
!1 = !{!"branch_weights", i32 1, i32 2, i32 3}
!2 = !DIFile(filename: "typed.c", directory: "/src; x")
!3 = !DISubprogram(name: "with_dbg", scope: !2, file: !2, line: 3, spFlags: DISPFlagOptimized)
