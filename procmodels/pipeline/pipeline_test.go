package pipeline

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/conform"
	"pathspan/yamlstrict"
)

// small is a pipeline of two instructions a cycle: two units of integers, one for memory whose
// loads take 3 cycles, 2 to other than addresses, and a divider that takes another every 8.
const small = `schema: pathspan.pipeline/1
name: small
source: invented
issue: 2
units: {alu: 2, memory: 1, div: 1}
classes:
  free: none
  alu: {unit: alu, latency: 1}
  load: {unit: memory, latency: 3, to: {alu: 2}}
  store: {unit: memory, latency: 1}
  divide: {unit: div, latency: 10, occupancy: 8}
opcodes:
OPCODES
branch: {taken: 1, penalty: 6, predict: static}
library: generic
`

// withOpcodes gives each opcode of LLVM a class of the small pipeline.
func withOpcodes(text string) string {
	var list strings.Builder
	for _, op := range append(procmodels.Opcodes(), conditional) {
		class := "alu"
		switch op {
		case "phi", "alloca":
			class = "free"
		case "load", "store":
			class = op
		case "sdiv":
			class = "divide"
		}
		fmt.Fprintf(&list, "  %s: %s\n", op, class)
	}
	return strings.Replace(text, "OPCODES\n", list.String(), 1)
}

func fromText(t testing.TB, text string) *Model {
	t.Helper()
	file := filepath.Join(t.TempDir(), "small.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := procmodels.Open(file, "")
	if err != nil {
		t.Fatal(err)
	}
	return m.(*Model)
}

func costsOf(t testing.TB, m procmodels.Model, module string) []procmodels.BlockCost {
	t.Helper()
	p, err := ir.Read([]byte(module))
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.Costs(context.Background(), &procmodels.Subject{Program: p, Module: []byte(module)})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(p); err != nil {
		t.Fatal(err)
	}
	return c.Blocks[0]
}

const byHand = `define i32 @f(ptr %p, i32 %n) {
entry:
  %a = load i32, ptr %p
  %b = add i32 %n, 1
  %c = add i32 %a, %b
  store i32 %c, ptr %p
  br label %loop

loop:
  %i = phi i32 [ %n, %entry ], [ %q, %loop ]
  %q = sdiv i32 %i, %b
  %x = add i32 %n, 2
  %again = icmp sgt i32 %x, 7
  br i1 %again, label %loop, label %end

end:
  %v = load ptr, ptr %p
  %w = load i32, ptr %v
  %s = add i32 %q, %w
  ret i32 %s
}
`

// By hand, on the small pipeline.
//
// entry: cycle 0 load a, add b; a is there for an add in cycle 2: add c in 2; it is stored in 3;
// the br falls through. 4 cycles.
//
// loop, from elsewhere: cycle 0 sdiv and add x; 1 icmp; 2 br. 3 cycles. Behind entry the same:
// b was ready in 1, nothing is pending; the edge falls through, and is no branch: 3. Behind
// itself: the sdiv was issued in 0, and its result is there in cycle 10; the block begins in 3,
// waits for cycle 10, and ends in 13: 10 cycles. The edge leads back, which is predicted; it is
// taken: 1 more, 11.
//
// end, from elsewhere: cycle 0 load v; its result is there for an address in 3: load w; add s
// in 5; ret in 6. 7 cycles. Behind loop: the edge forward was not predicted, so 6 cycles are lost,
// in which the sdiv comes to its end; then the same, 13.
func TestBlocksByHand(t *testing.T) {
	blocks := costsOf(t, fromText(t, withOpcodes(small)), byHand)
	var got []string
	for _, b := range blocks {
		got = append(got, fmt.Sprint(b.Cycles, b.After))
	}
	if want := []string{"4 []", "3 [{1 11}]", "7 [{1 13}]"}; !slices.Equal(got, want) {
		t.Errorf("blocks cost %v, want %v", got, want)
	}
}

// On the Cortex-A53 by hand. Of "load, add, sdiv, store, ret": the load issues in 0; its result
// is there for the add in 2; the add's for the sdiv in 2 + 2 = 4; what the division yields is
// stored 1 cycle behind it, so in 5; the ret issues beside it. 6 cycles. Without the data of
// another: "fmul, fmul, fadd of both": cycles 0 and 1 on the only multiplier, the fadd at 1 + 4
// = 5, the ret beside it: 6. An index is a part of the load: loads in 0 and 1, the add of both in
// 3, the ret beside it: 4. Of two MADD the second takes the sum of the first 1 later, the ret beside it: 2.
func TestCortexA53ByHand(t *testing.T) {
	m, err := procmodels.Open("pipeline:cortex-a53", "")
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]float64{
		"%a = load i32, ptr %p\n  %b = add i32 %a, %n\n  %c = sdiv i32 %b, %n\n  store i32 %c, ptr %p\n  ret void": 7,
		"%a = fmul double %x, %x\n  %b = fmul double %x, 2.0\n  %c = fadd double %a, %b\n  ret void":               6,
		// Vectors go through a pipe of their own: a load alone, 4 cycles each, and the store in the cycle of the ret.
		"%a = load <4 x i32>, ptr %p\n  %b = add <4 x i32> %a, %a\n  %c = mul <4 x i32> %b, %b\n  store <4 x i32> %c, ptr %p\n  ret void": 13,
		sums: 2,
		"%a = ashr i32 %n, %n\n  %b = add i32 %a, %n\n  %c = xor i32 %b, %a\n  ret void":                                              2, // what was shifted is there for the add beside it
		"%a = add i32 %n, 1\n  %b = add i32 %n, 2\n  %c = add i32 %n, 3\n  %d = add i32 %a, %c\n  ret void":                           3,
		"%q = getelementptr i32, ptr %p, i32 %n\n  %a = load i32, ptr %q\n  %b = load i32, ptr %p\n  %c = add i32 %a, %b\n  ret void": 4,
	} {
		got := costsOf(t, m, "define void @f(ptr %p, i32 %n, double %x) {\nentry:\n  "+body+"\n}\n")[0].Cycles
		if got != want {
			t.Errorf("%s\ncosts %g cycles, want %g", body, got, want)
		}
	}
}

// On gem5's TimingSimpleCPU by hand: two cycles an instruction, four a load or store and a
// remainder, the last of a block counted to where the next begins. Of "add, mul, store, ret" the
// ret issues in 2 + 2 + 4: 9; of "load, fdiv, store, ret" in 4 + 2 + 4: 11; of "srem, ret" in 4: 5.
// What the ret is short of its two cycles keeps the unit from the next block.
func TestGem5TimingByHand(t *testing.T) {
	m, err := procmodels.Open("pipeline:gem5-timing", "")
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]float64{
		"%a = add i32 %n, 1\n  %b = mul i32 %a, %n\n  store i32 %b, ptr %p\n  ret void":              9,
		"%a = load double, ptr %p\n  %b = fdiv double %a, %x\n  store double %b, ptr %p\n  ret void": 11,
		"%a = srem i32 %n, %n\n  ret void": 5,
	} {
		got := costsOf(t, m, "define void @f(ptr %p, i32 %n, double %x) {\nentry:\n  "+body+"\n}\n")[0].Cycles
		if got != want {
			t.Errorf("%s\ncosts %g cycles, want %g", body, got, want)
		}
	}
	// A loop that adds, compares and branches back counts down, which compares: four cycles behind
	// itself. Entered, it sets its variable as well, and the branch before it is none: 2 + 3.
	loop := costsOf(t, m, "define void @f(i32 %n) {\nentry:\n  br label %l\nl:\n  %i = phi i32 [ 0, %entry ], [ %j, %l ]\n  %j = add i32 %i, 1\n"+
		"  %c = icmp eq i32 %j, %n\n  br i1 %c, label %e, label %l\ne:\n  ret void\n}\n")[1]
	if want := []procmodels.AfterCost{{Pred: 0, Cycles: 5}, {Pred: 1, Cycles: 4}}; !slices.Equal(loop.After, want) {
		t.Errorf("the loop costs %v behind its predecessors, want %v", loop.After, want)
	}
}

// Blocks of random instructions never take longer on a pipeline that issues one more a cycle,
// has one more of a unit, or has a latency one less. In order, with the least loaded unit
// first, an instruction that can issue earlier delays none behind it.
func TestBetterIsNeverSlower(t *testing.T) {
	better := []*Model{fromText(t, withOpcodes(small))}
	for _, change := range [][2]string{{"issue: 2", "issue: 3"}, {"memory: 1", "memory: 2"}, {"latency: 3, to: {alu: 2}", "latency: 2, to: {alu: 1}"}, {"latency: 10", "latency: 9"}, {"occupancy: 8", "occupancy: 7"}} {
		text := strings.Replace(withOpcodes(small), change[0], change[1], 1)
		if text == withOpcodes(small) {
			t.Fatalf("%q is not in the file", change[0])
		}
		better = append(better, fromText(t, text))
	}
	faster := make([]bool, len(better))
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		module := randomBlock(r)
		cycles := costsOf(t, better[0], module)[0].Cycles
		for i, m := range better[1:] {
			got := costsOf(t, m, module)[0].Cycles
			if got > cycles {
				t.Fatalf("better pipeline %d takes %g cycles, the other %g, for\n%s", i, got, cycles, module)
			}
			faster[i+1] = faster[i+1] || got < cycles
		}
	}
	for i, f := range faster[1:] {
		if !f {
			t.Errorf("better pipeline %d was never faster", i)
		}
	}
}

func randomBlock(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("define void @f(ptr %p, i32 %v0) {\nentry:\n")
	for i := range 20 {
		x, y := r.IntN(i+1), r.IntN(i+1)
		switch r.IntN(5) {
		case 0:
			fmt.Fprintf(&b, "  %%v%d = sdiv i32 %%v%d, %%v%d\n", i+1, x, y)
		case 1:
			fmt.Fprintf(&b, "  %%v%d = load i32, ptr %%p\n", i+1)
		default:
			fmt.Fprintf(&b, "  %%v%d = add i32 %%v%d, %%v%d\n", i+1, x, y)
		}
	}
	b.WriteString("  ret void\n}\n")
	return b.String()
}

func TestShippedPipelinesConform(t *testing.T) {
	for _, name := range Names() {
		r := conform.Check(context.Background(), func() (procmodels.Model, error) { return procmodels.Open("pipeline:"+name, "") }, conform.DefaultLimit)
		if err := r.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Files without one of their lines, or with a word of one spelt wrongly, are read or refused in one line that says where.
func TestFilesWithoutALine(t *testing.T) {
	for _, name := range Names() {
		text, err := data.ReadFile("data/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		lines, refused := strings.Split(string(text), "\n"), 0
		for i, line := range lines {
			if strings.HasPrefix(line, "#") || line == "" {
				continue
			}
			for _, other := range [][]string{nil, {strings.Replace(line, ": ", "x: ", 1)}, {line + "x"}} {
				r := yamlstrict.Parse("it.yaml", []byte(strings.Join(slices.Concat(lines[:i], other, lines[i+1:]), "\n")))
				read(r)
				if err := r.Err(); err != nil {
					refused++
					if !strings.HasPrefix(err.Error(), "it.yaml:") || strings.Contains(err.Error(), "\n") {
						t.Errorf("%s, line %d: %v", name, i+1, err)
					}
				}
			}
		}
		if refused < 50 {
			t.Errorf("%s: %d such files were refused", name, refused)
		}
	}
}

func TestBadFilesAreOneLine(t *testing.T) {
	for _, bad := range []struct{ old, new, want string }{
		{"div: 1}", "div: 1, spare: 1}", `:5: no class is executed by unit "spare"`},
		{"latency: 10", "latency: -1", `:11: `},
		{"  sdiv: divide\n", "", `opcode "sdiv" has no class`},
		{"sdiv: divide", "sdiv: alu", `:11: no opcode is of class "divide"`},
		{"unit: div,", "unit: dvi,", `:11: class "divide" is executed by unit "dvi"`},
		{"issue: 2", "issues: 2", "issues"},
		{"to: {alu: 2}", "to: {all: 2}", `forwards to "all"`},
		{"  sdiv: divide", "  sdvi: divide", `"sdvi" is no LLVM opcode: want sdiv`},
		{"  sdiv: divide", "  sdiv: {i32: divide}", `has no class for other types`},
		{"  sdiv: divide", "  sdiv: {default: divide, i33: alu}", `"i33" is no type`},
		{"predict: static", "predict: static, rate: 0.5", "rate"},
		{"predict: static", "predict: rate, rate: 1.5", "rate"},
		{"predict: static", "predict: paths, rate: 0.5", "history"},
		{"predict: static", "predict: rate, rate: 0.5, history: 3", "predict: paths"},
		{"latency: 3,", "latency: 3, slow: {behind: stores, within: 2, every: 3, others: 2},", `no class is named "stores"`},
		{"latency: 3,", "latency: 3, slow: {behind: store, within: 0, every: 3, others: 2},", `:9: `},
		{"library: generic", "library: generic\nschedule: perhaps", `:`},
		{"library: generic", "library: nosuch", "nosuch"},
		{"library: generic", "library: generic\nfold: [offset, scale]", `scaled`},
		{"library: generic", "library: generic\nfold: [offset, offset]", `offset is there twice`},
		{"library: generic", "library: generic\nvector: 100", `power of two`},
		{"issue: 2", "issue: two\nmoves: alu", `:4: issue is "two"`},
		{"library: generic", "library: generic\nfold: [copy]\nvector: 128", `copies are of vectors by moves`},
		{"library: generic", "library: generic\nfold: [copy]\nmoves: alu", `copies are of vectors by moves`},
		{"library: generic", "library: generic\nmoves: free", `moves are instructions, and class "free" is none`},
		{"library: generic", "library: generic\nmoves: nosuch", `no class is named "nosuch"`},
		{"library: generic", "library: generic\nmoves: alu\nsaves: free", `saves are instructions, and class "free" is none`},
		{"library: generic", "library: generic\nrestores: alu", `give moves a class, or leave restores out`},
		{"library: generic", "library: generic\ncalls: {llvm.smax: nosuch}", `no class is named "nosuch"`},
		{"library: generic", "library: generic\nvector: 4", `:`},
		{"latency: 10", "instructions: 0, latency: 10", `:11: `},
		{"latency: 10", "last: perhaps, latency: 10", `:11: `},
		{"taken: 1", "taken: 1, ahead: 0", `:`},
		{"issue: 2", "issue: 2\ntargets: []", `:5: targets is empty`},
		{"issue: 2", "targets: [a, \"b[\"]\nissue: 2", `:4: target "b["`},
		{"latency: 10", "latency: 1e300", `:11: `},
		{"latency: 10", "latency: .nan", `:11: `},
		{"latency: 10", "latency: 99999999999999999999", `:11: `},
	} {
		text := strings.Replace(withOpcodes(small), bad.old, bad.new, 1)
		file := filepath.Join(t.TempDir(), "bad.yaml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := procmodels.Open(file, "")
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), bad.want) || !strings.Contains(err.Error(), "bad.yaml:") {
			t.Errorf("%q in place of %q: %v\nwant one line with %q", bad.new, bad.old, err, bad.want)
		}
	}
	if _, err := procmodels.Open("pipeline:nosuch", ""); err == nil || !strings.Contains(err.Error(), "cortex-a53") {
		t.Errorf("a name that is none: %v", err)
	}
}

func TestEveryKeyHasAnEffect(t *testing.T) {
	text := withOpcodes(small)
	show := func(text string) string {
		m := fromText(t, text)
		return fmt.Sprintf("%+v %+v", m.Describe(), costsOf(t, m, byHand))
	}
	before := show(text)
	for _, change := range [][2]string{{"issue: 2", "issue: 1"}, {"source: invented", "source: other\nnotes: some"}, {"source: invented", "source: invented\nclock_mhz: 5"},
		{"to: {alu: 2}", "to: {alu: 3}"}, {"to: {alu: 2}", "to: {alu: 2, address: 5}"}, {"latency: 10", "latency: 12"}, {"taken: 1", "taken: 2"}, {"penalty: 6", "penalty: 5"},
		{"static", "rate, rate: 0.5"}, {"static", "paths, history: 3, rate: 0.5"}, {"unit: div, latency", "unit: div, alone: yes, latency"}, {"name: small", "name: other"},
		{"unit: div, latency", "unit: div, last: yes, latency"}, {"unit: div, latency", "unit: div, instructions: 2, latency"}, {"taken: 1", "taken: 1, ahead: 4"}} {
		if now := show(strings.Replace(text, change[0], change[1], 1)); now == before {
			t.Errorf("%q in place of %q changes nothing", change[1], change[0])
		}
	}
}
