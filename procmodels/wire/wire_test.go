package wire_test

// This file checks that what one end writes the other reads, whole.

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
	"pathspan/procmodels/wire"
	"pathspan/visible"
)

// requests sends a subject through bytes and returns the messages.
func requests(t testing.TB, s *procmodels.Subject, parameters map[string]string) []*pluginpb.PriceRequest {
	var all []*pluginpb.PriceRequest
	err := wire.SendSubject(s, parameters, wire.Parts{Module: true, Operands: s.Uses != nil}, func(req *pluginpb.PriceRequest) error {
		data, err := proto.Marshal(req)
		if err != nil {
			return err
		}
		if len(data) > wire.MessageSize {
			t.Errorf("a message of %d bytes", len(data))
		}
		back := &pluginpb.PriceRequest{}
		all = append(all, back)
		return proto.Unmarshal(data, back)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func receive[M any](all []M) func() (M, error) {
	return func() (M, error) {
		var none M
		if len(all) == 0 {
			return none, io.EOF
		}
		m := all[0]
		all = all[1:]
		return m, nil
	}
}

func replies(t testing.TB, c *procmodels.Costs) []*pluginpb.PriceReply {
	var all []*pluginpb.PriceReply
	err := wire.SendCosts(c, func(reply *pluginpb.PriceReply) error {
		data, err := proto.Marshal(reply)
		if err != nil {
			return err
		}
		back := &pluginpb.PriceReply{}
		all = append(all, back)
		return proto.Unmarshal(data, back)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestProgramsTravelWhole(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := &procmodels.Subject{Program: randomProgram(r, int(seed)*100), Module: []byte(strings.Repeat("define void @f()\n", int(seed)*20_000))}
		parameters := map[string]string{"cpu": "cortex-a9", "features": "+neon,-sve"}
		back, got, err := wire.ReadSubject(receive(requests(t, s, parameters)))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(s.Module) == 0 {
			s.Module = nil
		}
		if !reflect.DeepEqual(back, s) {
			t.Errorf("seed %d: the program came back different", seed)
		}
		if !reflect.DeepEqual(got, parameters) {
			t.Errorf("seed %d: parameters %v, want %v", seed, got, parameters)
		}
	}
}

// TestCostsTravelWhole sends costs as they are, and in pieces of one block in any order.
func TestCostsTravelWhole(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		p := randomProgram(r, int(seed)*100)
		want := randomCosts(r, p, "m")
		if err := want.Check(p); err != nil {
			t.Fatalf("seed %d: the costs to send are wrong: %v", seed, err)
		}
		sent := replies(t, want)
		var shuffled []*pluginpb.PriceReply
		for _, reply := range sent {
			for _, c := range reply.GetCosts().GetCosts() {
				shuffled = append(shuffled, &pluginpb.PriceReply{Part: &pluginpb.PriceReply_Costs{Costs: &pluginpb.Costs{Costs: []*pluginpb.BlockCost{c}}}})
			}
		}
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		shuffled = append(sent[:len(want.Factors):len(want.Factors)], append(shuffled, sent[len(sent)-1])...)
		for _, order := range [][]*pluginpb.PriceReply{sent, shuffled} {
			reader := wire.NewCostsReader(p, "m")
			for _, reply := range order {
				if err := reader.Add(reply); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			got, err := reader.Costs()
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d: the costs came back different", seed)
			}
		}
	}
}

// TestFactorsByFirstUse numbers factors by the blocks that use them, however they came.
func TestFactorsByFirstUse(t *testing.T) {
	p := &ir.Program{Funcs: []*ir.Func{{Name: "f", Blocks: []*ir.Block{{}, {Index: 1}}}}}
	answer := func(names ...string) *procmodels.Costs {
		r := wire.NewCostsReader(p, "m")
		index := map[string]uint32{}
		for i, n := range names {
			index[n] = uint32(i)
			if err := r.Add(&pluginpb.PriceReply{Part: &pluginpb.PriceReply_Factor{Factor: &pluginpb.Factor{Name: n}}}); err != nil {
				t.Fatal(err)
			}
		}
		for b, n := range []string{"load", "mul"} {
			c := &pluginpb.BlockCost{Block: uint32(b), Varies: []*pluginpb.Variation{{Factor: index[n], Up: 1}}}
			if err := r.Add(&pluginpb.PriceReply{Part: &pluginpb.PriceReply_Costs{Costs: &pluginpb.Costs{Costs: []*pluginpb.BlockCost{c}}}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Add(&pluginpb.PriceReply{Part: &pluginpb.PriceReply_Done{}}); err != nil {
			t.Fatal(err)
		}
		c, err := r.Costs()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if a, b := answer("load", "mul"), answer("mul", "unused", "load"); !reflect.DeepEqual(a, b) {
		t.Errorf("%+v and %+v differ", a, b)
	}
}

func TestDescriptionsTravelWhole(t *testing.T) {
	d := procmodels.Description{
		Name: "n", Kind: "k", Version: "1", Source: "s", Notes: "two\nlines", ClockMHz: 100, Unit: "u",
		Parameters: []procmodels.Parameter{{Name: "cpu", Value: "x", Text: "which"}},
		Overheads:  &procmodels.Overheads{Create: 3, Sync: 4}, Accuracy: []string{"12 %"}, NeedsModule: true,
	}
	m := wire.Description(d)
	got, err := wire.ReadDescription(m)
	if err != nil || !reflect.DeepEqual(got, d) || !m.NeedsModule {
		t.Errorf("got %+v, %v", got, err)
	}
	d.Unit = ""
	if _, err := wire.ReadDescription(wire.Description(d)); err == nil || !strings.Contains(err.Error(), "has no unit") {
		t.Errorf("without a unit: %v", err)
	}
}

// FuzzReadSubject feeds requests from bytes: a plugin must take any without a panic.
// What a plugin says is shown as one printable line, or as lines where it may be long.
func TestHostileTexts(t *testing.T) {
	const bad = "a\x1b[31mb\u202e\u009bc\nd"
	d, err := wire.ReadDescription(&pluginpb.Description{Name: bad, Kind: bad, Version: bad, Unit: bad, Source: bad, Notes: bad, Accuracy: []string{bad},
		Parameters: []*pluginpb.Parameter{{Name: bad, Value: bad, Text: bad}}})
	if err != nil {
		t.Fatal(err)
	}
	p := &ir.Program{Funcs: []*ir.Func{{Name: "f", Blocks: []*ir.Block{{}}}}}
	r := wire.NewCostsReader(p, "m")
	for _, reply := range []*pluginpb.PriceReply{
		{Part: &pluginpb.PriceReply_Factor{Factor: &pluginpb.Factor{Name: bad}}},
		{Part: &pluginpb.PriceReply_Costs{Costs: &pluginpb.Costs{Costs: []*pluginpb.BlockCost{{Cycles: 1,
			Defaults: []*pluginpb.Default{{Reason: bad, Count: 1}}, Varies: []*pluginpb.Variation{{Up: 1}}}}}}},
		{Part: &pluginpb.PriceReply_Done{Done: &pluginpb.Done{Warnings: []string{bad}}}},
	} {
		if err := r.Add(reply); err != nil {
			t.Fatal(err)
		}
	}
	c, err := r.Costs()
	if err != nil {
		t.Fatal(err)
	}
	lines := append([]string{d.Name, d.Kind, d.Version, d.Unit, d.Parameters[0].Name, d.Parameters[0].Value, d.Parameters[0].Text, c.Factors[0].Name}, d.Accuracy...)
	for _, s := range slices.Concat(lines, c.Reasons, c.Warnings, strings.Split(d.Source+"\n"+d.Notes, "\n")) {
		if !visible.IsLine(s) {
			t.Errorf("%q is left", s)
		}
	}
}

func FuzzReadSubject(f *testing.F) {
	p := randomProgram(rand.New(rand.NewPCG(1, 3)), 100)
	for _, req := range requests(f, &procmodels.Subject{Program: p}, nil) {
		data, err := proto.Marshal(req)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		begin := &pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_Begin{Begin: &pluginpb.Begin{}}}
		function := &pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_Function{Function: &pluginpb.Function{Name: "f", Blocks: 2}}}
		end := &pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_End{End: &pluginpb.End{}}}
		any := &pluginpb.PriceRequest{}
		if proto.Unmarshal(data, any) != nil {
			return
		}
		if fn := any.GetFunction(); fn != nil && fn.Blocks > 1<<16 {
			return // the memory for it is the test's only trouble
		}
		for _, all := range [][]*pluginpb.PriceRequest{{any, end}, {begin, any, end}, {begin, function, any, end}} {
			s, _, err := wire.ReadSubject(receive(all))
			if (s == nil) == (err == nil) {
				t.Errorf("subject %v, error %v", s, err)
			}
		}
	})
}

// FuzzReadCosts feeds replies from bytes: pathspan must take any without a panic, and
// what it accepts keeps the contract.
func FuzzReadCosts(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 4))
	p := randomProgram(r, 60)
	for _, reply := range replies(f, randomCosts(r, p, "m")) {
		data, err := proto.Marshal(reply)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		reply := &pluginpb.PriceReply{}
		if proto.Unmarshal(data, reply) != nil {
			return
		}
		reader := wire.NewCostsReader(p, "m")
		err := reader.Add(reply)
		err = errors.Join(err, reader.Add(&pluginpb.PriceReply{Part: &pluginpb.PriceReply_Done{}}))
		c, cerr := reader.Costs()
		if cerr == nil && (err != nil || c.Check(p) != nil) {
			t.Errorf("costs were taken although %v", err)
		}
	})
}

// TestOperandsTravel sends a program of the assembler's with what its instructions use.
func TestOperandsTravel(t *testing.T) {
	module, err := os.ReadFile("../conform/testdata/loops.ll")
	if err != nil {
		t.Fatal(err)
	}
	p, err := ir.Read(module)
	if err != nil {
		t.Fatal(err)
	}
	want, err := ir.ReadOperands(p, module)
	if err != nil {
		t.Fatal(err)
	}
	back, _, err := wire.ReadSubject(receive(requests(t, &procmodels.Subject{Program: p, Uses: want}, nil)))
	if err != nil {
		t.Fatal(err)
	}
	accesses := 0
	for fi, f := range p.Funcs {
		for bi, b := range f.Blocks {
			for i := range b.Instrs {
				if got, want := back.Uses.Of(fi, bi, i), want.Of(fi, bi, i); !slices.Equal(got, want) {
					t.Errorf("%s, block %d, instruction %d uses %v, want %v", f.Name, bi, i, got, want)
				}
				got, ok := back.Uses.Address(fi, bi, i)
				if want, has := want.Address(fi, bi, i); got != want || ok != has {
					t.Errorf("%s, block %d, instruction %d accesses %v, want %v", f.Name, bi, i, got, want)
				}
				if ok {
					accesses++
				}
			}
		}
	}
	if accesses == 0 {
		t.Error("no access travelled")
	}
}
