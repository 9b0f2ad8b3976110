package asm_test

// This file measures the reader on ten megabytes of C++ and C.

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// tenMegabytes returns a valid module of about that size: the newest LLVM's
// modules of the corpus one behind the other. That their names clash does not
// matter to the reader.
func tenMegabytes(b *testing.B) []byte {
	var text bytes.Buffer
	all := samples(b)
	newest := all[len(all)-1].version
	for text.Len() < 10e6 {
		before := text.Len()
		for _, s := range all {
			if s.version == newest && text.Len() < 10e6 {
				text.Write(s.text)
			}
		}
		if text.Len() == before {
			b.Fatal("no text")
		}
	}
	return text.Bytes()
}

func BenchmarkParse(b *testing.B) {
	text := tenMegabytes(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if _, err := asm.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	m, err := asm.Parse(tenMegabytes(b))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		n, err := m.WriteTo(io.Discard)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(n)
	}
}

// BenchmarkBuild reads and parses everything: what the rest of the tool pays.
func BenchmarkBuild(b *testing.B) {
	text := tenMegabytes(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		m, err := asm.Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := ir.Build(m); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkInsertOnEdges is the edit that instrumentation makes: on every edge,
// in functions of growing size. Time per edge should not grow.
func BenchmarkInsertOnEdges(b *testing.B) {
	for _, blocks := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(blocks), func(b *testing.B) {
			var text bytes.Buffer
			text.WriteString("define void @f(i1 %c) {\nb0:\n  br label %b1\n")
			for i := 1; i < blocks; i++ {
				fmt.Fprintf(&text, "\nb%d:\n  %%p%d = phi i32 [ 0, %%b%d ]", i, i, i-1)
				if i > 1 {
					fmt.Fprintf(&text, ", [ 1, %%b%d ]", i-2)
				}
				fmt.Fprintf(&text, "\n  br i1 %%c, label %%b%d, label %%b%d\n", i+1, i+2)
			}
			fmt.Fprintf(&text, "\nb%d:\n  br label %%b%d\n\nb%d:\n  ret void\n}\n", blocks, blocks+1, blocks+1)
			n := 0
			for b.Loop() {
				m, err := asm.Parse(text.Bytes())
				if err != nil {
					b.Fatal(err)
				}
				f := m.Func("f")
				for _, blk := range f.Blocks[:blocks] {
					for k := range blk.Succs() {
						if _, err := f.InsertOnEdge(blk, k, "call void @hit(i32 1)"); err != nil {
							b.Fatal(err)
						}
						n++
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/edge")
		})
	}
}
