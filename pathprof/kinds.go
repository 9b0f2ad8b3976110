package pathprof

// This file chooses what the work of sections is counted in: few kinds of instructions, of
// which each joins instructions that processors charge alike.
//
// A model prices a lane as the sum of counts times prices of kinds, and takes these prices
// from the lane's own blocks, which it knows exactly. So what is lost is only how lanes
// mix instructions of one kind that cost differently, from one execution to the next. The
// kinds are chosen for each program, by Ward's linkage (J. H. Ward, Hierarchical grouping to
// optimize an objective function, 1963) of instruction names: the spread of typical prices
// within a kind, weighted by how often instructions are guessed to run. Prices are of
// kinds.txt rather than of models, which have no part in a profile; a model that is not
// among those that the file comes from is served as well as its prices are like theirs.

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// usualKinds is how many kinds a program's work is told in at most. On the programs of
// testdata/bench under two models, six keep the error of speed-ups by executions below 0.7 %
// and 0.05 % on average; with four or three it is up to 3 %. Eight fill the bounds of
// executions sooner, and programs whose executions differ much then lose more than they gain.
const usualKinds = 6

// sameKind joins kinds of which instructions differ by less than so much of their price.
const sameKind = 0.005

//go:embed kinds.txt
var kindsText string

// prices holds what instructions of a name cost under typical processors.
var prices = sync.OnceValue(func() map[string][]float64 {
	table := map[string][]float64{}
	for line := range strings.Lines(kindsText) {
		name, figures, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for _, s := range strings.Fields(figures) {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				panic("pathprof: prices: kinds.txt: " + line)
			}
			table[name] = append(table[name], x)
		}
	}
	return table
})

// otherName is the name of instructions that kinds.txt does not have.
const otherName = "other"

// instructionName names what an instruction of a block is charged by: opcode and class of
// type, or the function of the library that it calls. It is "" for what no processor
// executes.
func instructionName(in *ir.Instr, b *ir.Block) string {
	table := prices()
	known := func(names ...string) string {
		for _, n := range names {
			if table[n] != nil {
				return n
			}
		}
		return otherName
	}
	if c := in.Call; c != nil {
		if strings.HasPrefix(c.Name, "__pathspan") {
			return ""
		}
		if c.Callee >= 0 || c.Indirect || c.Name == "" {
			return known("call")
		}
		if rest, ok := strings.CutPrefix(c.Name, "llvm."); ok {
			base := rest
			for base != "" {
				if n := "call llvm." + base; table[n+" "+typeClass(in.Type)] != nil || table[n] != nil {
					return known(n+" "+typeClass(in.Type), n)
				}
				base = base[:max(0, strings.LastIndexByte(base, '.'))]
			}
			return known("call llvm")
		}
		return known("call "+c.Name, "call other")
	}
	op := in.Op
	if op == "br" {
		switch {
		case len(b.Succs) > 1:
			op = "br cond"
		case slices.ContainsFunc(b.Instrs[:len(b.Instrs)-1], func(i ir.Instr) bool {
			return i.Op != "phi" && (i.Call == nil || !strings.HasPrefix(i.Call.Name, "__pathspan"))
		}):
			op = "br jump"
		default:
			op = "br alone"
		}
	}
	return known(op+" "+typeClass(in.Type), op)
}

// typeClass joins types that processors work on alike.
func typeClass(t string) string {
	switch {
	case strings.HasPrefix(t, "<"):
		return "vector"
	case t == "float" || t == "double" || t == "half" || t == "x86_fp80" || t == "fp128":
		return t
	case t == "i64" || t == "i128":
		return t
	case t == "ptr" || strings.HasSuffix(t, "*"):
		return "ptr"
	}
	return "int"
}

// kind is a number of instruction names that are counted together.
type kind struct {
	names  []string // by descending weight
	weight float64  // how often its instructions are expected to run
	price  []float64
}

// title names a kind for people.
func (k *kind) title() string {
	const shown = 6
	if n := len(k.names) - shown; n > 0 {
		return strings.Join(k.names[:shown], ", ") + " and " + strconv.Itoa(n) + " more"
	}
	return strings.Join(k.names, ", ")
}

// share is what an instruction of the kind counts for: eighths of its typical price.
func (k *kind) share() uint32 {
	sum := 0.0
	for _, x := range k.price {
		sum += x
	}
	return uint32(max(1, math.Round(8*sum/float64(len(k.price)))))
}

// chooseKinds clusters the instruction names of the blocks that count.
func chooseKinds(p *ir.Program, inside [][]bool, most int) []*kind {
	weights := map[string]float64{}
	for fi, f := range p.Funcs {
		if !slices.Contains(inside[fi], true) {
			continue
		}
		c := flow.Analyze(f)
		guess := Number(Request{CFG: c}).often()
		for bi, b := range f.Blocks {
			if !inside[fi][bi] || !c.Reachable[bi] {
				continue
			}
			often := guess[bi]
			for i := range b.Instrs {
				if n := instructionName(&b.Instrs[i], b); n != "" {
					weights[n] += often
				}
			}
		}
	}
	names := make([]string, 0, len(weights))
	for n := range weights {
		if slices.ContainsFunc(prices()[n], func(x float64) bool { return x > 0 }) {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if weights[a] != weights[b] {
			if weights[a] > weights[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	var kinds []*kind
	for _, n := range names {
		kinds = append(kinds, &kind{[]string{n}, weights[n], slices.Clone(prices()[n])})
	}
	kinds = joinKinds(kinds, most)
	for _, k := range kinds {
		slices.SortFunc(k.names, func(a, b string) int { return slices.Index(names, a) - slices.Index(names, b) })
	}
	slices.SortFunc(kinds, func(a, b *kind) int { return slices.Index(names, a.names[0]) - slices.Index(names, b.names[0]) })
	return kinds
}

// joinKinds joins the two kinds that it costs least to join, until there are few and
// joining more costs something.
func joinKinds(kinds []*kind, most int) []*kind {
	square := 0.0
	for _, k := range kinds {
		for _, x := range k.price {
			square += k.weight * x * x
		}
	}
	for len(kinds) > 1 {
		first, second, best := 0, 0, math.Inf(1)
		for i := range kinds {
			for j := range i {
				if d := kinds[i].spread(kinds[j]); d < best {
					first, second, best = j, i, d
				}
			}
		}
		if len(kinds) <= most && best > sameKind*sameKind*square {
			break
		}
		a, b := kinds[first], kinds[second]
		joined := &kind{slices.Concat(a.names, b.names), a.weight + b.weight, make([]float64, len(a.price))}
		for m := range joined.price {
			joined.price[m] = (a.weight*a.price[m] + b.weight*b.price[m]) / joined.weight
		}
		kinds[first] = joined
		kinds = slices.Delete(kinds, second, second+1)
	}
	return kinds
}

// spread is how much joining two kinds adds to the spread of prices within kinds.
func (k *kind) spread(o *kind) float64 {
	d := 0.0
	for m := range k.price {
		x := k.price[m] - o.price[m]
		d += x * x
	}
	return d * k.weight * o.weight / (k.weight + o.weight)
}
