package record

// This file records the flow of data of C programs, and holds what is scheduled of it to the
// results of the thesis (streams/flow/oracles_test.go walks the same programs by hand).

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/build/plan"
	"pathspan/build/toolchain"
	"pathspan/profile"
	"pathspan/streams"
)

// flowOf profiles a program with its flow.
func flowOf(t *testing.T, source, level string, functions []string, flags ...string) *profile.Bundle {
	t.Helper()
	return recorded(t, Options{Sources: []string{source}, Level: level, CFlags: flags, Flow: &Flow{Functions: functions}})
}

// recorded runs a program that succeeds.
func recorded(t *testing.T, opt Options) *profile.Bundle {
	t.Helper()
	return recordedBy(t, anyLLVM(t), opt)
}

func recordedBy(t *testing.T, tc *toolchain.Toolchain, opt Options) *profile.Bundle {
	t.Helper()
	r := &Recorder{Toolchain: tc, Dir: t.TempDir()}
	b, err := r.Build(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	bundle, status, err := r.Run(t.Context(), b, nil, Streams{Stdout: os.Stdout, Stderr: os.Stderr})
	if err != nil || status.Exit != 0 {
		t.Fatal(err, status)
	}
	return bundle
}

// scheduled finds when executions start, each statement on a unit of its own or none waiting
// for one, by the definition: reading, executing and writing in turn. It shares no code with
// package flow.
func scheduled(trace *streams.Trace, cost func(statement int) (interval, latency int64), absolute bool) (finish int64) {
	written, last := make([]int64, trace.Len()), map[int]int64{}
	for i := range trace.Len() {
		s := trace.Of(i)
		interval, latency := cost(s)
		var at int64
		for _, p := range trace.Producers(i) {
			at = max(at, written[p])
		}
		if trace.Does(i)&streams.Reads != 0 {
			at++
		}
		if before, ok := last[s]; ok && absolute {
			at = max(at, before+interval)
		}
		last[s] = at
		written[i] = at + latency + 1
		end := at + latency
		if trace.Does(i)&streams.Writes != 0 {
			end++
		}
		finish = max(finish, end)
	}
	return finish
}

func TestFlowOfTheThesis(t *testing.T) {
	alike := func(int) (int64, int64) { return 1, 3 }
	for _, c := range []struct {
		file, flags         string
		cost                func(name string) (int64, int64)
		absolute, unbounded int64
		statements          int
	}{
		{"filter.c", "", func(name string) (int64, int64) {
			return map[string]int64{"source": 2}[name] + map[string]int64{"foo": 1, "bar": 1, "sink": 1}[name], 1 + map[string]int64{"bar": 1}[name]
		}, 14, 8, 4},
		{"channels.c", "", nil, 19, 15, 3},
		{"channels.c", "-DMULTIPLE=1", nil, 29, 15, 3},
		{"channels.c", "-DREVERSED=1", nil, 23, 15, 3},
		{"channels.c", "-DREVERSED=1 -DMULTIPLE=1", nil, 33, 15, 3},
		{"predictor.c", "", nil, 83, 45, 3},
		{"atax.c", "", nil, 5042, 330, 6},
	} {
		for _, level := range []string{"0", "1", "2", "3"} {
			b := flowOf(t, filepath.Join("testdata/flow", c.file), level, nil, strings.Fields(c.flags)...)
			cost := alike
			if c.cost != nil {
				cost = func(s int) (int64, int64) { return c.cost(b.Program.Funcs[b.Flow.Statements[s].Func].Source) }
			}
			a, u := scheduled(b.Flow, cost, true), scheduled(b.Flow, cost, false)
			if a != c.absolute || u != c.unbounded || len(b.Flow.Statements) != c.statements || b.Flow.Omitted != 0 {
				t.Errorf("%s %s -O%s: %d and %d cycles, %d statements; want %d and %d, %d: %s", c.file, c.flags, level, a, u, len(b.Flow.Statements), c.absolute, c.unbounded, c.statements, dump(b))
			}
		}
	}
}

// dump lists the first executions.
func dump(b *profile.Bundle) string {
	var out strings.Builder
	for i := range min(b.Flow.Len(), 60) {
		s := b.Flow.Statements[b.Flow.Of(i)]
		fmt.Fprintf(&out, "\n%d: %s:%d does %d reads %v", i, b.Program.Funcs[s.Func].Source, s.Line, b.Flow.Does(i), b.Flow.Producers(i))
	}
	return out.String()
}

// TestFlowOfValues follows values through what code does with them between statements.
func TestFlowOfValues(t *testing.T) {
	want := []string{"r", "", "0 1", "2", "2", "4", "", "6", "r", "6", "0", "10", "6", "12", "r", "r", "r", "14 15 16", "", "18", "r"}
	for _, level := range []string{"0", "1", "2", "3"} {
		b := flowOf(t, "testdata/flow/values.c", level, nil)
		var got []string
		for i := range b.Flow.Len() {
			from := strings.Trim(fmt.Sprint(b.Flow.Producers(i)), "[]")
			if from == "" && b.Flow.Does(i)&streams.Reads != 0 {
				from = "r" // an input
			}
			got = append(got, from)
		}
		// What is stored and loaded again is what it was, but the optimiser knows a zero.
		if len(got) > 8 && got[8] == "" {
			got[8] = "r"
		}
		if !slices.Equal(got, want) {
			t.Errorf("-O%s: %q, want %q: %s", level, got, want, dump(b))
		}
	}
}

// TestFlowOfCombinedValues follows four million pairs of values that are combined, and then values combined of the same two again.
func TestFlowOfCombinedValues(t *testing.T) {
	b := flowOf(t, "testdata/flow/combined.c", "1", nil)
	const n = 2100
	if b.Flow.Len() != 3*n || b.Flow.Omitted != 0 {
		t.Fatalf("%d executions, %d left out; want %d and none", b.Flow.Len(), b.Flow.Omitted, 3*n)
	}
	for j := range n {
		want := []int32{n - 1, int32(n + j)} // the last of a, and one of b
		if j > 0 {
			want = append(want, int32(2*n+j-1)) // which wrote seen
		}
		if got := b.Flow.Producers(2*n + j); !slices.Equal(got, want) {
			t.Fatalf("sink %d reads of %v, want %v", j, got, want)
		}
	}
}

// TestFlowOfNames records calls of functions that are named, whatever these call.
func TestFlowOfNames(t *testing.T) {
	b := flowOf(t, "testdata/flow/predictor.c", "2", []string{"predictor"})
	if b.Flow.Len() != 1 || len(b.Flow.Statements) != 1 || b.Flow.Does(0) != streams.Reads|streams.Writes|streams.Enters {
		t.Errorf("%+v: %s", b.Flow.Statements, dump(b))
	}
	b = flowOf(t, "testdata/flow/predictor.c", "2", []string{"source", "sink"})
	if b.Flow.Len() != 25+16 || !slices.Equal(b.Flow.Producers(25), []int32{1, 5}) {
		t.Errorf("%+v: %s", b.Flow.Statements, dump(b))
	}
	tc := anyLLVM(t)
	r := &Recorder{Toolchain: tc, Dir: t.TempDir()}
	_, err := r.Build(context.Background(), Options{Sources: []string{"testdata/flow/twins1.c", "testdata/flow/twins2.c"}, Level: "2", Flow: &Flow{}})
	if want := "--flow: two sources have a function helper of their own; give one of them another name"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for name, want := range map[string]string{"sourc": "--statements sourc: the sources define no such function, but source", "main": "--statements main: the program is one call of it; name functions that it calls"} {
		_, err := r.Build(context.Background(), Options{Sources: []string{"testdata/flow/predictor.c"}, Level: "2", Flow: &Flow{Functions: []string{name}}})
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// TestFlowOfExceptions: a statement that throws is over where that is caught.
func TestFlowOfExceptions(t *testing.T) {
	if tc := anyLLVM(t); tc.ClangXX == "" {
		t.Skip("no clang++")
	}
	for _, level := range []string{"0", "2"} {
		b := flowOf(t, "testdata/flow/caught.cc", level, nil)
		var got []string
		for i := range b.Flow.Len() {
			got = append(got, fmt.Sprint(b.Program.Funcs[b.Flow.Statements[b.Flow.Of(i)].Func].Source, b.Flow.Producers(i)))
		}
		want := "risky[] risky[] risky[] risky[] twice<int>[0] twice<int>[1] twice<int>[] twice<int>[3]"
		if strings.Join(got, " ") != want {
			t.Errorf("-O%s: %s, want %s", level, strings.Join(got, " "), want)
		}
	}
}

// TestFlowBesideMemory: a run that tells of both tells of each what it does alone.
func TestFlowBesideMemory(t *testing.T) {
	for _, source := range []string{"values.c", "predictor.c", "caught.cc"} {
		if tc := anyLLVM(t); source == "caught.cc" && tc.ClangXX == "" {
			t.Skip("no clang++")
		}
		for _, level := range []string{"0", "2"} {
			record := func(opt Options) *profile.Bundle {
				opt.Sources, opt.Level = []string{filepath.Join("testdata/flow", source)}, level
				return recorded(t, opt)
			}
			flow, both := record(Options{Flow: &Flow{}}), record(Options{Flow: &Flow{}, Memory: true})
			if both.Flow.Len() == 0 || !bytes.Equal(both.Flow.Code(), flow.Flow.Code()) || !slices.Equal(both.Flow.Statements, flow.Flow.Statements) {
				t.Errorf("%s -O%s: beside memory%s\nalone%s", source, level, dump(both), dump(flow))
			}
			if level != "0" {
				continue // what is inlined is another program
			}
			memory, is := record(Options{Memory: true}).Memory, both.Memory
			for what, same := range map[string]bool{"flows": slices.Equal(is.Flows, memory.Flows), "writes": slices.Equal(is.Writes, memory.Writes),
				"what loops carry": slices.Equal(is.Carried, memory.Carried), "objects": len(is.Objects) == len(memory.Objects)} {
				if !same || len(is.Flows) == 0 {
					t.Errorf("%s -O%s: beside the flow of data %s are others than alone", source, level, what)
				}
			}
		}
	}
}

// TestFlowOfLoops: of a plan's tasks each execution is one, loops among them; what they read of each other is in the source.
func TestFlowOfLoops(t *testing.T) {
	p, err := plan.Parse("plan.yaml", []byte("plan:\n  - task: [loops.c:8, loops.c:10, loops.c:12, loops.c:14]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []string{"0", "2"} {
		b := recorded(t, Options{Sources: []string{"testdata/flow/loops.c"}, Level: level, Plan: p, Flow: &Flow{}})
		if b.Flow.Len() != 5*4 || len(b.Flow.Statements) != 4 {
			t.Fatalf("-O%s: %s", level, dump(b))
		}
		for i := range b.Flow.Len() {
			from := int32(i - i%4)
			want := [][]int32{{}, {from}, {from}, {from - 1, from + 1, from + 2}}[i%4]
			if i == 3 {
				want = want[1:] // the first reads no sum
			}
			got := b.Flow.Producers(i)
			if sizes := b.Flow.Bytes(i); !slices.Equal(got, want) || slices.ContainsFunc(sizes, func(n uint32) bool { return n != 64*8 }) || len(sizes) != len(want) {
				t.Errorf("-O%s: execution %d reads %d of %v, want %v", level, i, sizes, got, want)
			}
		}
	}
}

// TestFlowElsewhere: who reads what of whom does not hang on the machine that a program is built for.
func TestFlowElsewhere(t *testing.T) {
	for _, triple := range []string{"aarch64-linux-gnu", "riscv64-linux-gnu", "arm-linux-gnueabihf"} {
		t.Run(triple, func(t *testing.T) {
			tc := elsewhere(t, triple, 0)
			for _, source := range []string{"own.c", "predictor.c", "values.c"} {
				for _, level := range []string{"0", "2"} {
					opt := Options{Sources: []string{filepath.Join("testdata/flow", source)}, Level: level, Flow: &Flow{}}
					want := recorded(t, opt)
					opt.Memory = level == "2"
					got := recordedBy(t, tc, opt)
					if got.Flow.Len() == 0 || dump(got) != dump(want) || !slices.Equal(got.Flow.Overwrites, want.Flow.Overwrites) {
						t.Errorf("%s -O%s: overwrites %v%s\nhere %v%s", source, level, got.Flow.Overwrites, dump(got), want.Flow.Overwrites, dump(want))
					}
					for i := range got.Flow.Len() {
						a, b := got.Flow.Bytes(i), want.Flow.Bytes(i)
						if source == "values.c" && i == 11 && !strings.HasPrefix(triple, "arm-") {
							b = []uint32{8} // what is passed by value goes by reference there, and is read
						}
						if !slices.Equal(a, b) {
							t.Errorf("%s -O%s: execution %d reads %d bytes, here %d", source, level, i, a, b)
						}
					}
					if opt.Memory && (got.Memory == nil || len(got.Memory.Flows) == 0) {
						t.Errorf("%s: nothing of memory", source)
					}
				}
			}
		})
	}
}
