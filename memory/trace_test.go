package memory

// This file holds the run-time library to a second account of the same accesses, byte by byte.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pathspan/ir"
)

type event [4]uint64

const (
	readEvent = iota
	writeEvent
	loopBegin
	loopNext
	loopLeft
	renewEvent
	laneBegin
	sectionBegin
	laneEnd
	lockTaken
	lockGiven
	readRow // of pieces one behind the other: their size and, above 8 bits, how many
	writeRow
	loopLane // of a worksharing loop of so many iterations
	turnNext
	variableEvent
)

// byteOf is what a second account knows of a byte.
type byteOf struct {
	object  uint64
	writer  Who
	readers map[Who]bool
	written int // event of the last write, -1 for none
}

// around is a loop or lane under way: a loop has the number of its level, a lane none.
type around struct {
	level, loop      uint64
	lane             int
	held             []int
	began            int
	entered, current int
	inside           bool // of a region: a section is under way
	first, last      int  // its sections
}

// lineOf is what the account knows of a line of 64 bytes.
type lineOf struct {
	used   int
	writer int // lane, -1 for none
}

// account is told of the same events.
type account struct {
	bytes   map[uint64]*byteOf
	now     int
	under   []*around // lanes, the first is what is outside of all, and loops
	since   int       // a lane began or went on
	flows   map[string][2]uint64
	writes  map[string]uint64
	carried map[string][2]uint64 // flow and output dependences: accesses do not count, bytes do
	lines   []uint64             // most recent last
	info    map[uint64]*lineOf
	reuse   map[string]uint64
}

func newAccount() *account {
	return &account{bytes: map[uint64]*byteOf{}, under: []*around{{}}, flows: map[string][2]uint64{}, writes: map[string]uint64{},
		carried: map[string][2]uint64{}, info: map[uint64]*lineOf{}, reuse: map[string]uint64{}}
}

func (a *account) at(address uint64) *byteOf {
	b := a.bytes[address]
	if b == nil {
		b = &byteOf{writer: Nobody, readers: map[Who]bool{}, written: -1}
		a.bytes[address] = b
	}
	return b
}

// lane is the innermost lane under way.
func (a *account) lane() *around {
	for _, u := range slices.Backward(a.under) {
		if u.level == 0 {
			return u
		}
	}
	panic("there is no lane")
}

// carry counts a dependence on what was done then.
func (a *account) carry(kind Kind, object uint64, from, to Who, then int) {
	for _, u := range slices.Backward(a.under) {
		if u.entered <= then && then < u.current && (u.level > 0 || u.inside) {
			c := a.carried[fmt.Sprint(u.level > 0, u.loop, u.first, kind, object, from, to)]
			a.carried[fmt.Sprint(u.level > 0, u.loop, u.first, kind, object, from, to)] = [2]uint64{0, c[1] + 1}
		}
	}
}

// bounds are the sizes of caches that groups of lines end at.
var bounds = []int64{-1, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512}

func (a *account) use(line uint64, writes bool) {
	info := a.info[line]
	if info == nil {
		info = &lineOf{used: -1, writer: -1}
		a.info[line] = info
	}
	first := info.used < a.since
	at := slices.Index(a.lines, line)
	n := int64(-1)
	if at >= 0 {
		n = int64(len(a.lines) - at)
		a.lines = slices.Delete(a.lines, at, at+1)
	}
	a.lines = append(a.lines, line)
	if n != 1 || first {
		for i, b := range bounds {
			if n < 0 || i > 0 && n <= b {
				from := -1
				if first {
					from = info.writer
				}
				a.reuse[fmt.Sprint(a.lane().lane, first, from, b, writes)]++
				break
			}
		}
	}
	info.used = a.now
	if writes {
		info.writer = a.lane().lane
	}
}

func (a *account) play(e event) {
	if each, n := e[3]&255, e[3]>>8; e[0] == readRow || e[0] == writeRow {
		for i := range n {
			a.play(event{e[0] - readRow + readEvent, e[1], e[2] + i*each, each})
		}
		return
	}
	a.now++
	lane := a.lane()
	who := Who{Lane: lane.lane, Place: int(e[1])}
	for _, l := range lane.held { // as fmt would have it: a number for each chain
		who.Guard = who.Guard*10 + l + 1
	}
	switch e[0] {
	case readEvent, writeEvent:
		for address := e[2]; address < e[2]+e[3]; address++ {
			b := a.at(address)
			if address == e[2] || address%64 == 0 {
				a.use(address/64, e[0] == writeEvent)
			}
			if e[0] == readEvent {
				key := fmt.Sprint(b.object, b.writer, who)
				f := a.flows[key]
				f[0]++
				if !b.readers[who] {
					f[1]++
				}
				a.flows[key] = f
				b.readers[who] = true
				if b.written >= 0 {
					a.carry(FlowDependence, b.object, b.writer, who, b.written)
				}
				continue
			}
			if b.written >= 0 {
				a.carry(OutputDependence, b.object, b.writer, who, b.written)
			}
			a.writes[fmt.Sprint(b.object, who)]++
			b.writer, b.written, b.readers = who, a.now, map[Who]bool{}
		}
	case loopBegin:
		a.under = append(a.under, &around{level: e[1], loop: e[2], entered: a.now, current: a.now})
	case loopNext:
		a.upTo(e[1]).current = a.now
	case loopLeft:
		a.upTo(e[1] + 1)
		a.under = a.under[:len(a.under)-1]
	case renewEvent:
		for address := e[2]; address < e[2]+e[3]; address++ {
			*a.at(address) = byteOf{object: e[1], writer: Nobody, readers: map[Who]bool{}, written: -1}
		}
	case laneBegin:
		a.begin(int(e[1]))
	case sectionBegin:
		if again := lane.first != int(e[2]) || int(e[1]) <= lane.last; again {
			lane.first, lane.entered = int(e[2]), a.now
		}
		lane.last, lane.current, lane.inside = int(e[1]), a.now, true
		a.begin(int(e[1]))
	case laneEnd:
		for a.under[len(a.under)-1].level > 0 {
			a.under = a.under[:len(a.under)-1]
		}
		a.under = a.under[:len(a.under)-1]
		a.lane().inside = false
		a.since = a.now
	case lockTaken:
		lane.held = append(lane.held, int(e[1]))
	case lockGiven:
		lane.held = lane.held[:len(lane.held)-1]
	}
}

func (a *account) begin(lane int) {
	a.under = append(a.under, &around{lane: lane, began: a.now})
	a.since = a.now
}

// upTo leaves all within the loop of a level.
func (a *account) upTo(level uint64) *around {
	for a.under[len(a.under)-1].level != level {
		a.under = a.under[:len(a.under)-1]
	}
	return a.under[len(a.under)-1]
}

// loopNumbers are those of the loops of a trace: the last is beyond what the library knows by number.
var loopNumbers = []uint64{0, 1, 2, 3, 1 << 20}

// randomTrace makes accesses of all sizes to a small memory, in loops and lanes that nest.
func randomTrace(r *rand.Rand, n int) []event {
	var out []event
	base := uint64(0x10000000) + uint64(r.IntN(64))
	room := 64 << r.IntN(10)
	type open struct {
		kind  byte // l loop, r region, s section
		lane  uint64
		locks int
	}
	stack := []open{{}}
	loops := func() (n uint64) {
		for _, o := range stack {
			if o.kind == 'l' {
				n++
			}
		}
		return n
	}
	for range n {
		at := base + uint64(r.IntN(room))
		size := uint64(1) << r.IntN(5)
		if r.IntN(3) > 0 {
			at &^= size - 1
		}
		top := &stack[len(stack)-1]
		switch k := r.IntN(49); {
		case k >= 46:
			out = append(out, event{readRow + uint64(r.IntN(2)), uint64(r.IntN(4)), at, size | uint64(2+r.IntN(14))<<8})
		case k < 20:
			out = append(out, event{readEvent, uint64(r.IntN(4)), at, size})
		case k < 30:
			out = append(out, event{writeEvent, uint64(r.IntN(4)), at, size})
		case k < 32 && len(stack) < 7:
			stack = append(stack, open{kind: 'l'})
			out = append(out, event{loopBegin, loops(), loopNumbers[r.IntN(len(loopNumbers))]})
		case k < 35 && top.kind == 'l':
			out = append(out, event{loopNext, loops()})
		case k < 36 && top.kind == 'l':
			stack = stack[:len(stack)-1]
			out = append(out, event{loopLeft, loops()})
		case k == 36:
			out = append(out, event{renewEvent, uint64(1 + r.IntN(3)), at, uint64(r.IntN(100))})
		case k < 40 && top.kind == 'r': // two constructs of three sections
			first := uint64(2 + 3*r.IntN(2))
			stack = append(stack, open{kind: 's', lane: first + uint64(r.IntN(3))})
			out = append(out, event{sectionBegin, stack[len(stack)-1].lane, first})
		case k < 40 && top.kind != 'r' && len(stack) < 5:
			stack = append(stack, open{kind: 'r', lane: 1})
			out = append(out, event{laneBegin, 1})
		case k < 42 && top.lane > 0 && top.locks == 0:
			out = append(out, event{laneEnd, top.lane})
			stack = stack[:len(stack)-1]
		case k == 42 && top.kind != 'l' && top.locks < 3:
			top.locks++
			out = append(out, event{lockTaken, uint64(r.IntN(3))})
		case k == 43 && top.locks > 0:
			top.locks--
			out = append(out, event{lockGiven})
		}
	}
	return out
}

// library is the run-time library as C sources have it.
func player(t *testing.T, flags ...string) string {
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
	for _, f := range []string{"memory", "states", "crowds", "levels", "lanes", "lockaddresses", "sharing", "turns", "reuse", "taken", "objects", "memoryfile"} {
		args = append(args, "../build/runtime/"+f+".c")
	}
	for _, f := range append(args[2:], "../build/runtime/memory.h") { // so that go test knows what the outcome depends on
		if _, err := os.ReadFile(f); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(clang, slices.Concat(args, flags, []string{"-o", exe})...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

// played plays a trace, and returns what the library tells of it.
func played(t *testing.T, exe string, program *Data, trace []event) *Data {
	t.Helper()
	var in bytes.Buffer
	for _, e := range trace {
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
	var records []Record
	for w := range slices.Chunk(words, 6) {
		records = append(records, Record(w))
	}
	d, err := program.Told(records)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// traced is what a program would have that makes such events.
func traced() *Data {
	return &Data{Lanes: make([]Lane, 8), Objects: make([]Object, 4), Paths: make([]Path, 1), Guards: make([]Guard, 1), Places: make([]Place, 32), Loops: make([]Loop, 1<<20+1)}
}

func TestLibraryAgainstBytes(t *testing.T) {
	exe := player(t)
	crowds, both := player(t, "-DPATHSPAN_FEW_STATES=0"), player(t, "-DPATHSPAN_FEW_STATES=300") // bytes have readers by themselves from the first on; some do
	program := traced()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		trace := randomTrace(r, 3000)
		a := newAccount()
		for _, e := range trace {
			a.play(e)
		}
		d := played(t, exe, program, trace)
		compare(t, seed, d, a)
		if got := played(t, crowds, program, trace); !reflect.DeepEqual(got, d) {
			t.Fatalf("seed %d: by readers of each byte\n%+v, want\n%+v", seed, got, d)
		}
		got := played(t, both, program, trace)
		for _, list := range [][]Carried{got.Carried, d.Carried} {
			for i := range list {
				list[i].Times = 0 // an access is counted once where its halves are in one state: two bytes with the same readers need not be
			}
		}
		if !reflect.DeepEqual(got, d) {
			t.Fatalf("seed %d: by readers of some bytes\n%+v, want\n%+v", seed, got, d)
		}
	}
}

// Where uses are many, those of lines among the 128 used last are counted by samples: of each
// distance there are as many as there were, but for 1 % of all uses, and of those beyond exactly as many.
func TestUsesOfManyAgainstLines(t *testing.T) {
	exe := player(t)
	program := &Data{Lanes: make([]Lane, 1), Objects: make([]Object, 4), Paths: make([]Path, 1), Guards: make([]Guard, 1), Places: make([]Place, 32), Loops: make([]Loop, 1)}
	r := rand.New(rand.NewPCG(7, 7))
	a := newAccount()
	var in bytes.Buffer
	const uses = 100000
	for range uses {
		line := uint64(math.Exp(r.Float64() * math.Log(400))) // few lines are used much, many are used little
		e := event{readEvent + uint64(r.IntN(2)), 1 + r.Uint64N(2), 1<<20 + line<<6, 8}
		a.play(e)
		binary.Write(&in, binary.LittleEndian, e)
	}
	text := in.Bytes()
	run := func() []byte {
		cmd := exec.Command(exe)
		cmd.Stdin = bytes.NewReader(text)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	out := run()
	if !bytes.Equal(out, run()) {
		t.Error("two runs differ")
	}
	words := make([]uint64, len(out)/8)
	if err := binary.Read(bytes.NewReader(out), binary.LittleEndian, words); err != nil {
		t.Fatal(err)
	}
	var records []Record
	for w := range slices.Chunk(words, 6) {
		records = append(records, Record(w))
	}
	d, err := program.Told(records)
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]uint64{}
	for _, u := range d.Reuse {
		told[fmt.Sprint(u.Lane, u.First, u.From, u.Lines, false)] += u.Reads
		told[fmt.Sprint(u.Lane, u.First, u.From, u.Lines, true)] += u.Writes
	}
	for _, lines := range bounds {
		for _, writes := range []bool{false, true} {
			for _, first := range []bool{false, true} {
				key := fmt.Sprint(0, first, -1, lines, writes)
				got, want := told[key], a.reuse[key]
				if sampled := lines > 0 && lines <= 128 && !first; math.Abs(float64(got)-float64(want)) > 0 && (!sampled || math.Abs(float64(got)-float64(want)) > 0.01*uses) {
					t.Errorf("up to %d lines, written %v, first %v: %d uses, want %d", lines, writes, first, got, want)
				}
				if lines == 24 && !first && got == want {
					t.Error("all of them were asked")
				}
			}
		}
	}
}

func compare(t *testing.T, seed uint64, d *Data, a *account) {
	t.Helper()
	who := func(w Who) Who { // a number for each chain of locks, as the account has it
		n, scale := 0, 1
		for g := w.Guard; g > 0; g = d.Guards[g].Outer {
			n += (d.Guards[g].Lock/ir.LocksOfOne + 1) * scale
			scale *= 10
		}
		w.Guard = n
		return w
	}
	flows, writes, carried, reuse := map[string][2]uint64{}, map[string]uint64{}, map[string][2]uint64{}, map[string]uint64{}
	for _, f := range d.Flows {
		flows[fmt.Sprint(f.Object, who(f.From), who(f.To))] = [2]uint64{f.Bytes, f.Distinct}
	}
	for _, w := range d.Writes {
		writes[fmt.Sprint(w.Object, who(w.By))] = w.Bytes
	}
	for _, c := range d.Carried {
		if c.Kind == AntiDependence {
			continue
		}
		loop, first := c.Loop, 0
		if loop < 0 {
			loop, first = 0, c.Lane
		}
		carried[fmt.Sprint(c.Loop >= 0, loop, first, c.Kind, c.Object, who(c.From), who(c.To))] = [2]uint64{0, c.Bytes}
	}
	for _, u := range d.Reuse {
		for i, n := range []uint64{u.Reads, u.Writes} {
			if n > 0 {
				reuse[fmt.Sprint(u.Lane, u.First, u.From, u.Lines, i == 1)] = n
			}
		}
	}
	for what, pair := range map[string][2]any{"flows": {flows, a.flows}, "writes": {writes, a.writes}, "carried": {carried, a.carried}, "reuse": {reuse, a.reuse}} {
		if got, want := fmt.Sprint(pair[0]), fmt.Sprint(pair[1]); got != want {
			t.Fatalf("seed %d: %s\n%s, want\n%s", seed, what, got, want)
		}
	}
}
