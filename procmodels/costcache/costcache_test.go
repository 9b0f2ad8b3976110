package costcache

// This file checks entries and the limit.

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"pathspan/ir"
	"pathspan/procmodels"
)

// random makes a program of functions of one block, and costs of it, with all that costs
// can have.
func random(r *rand.Rand, functions int) (*ir.Program, *procmodels.Costs) {
	p := &ir.Program{}
	for i := range functions {
		b := &ir.Block{Instrs: []ir.Instr{{Op: "call", Call: &ir.Call{Callee: -1, Name: "f"}}}, Succs: []int{0}}
		p.Funcs = append(p.Funcs, &ir.Func{Index: i, Blocks: []*ir.Block{b}})
	}
	t := procmodels.NewTally("m", p)
	t.Costs.Warnings = []string{"a remark: ü"}
	for i := range p.Funcs {
		bc := &t.Costs.Blocks[i][0]
		bc.Cycles = 1 + 100*r.Float64()
		bc.Best, bc.Worst = bc.Cycles*r.Float64(), bc.Cycles*(1+r.Float64())
		bc.After = []procmodels.AfterCost{{Pred: 0, Cycles: r.Float64()}}
		bc.Included = []int{0}
		t.Assume(bc, fmt.Sprint("reason ", r.IntN(20)), r.Float64(), 1+r.IntN(5))
		t.Vary(bc, procmodels.Factor{Name: fmt.Sprint("latency ", r.IntN(20)), Bounded: true}, r.Float64(), r.Float64())
	}
	return p, t.Costs
}

func TestEntriesComeBack(t *testing.T) {
	c := &Cache{Dir: filepath.Join(t.TempDir(), "new"), Limit: limit}
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 7))
		p, want := random(r, 1+int(seed)*50)
		key := Key{byte(seed)}
		if c.Get(key, p, "m") != nil {
			t.Fatal("an entry before it was put")
		}
		c.Put(key, want)
		if got := c.Get(key, p, "m"); !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: the entry came back different", seed)
		}
		if other, _ := random(r, 2000); c.Get(key, other, "m") != nil {
			t.Errorf("seed %d: an entry was taken for another program's", seed)
		}
	}
}

// TestDamage flips and cuts an entry at many places: it is whole or it is none.
func TestDamage(t *testing.T) {
	c := &Cache{Dir: t.TempDir(), Limit: limit}
	r := rand.New(rand.NewPCG(1, 8))
	p, want := random(r, 30)
	c.Put(Key{}, want)
	data, err := os.ReadFile(c.path(Key{}))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(data); i += 1 + len(data)/100 {
		flipped := append([]byte{}, data...)
		flipped[i] ^= 1 << (i % 8)
		for _, bad := range [][]byte{flipped, data[:i]} {
			if err := os.WriteFile(c.path(Key{}), bad, 0o644); err != nil {
				t.Fatal(err)
			}
			if got := c.Get(Key{}, p, "m"); got != nil && !reflect.DeepEqual(got, want) {
				t.Errorf("damage at byte %d gives other costs", i)
			}
		}
	}
	c.Put(Key{}, want)
	if got := c.Get(Key{}, p, "m"); !reflect.DeepEqual(got, want) {
		t.Error("a damaged entry was not replaced")
	}
}

// TestLimit keeps the entries used last, and nothing but entries is removed.
func TestLimit(t *testing.T) {
	c := &Cache{Dir: t.TempDir()}
	r := rand.New(rand.NewPCG(1, 9))
	p, costs := random(r, 30)
	c.Limit = 1 << 30
	now := time.Now()
	for i := range 5 {
		c.Put(Key{byte(i)}, costs)
		at := now.Add(time.Duration(i-100) * time.Minute)
		if err := os.Chtimes(c.path(Key{byte(i)}), at, at); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(c.path(Key{}))
	if err != nil {
		t.Fatal(err)
	}
	other, left := filepath.Join(c.Dir, "README"), filepath.Join(c.Dir, ".part-1")
	for _, path := range []string{other, left} {
		if err := os.WriteFile(path, make([]byte, 1<<20), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old := now.Add(-2 * abandoned)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	if c.Get(Key{0}, p, "m") == nil { // the oldest is used again
		t.Fatal("no entry")
	}
	c.Limit = info.Size() * 4
	c.Put(Key{9}, costs)
	for i, want := range map[byte]bool{0: true, 1: false, 2: false, 3: false, 4: true, 9: true} {
		if i == 3 {
			continue // at the edge: sizes of entries are alike, nine tenths of four are three
		}
		if got := c.Get(Key{i}, p, "m") != nil; got != want {
			t.Errorf("entry %d is there: %v, want %v", i, got, want)
		}
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("another file went")
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what was left behind stays")
	}
}

func TestFromEnvironment(t *testing.T) {
	t.Setenv(Variable, "off")
	if c := FromEnvironment(); c != nil || c.Get(Key{}, nil, "") != nil {
		t.Error("off is a cache")
	}
	FromEnvironment().Put(Key{}, nil)
	t.Setenv(Variable, "/x")
	if c := FromEnvironment(); c.Dir != filepath.Join("/x", "costs") {
		t.Errorf("folder %s", c.Dir)
	}
	t.Setenv(Variable, "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if c := FromEnvironment(); c == nil || filepath.Base(filepath.Dir(c.Dir)) != "pathspan" {
		t.Errorf("folder %v", c)
	}
	// A folder that cannot be made is no reason to fail.
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	(&Cache{Dir: filepath.Join(file, "costs")}).Put(Key{}, nil)
}
