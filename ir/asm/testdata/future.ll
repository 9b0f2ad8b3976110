; Syntax that no LLVM has: it must be carried along.
source_filename = "future.ll"
target endianness = "mixed"
@x = global i32 0
capability { shiny, "unbalanced in string {" }
^0 = module: (path: "a.o", hash: (1, 2, 3))
define i32 @f(i32 %a, shiny<3> %b) newattr(3) {
entry:
  %n = teleport i32 %a, ptr @x, label %there unless %a !weird
    #dbg_newthing(ptr %n, !1, !{!2}, !3)
  %m = add shiny i32 %n, 1 @@ ??
  br i1 %m, label %there, label %here

here:                                             ; preds = %entry
  call shinycc(9) i32 @g(shiny i32 %a) { with: braces } !x
  switch i32 %a, label %there [
    i32 1, label %here
  ]

there: ; preds = a comment with "a quote
  %open = strange ( [ {
  ret i32 %a
}
define nothing at all
quantum @y = superposition [ 1, 2
!0 = !{!0}
!1 = !DINewNode(a: !0, b: "c(", d: {e, f})
