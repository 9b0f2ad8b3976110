package probe

// This file adds functions to the module that do what only the module can: its tables
// are internal and never address-taken. Their text is functions.ll, which is filled in
// for the module at hand.

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"
)

//go:embed functions.ll
var functionsText string

const (
	// walkBlock is how many words walks over counters and pairs look at together, so that
	// those that are zero cost less than an instruction each.
	walkBlock = 64
	// walkGroup is how many words of such a block are looked at together where some are
	// not zero.
	walkGroup = 8
	// siteLog and hashLog are the sizes of a site's and a hash table's pairs in bytes, as
	// powers of 2. A pair is a key and a count, 16 bytes. Functions are aligned, mostly to
	// as much, so the bits of a target's address above the lowest four tell its pair.
	siteLog = 7
	hashLog = 12
)

// functionValues fill in functions.ll.
type functionValues struct {
	Threads    bool
	Part       string // what names end in where the module is part of a program
	Times      string // the function that counts in the run-time library
	Counters   int
	Array      string // type of the counters
	Block      int    // walkBlock
	Group      int    // walkGroup
	BlockBytes int
	Sites      int // of indirect calls; the hash tables are owners of pairs behind them
	SiteLog    int
	SiteMask   int // of a target's address: where its pair is in a site's
	SiteBytes  int // of the pairs of all sites
	HashLog    int
	HashShift  int // of a key's hash: which of a table's pairs is the key's
	PairBytes  int // of all pairs
	Likely     int // metadata of branches
	Unlikely   int
}

const (
	// pairs names the array of keys with their counts.
	pairs = "__pathspan_pairs"
	// taken names the array that tells, for each block of it, whether a key has taken a pair.
	taken = "__pathspan_taken"
)

// addFunctions writes functions.ll into the module, and the pairs that they count in.
func (a *applier) addFunctions() {
	m := a.m
	v := functionValues{Part: a.p.suffix(), Times: timesFn, Threads: a.p.Threads, Counters: a.p.Counters, Array: a.p.array(), Block: walkBlock, Group: walkGroup, BlockBytes: 8 * walkBlock,
		Sites: len(a.out.CallSites), SiteLog: siteLog, SiteMask: 1<<siteLog - 16, HashLog: hashLog, HashShift: 64 - (hashLog - 4),
		Likely: m.AddMeta(`!{!"branch_weights", i32 2000, i32 1}`), Unlikely: m.AddMeta(`!{!"branch_weights", i32 1, i32 2000}`)}
	if a.p.Part != nil {
		v.Times = timesHereFn
	}
	v.SiteBytes = v.Sites << siteLog
	v.PairBytes = v.SiteBytes
	if !a.p.Threads {
		v.PairBytes += a.p.Tables << hashLog
	}
	v.PairBytes = upTo(v.PairBytes, v.BlockBytes)
	array, blocks := fmt.Sprintf("[%d x i8]", v.PairBytes), fmt.Sprintf("[%d x i8]", v.PairBytes/v.BlockBytes)
	a.globals(fmt.Sprintf("@%s = internal global %s zeroinitializer, align 16", pairs, array), fmt.Sprintf("@%s = internal global %s zeroinitializer", taken, blocks))
	at := func(array, name, index string) string {
		return fmt.Sprintf("getelementptr inbounds %s, %s @%s, i64 0, i64 %s", array, m.Pointer(array), name, index)
	}
	t, err := template.New("functions.ll").Funcs(template.FuncMap{
		"ptr":   m.Pointer,
		"at":    at,
		"pair":  func(index string) string { return at(array, pairs, index) },
		"taken": func(block string) string { return at(blocks, taken, block) },
		"first": func(kind int) string { return a.p.first(m, kind) },
		"load": func(name, from string, atomic bool) string {
			if atomic {
				return fmt.Sprintf("%s = load atomic i64, %s %s monotonic, align 8", name, a.i64ptr, from)
			}
			return fmt.Sprintf("%s = load i64, %s %s, align 8", name, a.i64ptr, from)
		},
	}).Parse(functionsText)
	var text strings.Builder
	if err == nil {
		err = t.Execute(&text, v)
	}
	a.failed(err)
	for f := range strings.SplitSeq(text.String(), "\n\n") {
		if at := strings.Index(f, "define "); at >= 0 {
			a.define(f[at:])
		}
	}
}

// array is the type of the counters, whose number is rounded up to a multiple of walkBlock.
func (p *Plan) array() string {
	return fmt.Sprintf("[%d x i64]", upTo(p.Counters, walkBlock))
}

// upTo rounds n up to a multiple of m.
func upTo(n, m int) int { return (n + m - 1) / m * m }
