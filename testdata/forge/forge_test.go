package forge

// This file tests that equal bytes make equal changes, and that none make none.

import (
	"bytes"
	"math/rand"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"pathspan/profile/bundlepb"
)

func sample() *bundlepb.Bundle {
	b := &bundlepb.Bundle{Format: 1, Notes: [][]byte{[]byte("a"), []byte("b")}, Program: &bundlepb.Program{Strings: [][]byte{nil, []byte("br")}}}
	for range 3 {
		b.Program.Funcs = append(b.Program.Funcs, &bundlepb.Func{Name: []byte("f"), Blocks: []*bundlepb.Block{{Succs: []uint32{1, 2}, Ops: []uint32{1}}, {}}})
	}
	b.Executions = &bundlepb.Executions{Kinds: [][]byte{[]byte("add")}, Sums: []uint64{2}}
	return b
}

func TestMessage(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	same, changed := 0, 0
	for range 3000 {
		data := make([]byte, r.Intn(30))
		r.Read(data)
		a, b := sample(), sample()
		Message(a, data)
		Message(b, data)
		x, err := proto.MarshalOptions{Deterministic: true}.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		y, _ := proto.MarshalOptions{Deterministic: true}.Marshal(b)
		if !bytes.Equal(x, y) {
			t.Fatalf("%x makes two changes", data)
		}
		z, _ := proto.MarshalOptions{Deterministic: true}.Marshal(sample())
		if bytes.Equal(x, z) {
			same++
			if len(data) < change {
				continue
			}
		} else if len(data) < change {
			t.Fatalf("%x changes something", data)
		}
		changed++
	}
	if changed < 1000 || same > 1500 {
		t.Errorf("%d of 3000 change nothing", same)
	}
}

func TestLines(t *testing.T) {
	const text = "define void @f(i32 %0) {\n  %2 = add i32 %0, 1\n  ret void\n}\n"
	if got := strings.Join(words(text), ""); got != text {
		t.Errorf("words of %q are %q", text, got)
	}
	r := rand.New(rand.NewSource(1))
	changed := 0
	for range 1000 {
		data := make([]byte, r.Intn(30))
		r.Read(data)
		in := []byte(text)
		got := Lines(in, data)
		if !bytes.Equal(got, Lines([]byte(text), data)) || string(in) != text {
			t.Fatalf("%x makes two changes, or changes its input", data)
		}
		if string(got) != text {
			changed++
		}
	}
	if changed < 500 {
		t.Errorf("%d of 1000 change something", changed)
	}
}
