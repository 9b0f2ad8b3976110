package asm_test

// This file holds the reader against two others: llir/llvm for the C modules
// of LLVM 14, the only ones it reads, and LLVM's own control-flow graphs.

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	llir "github.com/llir/llvm/asm"
	llirir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"pathspan/ir/asm"
)

func TestAgainstLLIR(t *testing.T) {
	compared := 0
	for _, s := range samples(t) {
		if s.version != "14" || !strings.HasSuffix(s.source, ".c") {
			continue
		}
		t.Run(s.name(), func(t *testing.T) {
			other, err := llir.ParseBytes(s.name(), s.text)
			if err != nil {
				t.Fatal("llir/llvm does not read it: ", err)
			}
			m := parse(t, s.text)
			var defined []*llirir.Func
			for _, f := range other.Funcs {
				if len(f.Blocks) > 0 {
					defined = append(defined, f)
				}
			}
			if len(defined) != len(m.Funcs()) {
				t.Fatalf("%d functions, llir has %d", len(m.Funcs()), len(defined))
			}
			if len(other.Funcs)-len(defined) != len(m.Decls()) {
				t.Errorf("%d declarations, llir has %d", len(m.Decls()), len(other.Funcs)-len(defined))
			}
			for i, f := range m.Funcs() {
				compared += compareFunc(t, f, defined[i])
			}
		})
	}
	if compared == 0 {
		t.Skip("clang-14 is not installed")
	}
	t.Logf("%d instructions compared", compared)
}

func compareFunc(t *testing.T, f *asm.Func, o *llirir.Func) (compared int) {
	if f.Name() != o.Name() || f.RetType() != o.Sig.RetType.String() || len(f.Params()) != len(o.Params) || f.Variadic() != o.Sig.Variadic {
		t.Fatalf("@%s %s: llir has %s", f.Name(), f.FnType(), o.Ident())
	}
	for i, p := range f.Params() {
		if p.Type != o.Params[i].Type().String() || asm.LocalRef(p.Name) != o.Params[i].Ident() && "%"+p.Name != o.Params[i].Ident() {
			t.Errorf("@%s parameter %d: %s %s, llir has %s", f.Name(), i, p.Type, p.Name, o.Params[i])
		}
	}
	if len(f.Blocks) != len(o.Blocks) {
		t.Fatalf("@%s: %d blocks, llir has %d", f.Name(), len(f.Blocks), len(o.Blocks))
	}
	for i, b := range f.Blocks {
		ob := o.Blocks[i]
		if "%"+b.Name() != ob.Ident() {
			t.Errorf("@%s block %d: %s, llir has %s", f.Name(), i, b.Name(), ob.Ident())
		}
		if len(b.Instrs) != len(ob.Insts)+1 {
			t.Fatalf("@%s block %s: %d instructions, llir has %d", f.Name(), b.Name(), len(b.Instrs), len(ob.Insts)+1)
		}
		for j, oi := range ob.Insts {
			compareInstr(t, b.Instrs[j], oi, oi.Operands())
		}
		compareInstr(t, b.Term(), ob.Term, ob.Term.Operands())
		var succs []string
		for _, s := range ob.Term.Succs() {
			succs = append(succs, strings.TrimPrefix(s.Ident(), "%"))
		}
		if !slices.Equal(b.Succs(), succs) {
			t.Errorf("@%s block %s: successors %v, llir has %v", f.Name(), b.Name(), b.Succs(), succs)
		}
		compared += len(b.Instrs)
	}
	return compared
}

// opcode tells what llir calls an instruction from the name of its Go type.
func opcode(x any) string {
	name := reflect.TypeOf(x).Elem().Name()
	name = strings.TrimPrefix(strings.TrimPrefix(name, "Inst"), "Term")
	switch name {
	case "CondBr":
		return "br"
	case "VAArg":
		return "va_arg"
	}
	return strings.ToLower(name)
}

func compareInstr(t *testing.T, in *asm.Instr, oi any, operands []*value.Value) {
	t.Helper()
	if in.Op() != opcode(oi) {
		t.Errorf("opcode %s, llir has %s: %s", in.Op(), opcode(oi), in.Text())
		return
	}
	if v, ok := oi.(value.Named); ok && v.Type().String() != "void" {
		if got := in.ResultType(); got != v.Type().String() && got != cmpxchgType(v) {
			t.Errorf("result type %q, llir has %q: %s", got, v.Type(), in.Text())
		}
		if "%"+in.Result() != v.Ident() {
			t.Errorf("result %q, llir has %q: %s", in.Result(), v.Ident(), in.Text())
		}
	} else if in.ResultType() != "" {
		t.Errorf("result type %q, llir has none: %s", in.ResultType(), in.Text())
	}
	var want []value.Value
	for _, op := range operands {
		switch v := (*op).(type) {
		case *llirir.Block:
		case *llirir.Arg: // an argument with attributes
			want = append(want, v.Value)
		default:
			want = append(want, *op)
		}
	}
	got := in.Operands()
	if call := in.Call(); call != nil {
		// llir lists the callee first, and hides it for inline assembly.
		if len(want) > 0 && len(want) == len(got)+1 {
			if callee := want[0]; !call.Asm && callee.Ident() != call.Value && !sameCast(callee, call.Callee) {
				t.Errorf("callee %s, llir has %s: %s", call.Value, callee.Ident(), in.Text())
			}
			want = want[1:]
		}
	}
	if in.Op() == "switch" {
		for _, c := range in.Cases() {
			got = append(got, asm.Operand{Type: in.Type(), Value: c.Value})
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d operands, llir has %d: %s", len(got), len(want), in.Text())
		return
	}
	for i, v := range want {
		if v.Type().String() != got[i].Type && cmpxchgType(v) != got[i].Type {
			t.Errorf("operand %d is of type %q, llir has %q: %s", i, got[i].Type, v.Type(), in.Text())
		}
		switch v := v.(type) {
		case *constant.Int: // which llir may spell in hexadecimal
			if v.X.String() != got[i].Value && v.Ident() != got[i].Value {
				t.Errorf("operand %d is %q, llir has %v: %s", i, got[i].Value, v.X, in.Text())
			}
		case value.Named, *constant.Null, *constant.Undef:
			if v.Ident() != got[i].Value {
				t.Errorf("operand %d is %q, llir has %q: %s", i, got[i].Value, v.Ident(), in.Text())
			}
		}
	}
}

// cmpxchgType returns what a cmpxchg results in after the language reference;
// llir says i8 for its second element.
func cmpxchgType(v value.Value) string {
	if c, ok := v.(*llirir.InstCmpXchg); ok {
		return "{ " + c.New.Type().String() + ", i1 }"
	}
	return "none"
}

// sameCast reports whether v is a cast of the function called name.
func sameCast(v value.Value, name string) bool {
	c, ok := v.(*constant.ExprBitCast)
	return ok && c.From.Ident() == asm.GlobalRef(name)
}

var (
	dotNode = regexp.MustCompile(`^\s*(Node0x[0-9a-f]+) \[.*label="\{(.*)\}"\];$`)
	dotEdge = regexp.MustCompile(`^\s*(Node0x[0-9a-f]+)(?::s\d+)? -> (Node0x[0-9a-f]+)`)
)

// Blocks and edges, in their order, are those of LLVM's own graphs.
func TestAgainstDotCFG(t *testing.T) {
	for _, s := range samples(t) {
		if s.debug {
			continue
		}
		t.Run(s.name(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			// Passes skip functions marked optnone, printing ones too.
			text := bytes.ReplaceAll(s.text, []byte(" optnone "), []byte(" "))
			if _, err := run(text, dir, "opt-"+s.version, "-passes=dot-cfg-only", "-disable-output"); err != nil {
				t.Fatal(err)
			}
			graphs, edges := 0, 0
			for _, f := range parse(t, text).Funcs() {
				dot, err := os.ReadFile(filepath.Join(dir, "."+f.Name()+".dot"))
				if err != nil {
					if len(f.Name()) < 200 { // longer ones make no file name
						t.Errorf("LLVM wrote no graph of @%s: %v", f.Name(), err)
					}
					continue
				}
				graphs++
				edges += compareDot(t, f, dot)
			}
			if graphs == 0 {
				t.Error("no graph compared")
			}
			t.Logf("%d graphs, %d edges", graphs, edges)
		})
	}
}

func compareDot(t *testing.T, f *asm.Func, dot []byte) int {
	t.Helper()
	names, edges := map[string]string{}, map[string][]string{}
	var order []string
	for line := range bytes.Lines(dot) {
		text := strings.TrimSuffix(string(line), "\n")
		if g := dotNode.FindStringSubmatch(text); g != nil {
			name, _, _ := strings.Cut(g[2], "|")
			names[g[1]] = strings.TrimPrefix(name, "%")
			order = append(order, g[1])
		} else if g := dotEdge.FindStringSubmatch(text); g != nil {
			edges[g[1]] = append(edges[g[1]], g[2])
		}
	}
	if len(order) != len(f.Blocks) {
		t.Errorf("@%s: %d blocks, LLVM's graph has %d", f.Name(), len(f.Blocks), len(order))
		return 0
	}
	n := 0
	index := map[string]*asm.Block{}
	for _, b := range f.Blocks {
		index[b.Name()] = b
	}
	for _, node := range order {
		b := index[names[node]]
		if b == nil {
			t.Errorf("@%s: LLVM has a block %q", f.Name(), names[node])
			continue
		}
		var want []string
		for _, to := range edges[node] {
			want = append(want, names[to])
		}
		if !slices.Equal(b.Succs(), want) {
			t.Errorf("@%s block %s: successors %v, LLVM has %v", f.Name(), b.Name(), b.Succs(), want)
		}
		n += len(want)
	}
	return n
}
