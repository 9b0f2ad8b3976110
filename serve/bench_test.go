package serve

// This file measures candidates a second, through JSON lines and through gRPC.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand"
	"testing"

	"pathspan/estimate"
	"pathspan/serve/servepb"
)

// subjects are what is served in benchmarks.
func subjects(b *testing.B) map[string]*estimate.Estimator {
	return map[string]*estimate.Estimator{"fun0": fun0(b), "sections=32,paths=50": synthetic(b, 2, 8, 50, 4)}
}

func BenchmarkLines(b *testing.B) {
	for name, e := range subjects(b) {
		s := service(b, e, 0)
		var lines bytes.Buffer
		r := rand.New(rand.NewSource(1))
		const n = 20000
		for i := range n {
			fmt.Fprintf(&lines, `{"id":%d,"sections":[`, i)
			for k := range s.places {
				if k > 0 {
					lines.WriteByte(',')
				}
				fmt.Fprint(&lines, r.Intn(len(e.Platform.Processors)))
			}
			lines.WriteString("]}\n")
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Lines(bytes.NewReader(lines.Bytes()), io.Discard); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "candidates/s")
		})
	}
}

func BenchmarkGRPC(b *testing.B) {
	for name, e := range subjects(b) {
		s := service(b, e, 0)
		c := client(b, s)
		r := rand.New(rand.NewSource(1))
		batch := &servepb.Batch{}
		const n, batches = 500, 40
		for range n {
			in := &servepb.Candidate{}
			for range s.places {
				in.Sections = append(in.Sections, int32(r.Intn(len(e.Platform.Processors))))
			}
			batch.Candidates = append(batch.Candidates, in)
		}
		b.Run(name, func(b *testing.B) {
			stream, err := c.Estimate(context.Background())
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				go func() {
					for range batches {
						stream.Send(batch)
					}
				}()
				for range batches {
					if _, err := stream.Recv(); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.N)*n*batches/b.Elapsed().Seconds(), "candidates/s")
			stream.CloseSend()
		})
	}
}

// BenchmarkEstimate is what a service cannot be faster than, on one core.
func BenchmarkEstimate(b *testing.B) {
	for name, e := range subjects(b) {
		s := service(b, e, 1)
		b.Run(name, func(b *testing.B) {
			w := newWorker(s)
			w.c.compact, w.c.serialAt = true, -1
			for range s.places {
				w.c.sections = append(w.c.sections, 1)
			}
			b.ReportAllocs()
			for b.Loop() {
				if f := w.estimate(); f != nil {
					b.Fatal(f)
				}
			}
		})
	}
}
