; ModuleID = 'opaque.ll'
; What LLVM 16 to 22 print: opaque pointers, Windows exception handling,
; funclets, scalable vectors, names in quotes.
source_filename = "opaque.ll"
target triple = "x86_64-pc-windows-msvc"

%pair = type { i32, ptr addrspace(3) }

@g = addrspace(1) global i32 7
@table = private unnamed_addr constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @asm_goto to i64), i64 ptrtoint (ptr @g2 to i64)) to i32), i32 0], align 4
@g2 = global ptr getelementptr inbounds ({ [3 x ptr] }, ptr @vt, i32 0, i32 0, i32 2)
@vt = external constant { [3 x ptr] }

define <vscale x 4 x i32> @scalable(<vscale x 4 x i32> %a, ptr addrspace(3) %p, ptr noundef nonnull align 8 dereferenceable(16) %"arg two") #0 {
entry:
  %pos = freeze i32 poison
  %v = add <vscale x 4 x i32> %a, zeroinitializer
  %c = icmp ugt <vscale x 4 x i32> %v, %a
  %s = select <vscale x 4 x i1> %c, <vscale x 4 x i32> %v, <vscale x 4 x i32> %a
  %q = getelementptr inbounds %pair, ptr addrspace(3) %p, i64 1, i32 1
  %l = load ptr addrspace(3), ptr addrspace(3) %q, align 8
  %i = ptrtoint ptr addrspace(3) %l to i64
  %f = call fast noundef float @llvm.fabs.f32(float 0xC000000000000000)
  %t = musttail call <vscale x 4 x i32> @scalable(<vscale x 4 x i32> %s, ptr addrspace(3) %l, ptr noundef nonnull align 8 dereferenceable(16) %"arg two")
  ret <vscale x 4 x i32> %t
}

define linkonce_odr i32 @asm_goto(i32 %x) {
entry:
  %o = callbr i32 asm sideeffect "jmp ${1:l}", "=r,!i,!i,~{flags}"()
          to label %direct [label %a, label %b]

direct:                                           ; preds = %entry
  %cmp = icmp eq i32 %o, 0
  br i1 %cmp, label %a, label %b

a:                                                ; preds = %direct, %entry
  ret i32 1

b:                                                ; preds = %direct, %entry
  %r = call i32 asm "mov $1, $0", "=r,r"(i32 %x) #1
  ret i32 %r
}

declare void @may_throw(i32)
declare i32 @__CxxFrameHandler3(...)
declare float @llvm.fabs.f32(float) #1

attributes #0 = { vscale_range(1,16) "target-features"="+v" }
attributes #1 = { nounwind memory(none) }
