; Names that object files allow, for the conformance kit; written by hand.
source_filename = "names \22quoted\22.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @"quo\22te"(i32 %"a b") {
"the entry, first":
  %"x y" = add i32 %"a b", 1
  br label %"q\22"

"q\22":
  ret i32 %"x y"
}

define i32 @"\C3\BCn\C3\AFc\C3\B6d\C3\A9"(i32 %x) {
entry:
  %y = call i32 @"quo\22te"(i32 %x)
  br label %"b:c;d"

"b:c;d":
  %z = mul i32 %y, 3
  ret i32 %z
}

define void @"$dollar.dot-dash"() {
.entry-1:
  br label %"12"

"12":
  br label %$x

$x:
  ret void
}

define void @"\01_raw"() {
entry:
  call void @"%d%s"()
  ret void
}

declare void @"%d%s"()
