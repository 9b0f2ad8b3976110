package procmodels

import (
	"context"
	"maps"
	"testing"
)

// The worked example of the paper as clang -O0 compiles it without OpenMP: where
// loads, stores and jumps of testdata/fun0/fun0.c stand, by line.
const fun0 = `
	entry: alloca ptr; store i32; store i32 @46; load i32 @51; add i32 @51; store i32 @51; load i32 @52; icmp i32 @52; br i1 @52 -> if.then if.else
	if.then: call void fun_1 @53; br label @53 -> if.end
	if.else: load i32 @55; mul i32 @55; store i32 @55; br label -> if.end
	if.end: load i32 @56; add i32 @56; store i32 @56; load i32 @57; add i32 @57; store i32 @57; br label @61 -> while.cond
	while.cond: load i32 @61; icmp i32 @61; br i1 @61 -> while.body while.end
	while.body: load i32 @62; store i32 @62; load i32 @63; icmp i32 @63; br i1 @63 -> if.then4 if.else7
	if.then4: load ptr @64; load i32 @64; call void fun_2 @64; br label @64 -> if.end10
	if.else7: load ptr @66; add i32 @66; store i32 @66; br label -> if.end10
	if.end10: load i32 @67; add i32 @67; store i32 @67; br label @61 -> while.cond
	while.end: load ptr @69; call void fun_4 @69; store i32 @73; load i32 @74; icmp i32 @74; br i1 @74 -> if.then13 if.else14
	if.then13: call void fun_3 @75; br label @75 -> if.end16
	if.else14: load i32 @77; shl i32 @77; store i32 @77; br label -> if.end16
	if.end16: load ptr @80; load i32 @80; add i32 @80; add i32 @80; add i32 @80; ret i32 @80`

// Table 1 over these blocks gives the 3123 sequential cycles of section 2: c1 and c2
// hold in half of the executions, c3 always, the loop runs ten times.
func TestTable1GivesTheSequentialCyclesOfThePaper(t *testing.T) {
	callee := "entry: ret void"
	p := testProgram(t, map[string]string{"fun_0": fun0, "fun_1": callee, "fun_2": callee, "fun_3": callee, "fun_4": callee},
		"fun_0", "fun_1", "fun_2", "fun_3", "fun_4")
	p.Files[0] = "/home/user/fun0.c"
	m, err := Open("fun0/table1.yaml", "../testdata")
	if err != nil {
		t.Fatal(err)
	}
	costs, err := m.Costs(context.Background(), &Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if err := costs.Check(p); err != nil {
		t.Error(err)
	}
	if len(costs.Warnings) > 0 {
		t.Errorf("warnings: %q", costs.Warnings)
	}
	got := cyclesOf(p, costs)
	want := map[string]float64{
		"entry": 3, "if.then": 2050, "if.else": 1, "if.end": 2, "while.cond": 1, "while.body": 2, "if.then4": 101,
		"if.else7": 2, "if.end10": 1, "while.end": 12, "if.then13": 2050, "if.else14": 1, "if.end16": 4,
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	runs := map[string]float64{
		"entry": 1, "if.then": 0.5, "if.else": 0.5, "if.end": 1, "while.cond": 11, "while.body": 10, "if.then4": 10,
		"if.end10": 10, "while.end": 1, "if.then13": 0.5, "if.else14": 0.5, "if.end16": 1,
	}
	sum := 0.0
	for b, n := range runs {
		sum += n * got[b]
	}
	if sum != 3123 {
		t.Errorf("%g sequential cycles, want 3123", sum)
	}
	// Every call of fun_0 is in its line's figure.
	for bi, b := range p.Funcs[0].Blocks {
		calls := 0
		for i := range b.Instrs {
			if b.Instrs[i].Call != nil {
				calls++
			}
		}
		if len(costs.Blocks[0][bi].Included) != calls {
			t.Errorf("%s: included %v, want all %d calls", b.Name, costs.Blocks[0][bi].Included, calls)
		}
	}
}
