package asm_test

import (
	"fmt"
	"os"

	"pathspan/ir/asm"
)

// Count how often each way of a branch is taken.
func Example() {
	m, err := asm.Parse([]byte(`define i32 @f(i1 %c) {
entry:
  br i1 %c, label %yes, label %no

yes:                                              ; preds = %entry
  br label %no

no:                                               ; preds = %yes, %entry
  %r = phi i32 [ 1, %yes ], [ 0, %entry ]
  ret i32 %r
}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	f := m.Func("f")
	entry := f.Blocks[0]
	for k, to := range entry.Succs() {
		at, err := f.InsertOnEdge(entry, k, fmt.Sprintf("call void @hit(i32 %d)", k))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("edge to %s is counted in %s\n", to, at.Name())
	}
	if err := m.AddDecl("declare void @hit(i32)"); err != nil {
		fmt.Println(err)
		return
	}
	m.WriteTo(os.Stdout)
	// Output:
	// edge to yes is counted in yes
	// edge to no is counted in entry.no
	// define i32 @f(i1 %c) {
	// entry:
	//   br i1 %c, label %yes, label %entry.no
	//
	// yes:
	//   call void @hit(i32 0)
	//   br label %no
	//
	// no:
	//   %r = phi i32 [ 1, %yes ], [ 0, %entry.no ]
	//   ret i32 %r
	//
	// entry.no:
	//   call void @hit(i32 1)
	//   br label %no
	// }
	// declare void @hit(i32)
}
