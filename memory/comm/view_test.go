package comm

// This file holds views of a program of two functions to figures that are counted by hand.

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/memory"
	"pathspan/profile"
)

// two is a program of make, which writes a and b, and of use, which reads them in two lines.
func two() *profile.Bundle {
	loc := func(line int) ir.Loc { return ir.Loc{Line: line} }
	fn := func(i int, name string, line int) *ir.Func {
		return &ir.Func{Index: i, Name: name, Source: name, Loc: loc(line), Blocks: []*ir.Block{{Instrs: []ir.Instr{{Op: "ret", Loc: loc(line)}}}}}
	}
	place := func(fn, line int) memory.Place { return memory.Place{Func: fn, Loop: -1, Loc: loc(line)} }
	who := func(place int) memory.Who { return memory.Who{Place: place} }
	return &profile.Bundle{
		Program: &ir.Program{Files: []string{"app/two.c"}, Funcs: []*ir.Func{fn(0, "make", 1), fn(1, "use", 9)}},
		Funcs:   make([]*profile.FuncProfile, 2),
		Memory: &memory.Data{
			Places: []memory.Place{place(0, 2), place(1, 10), place(1, 11)},
			Lanes:  make([]memory.Lane, 1),
			Objects: []memory.Object{{Func: -1, Place: -1}, {Kind: memory.Global, Name: "a", Func: -1, Place: -1, Size: 40},
				{Kind: memory.Global, Name: "b", Func: -1, Place: -1, Size: 8}},
			Paths: make([]memory.Path, 1), Guards: make([]memory.Guard, 1),
			Flows: []memory.Flow{
				{Object: 1, From: who(0), To: who(1), Bytes: 80, Distinct: 40},
				{Object: 1, From: who(0), To: who(2), Bytes: 40, Distinct: 40},
				{Object: 2, From: who(0), To: who(2), Bytes: 8, Distinct: 8},
				{Object: 2, From: memory.Nobody, To: who(0), Bytes: 16, Distinct: 8},
				{Object: 2, From: who(0), To: who(0), Bytes: 4, Distinct: 4},
			},
			Writes: []memory.Write{{Object: 1, By: who(0), Bytes: 40}, {Object: 2, By: who(0), Bytes: 12}},
		},
	}
}

func TestView(t *testing.T) {
	c, err := Of(two())
	if err != nil {
		t.Fatal(err)
	}
	text := func(v *View) string {
		var b bytes.Buffer
		if err := v.EdgesCSV(&b, false); err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(b.String(), "\r\n", "\n")
	}
	const head = "producer,consumer,object,bytes,distinct_bytes,distinct_at_most,share\n"
	for _, x := range []struct {
		o    Options
		want string
	}{
		// 120 of the 148 bytes that are read; the lines of use may read the same 40 bytes first.
		{Options{By: Function}, "make,use,a,120,80,true,0.8108108108108109\n(outside),make,b,16,8,false,0.10810810810810811\nmake,use,b,8,8,false,0.05405405405405406\n"},
		{Options{By: Function, Share: 0.5}, "make,use,a,120,80,true,0.8108108108108109\n"},
		{Options{By: Function, Object: "b"}, "(outside),make,b,16,8,false,0.10810810810810811\nmake,use,b,8,8,false,0.05405405405405406\n"},
		{Options{By: Function, Function: "use"}, "make,use,a,120,80,true,0.8108108108108109\nmake,use,b,8,8,false,0.05405405405405406\n"},
		{Options{By: Line, Object: "a"}, "two.c:2 make,two.c:10 use,a,80,40,false,0.5405405405405406\ntwo.c:2 make,two.c:11 use,a,40,40,false,0.2702702702702703\n"},
		{Options{By: Object, Object: "b"}, "b,make,,20,12,false,0.13513513513513514\nmake,b,,12,0,false,0.23076923076923078\nb,use,,8,8,false,0.05405405405405406\n"},
	} {
		v, err := c.View(x.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(v); got != head+x.want || v.Read != 148 || v.Written != 52 {
			t.Errorf("%+v: %d read, %d written\n%s", x.o, v.Read, v.Written, got)
		}
	}
	v, _ := c.View(Options{By: Function})
	m := v.Matrix(false)
	sum := 0.0
	for i := range m.Bytes {
		for _, x := range m.Bytes[i] {
			sum += x
		}
	}
	if sum != 148 || len(m.Names) != 3 {
		t.Errorf("the matrix is %+v", m)
	}
	if g := v.Graph("two", false); len(g.Edges) != 2 || g.Edges[0].Label != "128 B" {
		t.Errorf("edges between the same two are not one: %+v", g.Edges)
	}
	for _, o := range []Options{{By: Function, Function: "used"}, {By: Object, Object: "c"}} {
		if _, err := c.View(o); err == nil || !strings.Contains(err.Error(), "there is no such") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	b := two()
	b.Memory = nil
	if _, err := Of(b); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

// TestPortsOfTwo shares a and b; make writes 52 bytes and reads 20, of which none knows how often.
func TestPortsOfTwo(t *testing.T) {
	c, err := Of(two())
	if err != nil {
		t.Fatal(err)
	}
	all := c.Ports(Function)
	if len(all) != 2 || all[0].Name != "use" || *all[0].Width != 48 || *all[0].Static != 96 || all[0].DynamicTotal != 128 || all[1].DynamicTotal != 72 {
		t.Errorf("%+v", all)
	}
	if p := all[0].Ports[0]; p.Object != "a" || p.Read != 120 || p.Reads != nil {
		t.Errorf("%+v", p)
	}
}
