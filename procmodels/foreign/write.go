package foreign

// This file shows what calls cost, and writes it as a model.

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"pathspan/ir"
)

// intrinsics are those of LLVM's that become calls of the C library's function of that name.
var intrinsics = words("sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 exp10 log log2 log10 pow ldexp frexp")

// remainders are the functions that frem becomes a call of, by type.
var remainders = map[string]string{"double": "fmod", "float": "fmodf"}

// Called returns those of the functions that a program calls by name, as its code has them: an
// intrinsic beside the function that it becomes, so that one may be there twice. OpenMP's library is none:
// what it takes are overheads.
func Called(functions []Function, p *ir.Program) []Function {
	names := map[string][]string{} // as the program has it, by that of the library
	seen := map[string]bool{}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if name := remainders[in.Type]; in.Op == "frem" && name != "" && !seen[name] {
					seen[name] = true
					names[name] = append(names[name], name)
				}
			}
			for _, c := range b.Calls() {
				if c.Callee >= 0 || c.Indirect || seen[c.Name] || strings.HasPrefix(c.Name, "__kmpc_") || strings.HasPrefix(c.Name, "omp_") {
					continue
				}
				seen[c.Name] = true
				name := c.Name
				if rest, ok := strings.CutPrefix(name, "llvm."); ok {
					base, typ, _ := strings.Cut(rest, ".")
					suffix, known := map[string]string{"f64": "", "f32": "f"}[typ]
					if !known || !intrinsics[base] {
						continue
					}
					name = base + suffix
				}
				names[name] = append(names[name], c.Name)
			}
		}
	}
	var out []Function
	for _, f := range functions {
		for _, name := range names[f.Name] {
			f.Name = name
			out = append(out, f)
		}
	}
	return out
}

// Model returns a pipeline's file, which extends another by what calls take.
func Model(name, extends, source string, functions []Function) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Means of one run: other arguments take other ways through the same code.\nschema: pathspan.pipeline/1\nname: %s\nextends: %s\nsource: %s\ncalls: # cycles of a call, beside the instruction that calls\n",
		strconv.Quote(name), strconv.Quote(extends), strconv.Quote(source))
	for _, f := range functions {
		s := "s"
		if f.Calls == 1 {
			s = ""
		}
		fmt.Fprintf(&out, "  %s: %.1f # %d call%s of %.1f instructions\n", strconv.Quote(f.Name), f.Cycles, f.Calls, s, f.Instructions)
	}
	return out.Bytes()
}

// Text shows a table of the functions.
func Text(w io.Writer, functions []Function) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "calls\tinstructions a call\tcycles a call\t\n")
	for _, f := range functions {
		fmt.Fprintf(table, "%d\t%.1f\t%.1f\t\t%s\n", f.Calls, f.Instructions, f.Cycles, f.Name)
	}
	return table.Flush()
}
