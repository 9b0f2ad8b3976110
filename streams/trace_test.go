package streams_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"pathspan/streams"
)

// TestCode packs random traces and reads them back.
func TestCode(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		a := &streams.Trace{Statements: make([]streams.Statement, 5)}
		for i := range rng.IntN(200) {
			var from []int32
			for range rng.IntN(4) {
				if p := int32(rng.IntN(i + 1)); int(p) < i && !slices.Contains(from, p) {
					from = append(from, p)
				}
			}
			sizes := make([]uint32, len(from))
			for k := range sizes {
				sizes[k] = rng.Uint32() >> rng.IntN(32)
			}
			if err := a.AddSized(rng.IntN(5), streams.Does(rng.IntN(8)), from, sizes); err != nil {
				t.Fatal(err)
			}
		}
		a.Overwrites = []streams.Overwrite{{From: 1, To: 0, Back: 5}, {From: 1, To: 4, Back: 1 << 63}}
		told := a.Code()
		for _, x := range []uint64{1, 4, 1 << 63, 1, 0, 5, 2, uint64(a.Len())} { // in the order in which they came
			told = binary.LittleEndian.AppendUint64(told, x)
		}
		b := &streams.Trace{Statements: a.Statements}
		if err := b.Ran(binary.LittleEndian.AppendUint64(told, 7)); err != nil {
			t.Fatal(err)
		}
		if b.Omitted != 7 || !slices.Equal(a.Overwrites, b.Overwrites) || !bytes.Equal(a.Code(), b.Code()) {
			t.Fatalf("%x and %x, %d left out", a.Code(), b.Code(), b.Omitted)
		}
		for i := range a.Len() {
			if a.Of(i) != b.Of(i) || a.Does(i) != b.Does(i) || !slices.Equal(a.Producers(i), b.Producers(i)) || !slices.Equal(a.Bytes(i), b.Bytes(i)) {
				t.Fatalf("execution %d differs", i)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	a := &streams.Trace{Statements: make([]streams.Statement, 1)}
	if a.Add(1, 0) == nil || a.Add(0, 0, 0) == nil || a.Add(0, 0, -1) == nil {
		t.Error("an execution of no statement, or before its producer, was taken")
	}
	if err := a.Add(0, 0); err != nil {
		t.Fatal(err)
	}
	if a.AddSized(0, 0, []int32{0}, []uint32{1}) == nil {
		t.Error("some executions say how much they read, others not")
	}
	if a.Add(0, 0, 0, 0) == nil {
		t.Error("one producer was taken twice")
	}
	for _, code := range []string{"\x00", "\x08\x00", "\x00\x01", "\x00\x01\x00", "\x00\x01\x09", "\x80", "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"} {
		if b := (&streams.Trace{Statements: make([]streams.Statement, 1)}); b.Decode([]byte(code), false) == nil {
			t.Errorf("%q was read", code)
		}
	}
	b := &streams.Trace{Statements: []streams.Statement{{Func: 2}}}
	if b.Check(3) != nil || b.Check(2) == nil {
		t.Error("functions that there are not, or that there are")
	}
	if b.Ran([]byte("short")) == nil || b.Ran(make([]byte, streams.Told+2)) == nil {
		t.Error("a run that does not say how it ended was read")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\x00\x00\x07\x01\x01"))
	f.Fuzz(func(t *testing.T, code []byte) {
		a := &streams.Trace{Statements: make([]streams.Statement, 3)}
		if a.Decode(code, len(code)%2 == 1) != nil {
			return
		}
		b := &streams.Trace{Statements: a.Statements}
		if err := b.Decode(a.Code(), a.Sized()); err != nil || !bytes.Equal(a.Code(), b.Code()) {
			t.Errorf("%x became %x (%v)", a.Code(), b.Code(), err)
		}
	})
}
