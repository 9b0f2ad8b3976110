package openmp

// This file says which threads of a region execute an instruction of its function: all of them, one
// of them, or each a share.

import (
	"regexp"
	"strings"

	"pathspan/ir/asm"
)

var byval = regexp.MustCompile(`\bbyval\(`)

type executors uint8

const (
	byNobody   executors = iota // it is not reached, or by ways that do not agree
	byAll                       // outside of constructs
	byShare                     // a worksharing loop or sections
	byOne                       // single
	byMaster                    // master, masked
	inOrder                     // combining of a reduction
	underLock                   // critical
	unknownWho                  // in what is not understood
)

// who is the executors of an instruction, and which construct of the function says so.
type who struct {
	kind   executors
	number int  // of the construct; that of a critical part's around it is lost
	static bool // of a share: which thread has what follows from the loop alone
}

// executorsOf returns who executes what, by block and instruction; nil where that is not understood.
func executorsOf(g *graph) [][]who {
	out := make([][]who, len(g.f.Blocks))
	for b, block := range g.f.Blocks {
		out[b] = make([]who, len(block.Instrs))
	}
	begin := make([]who, len(g.f.Blocks))
	begin[0] = who{kind: byAll}
	behind := map[int]who{} // where a reduction ends: who it was before
	number := map[*asm.Instr]int{}
	for b, block := range g.f.Blocks {
		for i, in := range block.Instrs {
			if in.Opaque() && !in.IsDebug() {
				return nil
			}
			number[in] = b<<12 | i
		}
	}
	work := []int{0}
	give := func(name string, w who) {
		t := g.f.Block(name)
		if t == nil {
			return
		}
		k := g.index[t]
		if before, ok := behind[k]; ok {
			w = before
		}
		switch {
		case begin[k].kind == byNobody:
			begin[k] = w
			work = append(work, k)
		case begin[k] != w && begin[k].kind != unknownWho:
			begin[k] = who{kind: unknownWho}
			work = append(work, k)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		block, now := g.f.Blocks[b], begin[b]
		var first *who // of the first successor, where it is another
		var rest *who
		all := who{kind: byAll}
		reduces := false
		for i, in := range block.Instrs {
			out[b][i] = now
			c := in.Call()
			if c == nil || in.IsDebug() || now.kind == unknownWho {
				continue
			}
			name, is := strings.CutPrefix(c.Callee, "__kmpc_")
			if !is {
				switch c.Callee {
				case "omp_set_lock", "omp_set_nest_lock", "pthread_mutex_lock":
					if now == all {
						now = who{kind: underLock}
					}
				case "omp_unset_lock", "omp_unset_nest_lock", "pthread_mutex_unlock":
					if now.kind == underLock {
						now = all
					}
				case "omp_test_lock", "omp_test_nest_lock", "pthread_mutex_trylock":
					now = who{kind: unknownWho}
				}
				continue
			}
			switch {
			case strings.HasPrefix(name, "for_static_init_"):
				now = who{byShare, number[in], c.Args[2].Value == "33" || c.Args[2].Value == "34"}
			case name == "for_static_fini":
				now = all
			case strings.HasPrefix(name, "dispatch_init_"):
				now = who{kind: byShare, number: number[in]}
			case strings.HasPrefix(name, "dispatch_next_"):
				rest = &all
			case name == "single":
				first = &who{kind: byOne, number: number[in]}
			case name == "master" || name == "masked":
				first = &who{kind: byMaster}
			case name == "end_single" || name == "end_master" || name == "end_masked":
				now = all
			case name == "reduce" || name == "reduce_nowait":
				reduces = true
			case name == "critical" || name == "critical_with_hint":
				if now.kind == byAll {
					now = who{kind: underLock}
				}
			case name == "end_critical":
				if now.kind == underLock {
					now = all
				}
			case strings.HasPrefix(name, "dist_for_"), strings.HasPrefix(name, "distribute_"), strings.HasPrefix(name, "doacross_"), strings.HasPrefix(name, "cancel"), name == "flush", name == "ordered", name == "serialized_parallel":
				return nil
			}
		}
		succs := block.Succs()
		if reduces && len(succs) > 0 { // the first of the switch is where nothing is left to do
			if t := g.f.Block(succs[0]); t != nil {
				behind[g.index[t]] = now
			}
			give(succs[0], now)
			for _, s := range succs[1:] {
				give(s, who{kind: inOrder})
			}
			continue
		}
		for i, s := range succs {
			switch {
			case i == 0 && first != nil:
				give(s, *first)
			case i > 0 && rest != nil:
				give(s, *rest)
			default:
				give(s, now)
			}
		}
	}
	return out
}
