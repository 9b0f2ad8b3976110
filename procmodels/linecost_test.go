package procmodels

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// ones is a line table with one cycle for each of lines 1 to 9.
func ones(t *testing.T) Model {
	t.Helper()
	return model(t, "schema: pathspan.linetable/1\nname: ones\nlines:\n"+
		"  - {file: app.c, line: 1, cycles: 1}\n  - {file: app.c, line: 2, cycles: 10}\n"+
		"  - {file: app.c, line: 3, cycles: 100}\n  - {file: app.c, line: 4, cycles: 1000}\n")
}

func model(t *testing.T, text string) Model {
	t.Helper()
	m, err := parseModel("table.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestLinesAreChargedOncePerExecution(t *testing.T) {
	for _, c := range []struct {
		name, fn string
		want     map[string]float64 // blocks that cost something
	}{
		{
			// x = c ? a : b; all on line 1: charged where c is tested.
			"conditional", `
			entry: load i32 @1; icmp i32 @1; br @1 -> yes no
			yes: load i32 @1; br @1 -> end
			no: load i32 @1; br @1 -> end
			end: phi i32 @1; store i32 @1; load i32 @2; ret i32 @2`,
			map[string]float64{"entry": 1, "end": 10},
		},
		{
			// if (a && b) on line 1, its then-part on line 2.
			"and", `
			entry: icmp i32 @1; br @1 -> rhs end
			rhs: icmp i32 @1; br @1 -> then end
			then: store i32 @2; br @2 -> end
			end: ret void @3`,
			map[string]float64{"entry": 1, "then": 10, "end": 100},
		},
		{
			// while (c) on line 1: once per test; the jumps into it and back count nothing.
			"while", `
			entry: store i32 @2; br @1 -> cond
			cond: load i32 @1; icmp i32 @1; br @1 -> body end
			body: store i32 @3; br @1 -> cond
			end: ret void @4`,
			map[string]float64{"entry": 10, "cond": 1, "body": 100, "end": 1000},
		},
		{
			// for (i = 0; i < n; i++) on line 1, body on line 2: once per test. The
			// initialisation leads into the header through an empty preheader.
			"for", `
			entry: store i32 @1; br @1 -> pre
			pre: br @1 -> cond
			cond: icmp i32 @1; br @1 -> body end
			body: store i32 @2; br @2 -> inc
			inc: add i32 @1; br @1 -> cond
			end: ret void @3`,
			map[string]float64{"cond": 1, "body": 10, "end": 100},
		},
		{
			// Two nested for loops, lines 1 and 2; the inner one's initialisation is in the
			// outer one's body.
			"nested for", `
			entry: store i32 @1; br -> outer
			outer: icmp i32 @1; br @1 -> init end
			init: store i32 @2; br -> inner
			inner: icmp i32 @2; br @2 -> body next
			body: store i32 @3; br -> inc
			inc: add i32 @2; br -> inner
			next: add i32 @1; br -> outer
			end: ret void @4`,
			map[string]float64{"outer": 1, "inner": 10, "body": 100, "end": 1000},
		},
		{
			// The same for loop rotated: the guard is the first test, the latch the others.
			"rotated for", `
			entry: icmp i32 @1; br @1 -> pre end
			pre: br @1 -> body
			body: phi i32 @1; store i32 @2; add i32 @1; icmp i32 @1; br @1 -> body exit
			exit: br -> end
			end: ret void @3`,
			map[string]float64{"entry": 1, "body": 11, "end": 100},
		},
		{
			// A loop whose line 2 stands before it as well, not to initialise it only:
			// the block before the loop branches, so it is charged.
			"guarded", `
			entry: icmp i32 @2; br @2 -> loop end
			loop: icmp i32 @2; br @2 -> loop end
			end: ret void @3`,
			map[string]float64{"entry": 10, "loop": 10, "end": 100},
		},
		{
			// Line 1 on both sides of a branch on line 2: neither dominates the other.
			"two copies", `
			entry: icmp i32 @2; br @2 -> left right
			left: store i32 @1; br -> end
			right: store i32 @1; br -> end
			end: load i32 @1; ret void @3`,
			map[string]float64{"entry": 10, "left": 1, "right": 1, "end": 101},
		},
		{
			// Unreachable blocks, debug intrinsics and markers hold no line.
			"no code", `
			entry: call void llvm.dbg.value @1; call void __pathspan_mark @2; alloca i32 @3; ret void @4
			dead: store i32 @1; br -> entry`,
			map[string]float64{"entry": 1000},
		},
	} {
		p := testProgram(t, map[string]string{"f": c.fn}, "f")
		costs, err := ones(t).Costs(context.Background(), &Subject{Program: p})
		if err != nil {
			t.Fatal(err)
		}
		if err := costs.Check(p); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got := cyclesOf(p, costs)
		maps.DeleteFunc(got, func(_ string, x float64) bool { return x == 0 })
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestCallsOfLines(t *testing.T) {
	p := testProgram(t, map[string]string{
		"f": `
			entry: call i32 g @1; call i32 g @2; call i32 puts @1; call i32 printf @2; call i32 __kmpc_barrier @2; br @2 -> end
			end: call i32 g @1; call void llvm.memcpy.p0.p0.i64 @1; ret void @3`,
		"g": `entry: ret i32 0 @4`,
	}, "f", "g")
	const lines = `lines:
  - {file: app.c, line: 1, cycles: 7, calls: included}
  - {file: src/app.c, line: 2, cycles: 5, calls: excluded}
`
	costs, err := model(t, "schema: pathspan.linetable/1\nname: t\ndefault: 3\n"+lines).Costs(context.Background(), &Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if err := costs.Check(p); err != nil {
		t.Fatal(err)
	}
	want := [][]BlockCost{
		{
			{Cycles: 12, Included: []int{0, 2}, Defaults: []DefaultCost{{Reason: 1, Cycles: 0, Count: 1}}},
			{Cycles: 3, Included: []int{0}, Defaults: []DefaultCost{{Reason: 0, Cycles: 3, Count: 1}}},
		},
		{{Cycles: 3, Defaults: []DefaultCost{{Reason: 2, Cycles: 3, Count: 1}}}},
	}
	if !reflect.DeepEqual(costs.Blocks, want) {
		t.Errorf("got  %+v\nwant %+v", costs.Blocks, want)
	}
	reasons := []string{"line src/app.c:3 without an entry", "call to printf: not modelled", "line src/app.c:4 without an entry"}
	if !slices.Equal(costs.Reasons, reasons) {
		t.Errorf("reasons %q, want %q", costs.Reasons, reasons)
	}

	// A fallback prices what has no entry, and external callees of calls: excluded.
	costs, err = model(t, "schema: pathspan.linetable/1\nname: t\nfallback: generic\n"+lines).Costs(context.Background(), &Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if err := costs.Check(p); err != nil {
		t.Fatal(err)
	}
	// 12 for the lines, 800 for printf; end's "ret" is on a line without an entry.
	if got := cyclesOf(p, costs); got["entry"] != 812 || got["end"] != 5 {
		t.Errorf("with fallback: %v", got)
	}
	if !slices.Contains(costs.Reasons, "call to printf: priced by generic") ||
		!slices.Contains(costs.Reasons, "line src/app.c:3 without an entry: priced by generic") {
		t.Errorf("with fallback: reasons %q", costs.Reasons)
	}
}

func TestUnmatchedEntries(t *testing.T) {
	p := testProgram(t, map[string]string{"f": `entry: store i32 @10; store i32 @14; store i32 @30; br @40 -> end
		end: ret void @50`}, "f")
	costs, err := model(t, `schema: pathspan.linetable/1
name: t
lines:
  - {file: app.c, line: 10, cycles: 1}
  - {file: app.c, line: 12, cycles: 1}
  - {file: other.c, line: 10, cycles: 1}
  - {file: pp.c, line: 10, cycles: 1}
  - {file: app.c, line: 40, cycles: 1}
`).Costs(context.Background(), &Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"table.yaml:5: app.c:12 holds no code; nearest lines that do: 10, 14, 30",
		"table.yaml:6: other.c:10 holds no code; no file of that name has code (src/app.c)",
		"table.yaml:7: pp.c:10 holds no code; no file of that name has code (src/app.c)",
		"table.yaml:8: app.c:40 holds no code; nearest lines that do: 14, 30, 50",
	}
	if !slices.Equal(costs.Warnings, want) {
		t.Errorf("warnings:\n%s\nwant\n%s", strings.Join(costs.Warnings, "\n"), strings.Join(want, "\n"))
	}
}

func TestTable1OfThePaperReads(t *testing.T) {
	m, err := Open("table1.yaml", "../testdata/fun0")
	if err != nil {
		t.Fatal(err)
	}
	lt := m.(*lineTable)
	sum := 0.0
	for _, e := range lt.entries {
		sum += e.cycles
	}
	// Table 1 adds up to 4230 cycles over its nineteen statements.
	if len(lt.entries) != 19 || sum != 4230 {
		t.Errorf("%d statements, %g cycles, want 19 and 4230", len(lt.entries), sum)
	}
}
