package fitted

// This file sorts instructions into classes that cost alike.

import (
	"strings"

	"pathspan/ir"
)

// family groups classes; one without a coefficient costs what its family does.
type family uint8

const (
	integer family = iota
	floating
	memory
	control
	library
	noFamily // costs nothing
)

// opClass is the class of an opcode. Wide ones come apart by the width of their type
// where the scheme says so.
type opClass struct {
	name   string
	family family
	wide   bool
}

// classOf lists the opcodes with a class, by the opcodes of LLVM 14 to 22. Opcodes
// that compilers turn into no code at all stand without a name.
var classOf = map[string]opClass{
	"add": {"alu", integer, true}, "sub": {"alu", integer, true},
	"and": {"alu", integer, true}, "or": {"alu", integer, true}, "xor": {"alu", integer, true},
	"shl": {"shift", integer, true}, "lshr": {"shift", integer, true}, "ashr": {"shift", integer, true},
	"mul":  {"mul", integer, true},
	"udiv": {"div", integer, true}, "sdiv": {"div", integer, true}, "urem": {"div", integer, true}, "srem": {"div", integer, true},
	"icmp": {"compare", integer, false}, "select": {"select", integer, false},
	"trunc": {"extend", integer, false}, "zext": {"extend", integer, false}, "sext": {"extend", integer, false},
	"getelementptr": {"gep", integer, false},
	"fadd":          {"fadd", floating, true}, "fsub": {"fadd", floating, true}, "fneg": {"fadd", floating, true},
	"fmul": {"fmul", floating, true}, "fdiv": {"fdiv", floating, true}, "frem": {"frem", floating, true},
	"fcmp": {"fcompare", floating, false}, "fptrunc": {"convert", floating, false}, "fpext": {"convert", floating, false},
	"fptoui": {"convert", floating, false}, "fptosi": {"convert", floating, false},
	"uitofp": {"convert", floating, false}, "sitofp": {"convert", floating, false},
	"load": {"load", memory, true}, "store": {"store", memory, true}, "alloca": {"alloca", memory, false},
	"fence": {"atomic", memory, false}, "cmpxchg": {"atomic", memory, false}, "atomicrmw": {"atomic", memory, false},
	"va_arg": {"load", memory, true},
	"phi":    {"phi", control, false},
	"br":     {"jump", control, false}, // a conditional one is a branch
	"switch": {"switch", control, false}, "indirectbr": {"switch", control, false},
	"ret":    {"", noFamily, false}, // a call and its return are one class, for there are as many of each
	"resume": {"throw", library, false},
	"call":   {"call", control, false}, "invoke": {"call", control, false}, "callbr": {"call", control, false},
	"landingpad": {"throw", library, false}, "catchpad": {"throw", library, false}, "cleanuppad": {"throw", library, false},
	"catchswitch": {"throw", library, false}, "catchret": {"throw", library, false}, "cleanupret": {"throw", library, false},
	"extractelement": {"shuffle", floating, false}, "insertelement": {"shuffle", floating, false}, "shufflevector": {"shuffle", floating, false},
	"extractvalue": {"", noFamily, false}, "insertvalue": {"", noFamily, false},
	"freeze": {"", noFamily, false}, "bitcast": {"", noFamily, false}, "addrspacecast": {"", noFamily, false},
	"ptrtoint": {"", noFamily, false}, "ptrtoaddr": {"", noFamily, false}, "inttoptr": {"", noFamily, false},
	"unreachable": {"", noFamily, false},
}

// other is the class of opcodes that this version does not know.
var other = opClass{"other", integer, false}

// familyOf holds the family of each class by its name without width and vector.
var familyOf = func() map[string]family {
	m := map[string]family{executed: noFamily, wrong: noFamily, "branch": control, loopBranch: control, indirectCall: control, "bits": integer, "sqrt": floating, other.name: other.family}
	for _, c := range classOf {
		m[c.name] = c.family
	}
	return m
}()

func familyOfClass(name string) family {
	if isLibrary(name) {
		return library
	}
	name = strings.TrimPrefix(name, vectorPrefix)
	if strings.HasPrefix(name, other.name+" ") {
		return other.family
	}
	name, _, _ = strings.Cut(name, ".")
	return familyOf[name]
}

// The ways in which names of features are put together.
const (
	vectorPrefix  = "vector "       // an operation on vectors, whatever their length
	libraryPrefix = "call "         // a call of a function outside the program, all of it
	pairSign      = " > "           // one class right behind another
	markerPrefix  = "__pathspan"    // delimiters that the parallel program has not
	bytesClass    = "bytes moved"   // by memcpy, memmove and memset, where the program fixes how many
	indirectCall  = "call indirect" // beside the call
	loopBranch    = "loop branch"   // decides whether a loop goes on, and mostly it does
)

func isLibrary(feature string) bool {
	return strings.HasPrefix(feature, libraryPrefix) && feature != indirectCall || feature == "throw" || feature == bytesClass || strings.HasPrefix(feature, formatPrefix)
}

// class names the class of an instruction, "" when it costs nothing. loops says that
// its block decides whether a loop goes on.
func (s Scheme) class(in *ir.Instr, b *ir.Block, loops bool) string {
	if in.Call != nil {
		return s.call(in)
	}
	c, ok := classOf[in.Op]
	if !ok {
		c = other
		c.name += " " + in.Op // what is assumed for it is said by its name
	}
	if in.Op == "br" && len(b.Succs) > 1 {
		if loops {
			return loopBranch
		}
		return "branch"
	}
	return s.named(c, in.Type)
}

// named adds what a class's name says of the type.
func (s Scheme) named(c opClass, typ string) string {
	if c.name == "" {
		return ""
	}
	if strings.HasPrefix(typ, "<") && !strings.HasPrefix(typ, "<{") && c.family != control {
		return vectorPrefix + c.name
	}
	if s.Widths && c.wide {
		return c.name + width(typ)
	}
	return c.name
}

// width names the width class of a scalar type: up to 32 bits, 64, or more. Pointers
// are the target's business and count as 64.
func width(typ string) string {
	switch typ {
	case "i1", "i8", "i16", "i32", "half", "bfloat", "float":
		return ".32"
	case "i64", "double", "ptr":
		return ".64"
	}
	switch {
	case strings.HasSuffix(typ, "*"):
		return ".64"
	case strings.HasPrefix(typ, "i") && len(typ) <= 3: // i7, i24, i48
		if typ > "i32" && len(typ) == 3 {
			return ".64"
		}
		return ".32"
	}
	return ".wide"
}

// call names the class of a call: that of a call of a function of the program, whose
// body is counted on its own; the library function; an intrinsic's kind.
func (s Scheme) call(in *ir.Instr) string {
	c := in.Call
	switch {
	case s.Machine != nil && s.Machine.Executes(in):
		return ""
	case strings.HasPrefix(c.Name, markerPrefix):
		return ""
	case strings.HasPrefix(c.Name, "llvm."):
		return s.intrinsic(strings.TrimPrefix(c.Name, "llvm."), in.Type)
	case c.Name == "asm":
		return libraryPrefix + "asm"
	case c.Indirect || c.Name == "":
		return indirectCall
	case c.Callee >= 0:
		return "call"
	}
	return libraryPrefix + c.Name
}

// intrinsics gives the kinds of intrinsics that leave code, by name without types.
// The others, such as those for debuggers and lifetimes, leave none.
var intrinsics = map[string]opClass{
	"sqrt": {"sqrt", floating, true}, "fabs": {"fadd", floating, true}, "copysign": {"fadd", floating, true},
	"minnum": {"fadd", floating, true}, "maxnum": {"fadd", floating, true},
	"floor": {"convert", floating, false}, "ceil": {"convert", floating, false}, "trunc": {"convert", floating, false}, "rint": {"convert", floating, false},
	"fmuladd": {"fmul", floating, true}, "fma": {"fmul", floating, true},
	"smax": {"select", integer, false}, "smin": {"select", integer, false}, "umax": {"select", integer, false}, "umin": {"select", integer, false},
	"abs": {"select", integer, false}, "uadd": {"alu", integer, true}, "usub": {"alu", integer, true}, "sadd": {"alu", integer, true}, "ssub": {"alu", integer, true},
	"umul": {"mul", integer, true}, "smul": {"mul", integer, true},
	"bswap": {"bits", integer, false}, "bitreverse": {"bits", integer, false}, "ctpop": {"bits", integer, false},
	"ctlz": {"bits", integer, false}, "cttz": {"bits", integer, false}, "fshl": {"shift", integer, true}, "fshr": {"shift", integer, true},
}

// bodies are intrinsics that stand for a function or a loop.
var bodies = []string{"memcpy", "memmove", "memset", "sin", "cos", "tan", "exp", "exp2", "log", "log2", "log10", "pow", "powi", "round", "ldexp"}

func (s Scheme) intrinsic(name, typ string) string {
	base, _, _ := strings.Cut(name, ".")
	if c, ok := intrinsics[base]; ok {
		return s.named(c, typ)
	}
	if base == "vector" { // llvm.vector.reduce.add...
		return vectorPrefix + "shuffle"
	}
	for _, b := range bodies {
		if b == base {
			return libraryPrefix + b
		}
	}
	return ""
}
