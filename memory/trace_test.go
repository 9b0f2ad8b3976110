package memory

// This file holds the run-time library to a second account of the same accesses, byte by byte.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

type event [4]uint64

const (
	readEvent = iota
	writeEvent
	loopBegin
	loopNext
	loopLeft
	renewEvent
	laneEvent
)

// byteOf is what a second account knows of a byte.
type byteOf struct {
	object  uint64
	writer  uint64 // lane and place
	readers map[uint64]bool
	written int // event of the last write, -1 for none
}

// account is told of the same events.
type account struct {
	bytes  map[uint64]*byteOf
	now    int
	lane   uint64
	levels []struct {
		loop             uint64
		entered, current int
	}
	flows   map[[3]uint64][2]uint64
	writes  map[[2]uint64]uint64
	carried map[[4]uint64]uint64 // flow and output dependences, in bytes
	lines   []uint64             // most recent last
	reuse   map[int]uint64
}

func newAccount() *account {
	return &account{bytes: map[uint64]*byteOf{}, lane: 1, flows: map[[3]uint64][2]uint64{}, writes: map[[2]uint64]uint64{}, carried: map[[4]uint64]uint64{}, reuse: map[int]uint64{}}
}

func (a *account) at(address uint64) *byteOf {
	b := a.bytes[address]
	if b == nil {
		b = &byteOf{readers: map[uint64]bool{}, written: -1}
		a.bytes[address] = b
	}
	return b
}

// carry counts a dependence on what was done then.
func (a *account) carry(kind, from, to uint64, then int) {
	for i := len(a.levels) - 1; i >= 0; i-- {
		if l := a.levels[i]; then >= l.current {
			return
		} else if then >= l.entered {
			a.carried[[4]uint64{kind<<32 | l.loop, from, to}]++
			return
		}
	}
}

func (a *account) use(line uint64) {
	if n := len(a.lines); n > 0 && a.lines[n-1] == line {
		return
	}
	at := slices.Index(a.lines, line)
	if at < 0 {
		a.reuse[-1]++
	} else {
		a.reuse[len(a.lines)-at]++
		a.lines = slices.Delete(a.lines, at, at+1)
	}
	a.lines = append(a.lines, line)
}

func (a *account) play(e event) {
	a.now++
	who := a.lane<<32 | (e[1] + 1)
	switch e[0] {
	case readEvent, writeEvent:
		for address := e[2]; address < e[2]+e[3]; address++ {
			b := a.at(address)
			if address == e[2] || address%64 == 0 {
				a.use(address / 64)
			}
			if e[0] == readEvent {
				f := a.flows[[3]uint64{b.object, b.writer, who}]
				f[0]++
				if !b.readers[who] {
					f[1]++
				}
				a.flows[[3]uint64{b.object, b.writer, who}] = f
				b.readers[who] = true
				if b.written >= 0 {
					a.carry(0, b.writer, who, b.written)
				}
				continue
			}
			if b.written >= 0 {
				a.carry(1, b.writer, who, b.written)
			}
			a.writes[[2]uint64{b.object, who}]++
			b.writer, b.written, b.readers = who, a.now, map[uint64]bool{}
		}
	case loopBegin:
		a.levels = append(a.levels[:e[1]-1], struct {
			loop             uint64
			entered, current int
		}{e[2], a.now, a.now})
	case loopNext:
		a.levels = a.levels[:e[1]]
		a.levels[e[1]-1].current = a.now
	case loopLeft:
		a.levels = a.levels[:e[1]]
	case renewEvent:
		for address := e[2]; address < e[2]+e[3]; address++ {
			*a.at(address) = byteOf{object: e[1], readers: map[uint64]bool{}, written: -1}
		}
	case laneEvent:
		a.lane = e[1]
	}
}

// randomTrace makes accesses of all sizes to a small memory, in loops that nest.
func randomTrace(r *rand.Rand, n int) []event {
	var out []event
	depth := uint64(0)
	base := uint64(0x10000000) + uint64(r.IntN(64))
	room := 64 << r.IntN(8)
	for range n {
		at := base + uint64(r.IntN(room))
		size := uint64(1) << r.IntN(5)
		if r.IntN(3) > 0 {
			at &^= size - 1
		}
		switch k := r.IntN(40); {
		case k < 20:
			out = append(out, event{readEvent, uint64(r.IntN(4)), at, size})
		case k < 30:
			out = append(out, event{writeEvent, uint64(r.IntN(4)), at, size})
		case k < 32 && depth < 4:
			depth++
			out = append(out, event{loopBegin, depth, uint64(r.IntN(5))})
		case k < 36 && depth > 0:
			depth -= uint64(r.IntN(int(depth)))
			out = append(out, event{loopNext, depth})
		case k < 37 && depth > 0:
			depth--
			out = append(out, event{loopLeft, depth})
		case k == 38:
			out = append(out, event{renewEvent, uint64(1 + r.IntN(3)), at, uint64(r.IntN(100))})
		case k == 39:
			out = append(out, event{laneEvent, uint64(1 + r.IntN(3))})
		}
	}
	return out
}

func player(t *testing.T) string {
	t.Helper()
	clang, err := exec.LookPath("clang")
	for _, v := range []string{"22", "19", "16", "14"} {
		if err != nil {
			clang, err = exec.LookPath("clang-" + v)
		}
	}
	if err != nil {
		t.Skip(err)
	}
	exe := filepath.Join(t.TempDir(), "trace")
	args := []string{"-O2", "-I../build/runtime", "testdata/trace.c"}
	for _, f := range []string{"memory", "states", "levels", "reuse", "objects", "memoryfile"} {
		args = append(args, "../build/runtime/"+f+".c")
	}
	if out, err := exec.Command(clang, append(args, "-o", exe)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

func TestLibraryAgainstBytes(t *testing.T) {
	exe := player(t)
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		trace := randomTrace(r, 3000)
		a := newAccount()
		var in bytes.Buffer
		for _, e := range trace {
			a.play(e)
			binary.Write(&in, binary.LittleEndian, e)
		}
		cmd := exec.Command(exe)
		cmd.Stdin = &in
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		words := make([]uint64, len(out)/8)
		if err := binary.Read(bytes.NewReader(out), binary.LittleEndian, words); err != nil {
			t.Fatal(err)
		}
		flowsGot, writesGot, reuseGot := map[[3]uint64][2]uint64{}, map[[2]uint64]uint64{}, map[int64]uint64{}
		carriedGot := map[string]bool{}
		for w := range slices.Chunk(words, 6) {
			switch w[0] {
			case flows:
				f := flowsGot[[3]uint64{w[1], w[2], w[3]}]
				flowsGot[[3]uint64{w[1], w[2], w[3]}] = [2]uint64{f[0] + w[4], f[1] + w[5]}
			case written:
				writesGot[[2]uint64{w[1], w[2]}] += w[4]
			case carried:
				if w[1]>>32 < 2 {
					carriedGot[fmt.Sprint(w[1], w[2], w[3])] = true
				}
			case reuse:
				reuseGot[int64(w[2])] += w[4]
			}
		}
		if fmt.Sprint(flowsGot) != fmt.Sprint(a.flows) {
			t.Fatalf("seed %d: flows\n%v, want\n%v", seed, flowsGot, a.flows)
		}
		if fmt.Sprint(writesGot) != fmt.Sprint(a.writes) {
			t.Fatalf("seed %d: writes %v, want %v", seed, writesGot, a.writes)
		}
		carriedWant := map[string]bool{}
		for k := range a.carried {
			carriedWant[fmt.Sprint(k[0], k[1], k[2])] = true
		}
		if fmt.Sprint(carriedGot) != fmt.Sprint(carriedWant) {
			t.Fatalf("seed %d: carried\n%v, want\n%v", seed, carriedGot, carriedWant)
		}
		// Groups of lines: uses behind at most so many others.
		bounds := []int64{-1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512}
		want := map[int64]uint64{}
		for n, times := range a.reuse {
			for i, b := range bounds {
				if n < 0 || i > 0 && int64(n) <= b {
					want[b] += times
					break
				}
			}
		}
		if fmt.Sprint(reuseGot) != fmt.Sprint(want) {
			t.Fatalf("seed %d: reuse %v, want %v", seed, reuseGot, want)
		}
	}
}
