package examplepython_test

// This file tests the Python example: what it says, what it charges, how it fails and
// that it ends.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"pathspan/procmodels/pluginpb"
)

func TestDescriptorIsThatOfTheSchema(t *testing.T) {
	data, err := os.ReadFile("model.desc")
	if err != nil {
		t.Fatal(err)
	}
	var shipped descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(data, &shipped); err != nil {
		t.Fatal(err)
	}
	want := &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{
		protodesc.ToFileDescriptorProto(pluginpb.File_procmodels_pluginpb_model_proto),
	}}
	if !proto.Equal(&shipped, want) {
		t.Error("model.desc is not that of procmodels/pluginpb/model.proto; run make generate")
	}
}

func TestDescribe(t *testing.T) {
	needPython(t)
	_, model := host(t, "example.py", os.Stderr)
	d, err := model.Describe(context.Background(), &pluginpb.DescribeRequest{Parameters: map[string]string{"load": "3.5"}})
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "example-python" || d.Unit == "" || d.Version == "" || !d.Additive {
		t.Errorf("describes itself as %v", d)
	}
	if p := d.Parameters; len(p) != 2 || p[0].Name != "load" || p[0].Value != "3.5" || p[1].Name != "miss" || p[1].Value != "10" {
		t.Errorf("parameters %v", p)
	}
	for name, value := range map[string]string{
		"lod":  `no parameter lod; did you mean load?`,
		"mhz":  `no parameter mhz; it knows load, miss`,
		"load": `parameter load: want a number of 0 or more, not 'fast'`,
		"miss": `parameter miss: want a number of 0 or more, not '-1'`,
	} {
		given := map[string]string{"load": "fast", "miss": "-1"}[name]
		_, err := model.Describe(context.Background(), &pluginpb.DescribeRequest{Parameters: map[string]string{name: given}})
		if status.Code(err) != codes.InvalidArgument || status.Convert(err).Message() != value {
			t.Errorf("%s=%s: %v, want %s", name, given, err, value)
		}
	}
}

// exchange prices blocks in batches of the given size and returns the costs in order of
// function and block.
func exchange(t testing.TB, model pluginpb.ProcessorModelClient, parameters map[string]string, blocks []*pluginpb.Block, batch int) ([]*pluginpb.BlockCost, []*pluginpb.Factor, error) {
	t.Helper()
	stream, err := model.Price(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		// What cannot be sent shows where replies are received.
		stream.Send(&pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_Begin{Begin: &pluginpb.Begin{Parameters: parameters, Functions: 1, Blocks: uint64(len(blocks))}}})
		stream.Send(&pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_Function{Function: &pluginpb.Function{Name: "f", Blocks: uint32(len(blocks))}}})
		for b := range slices.Chunk(blocks, batch) {
			stream.Send(&pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_Blocks{Blocks: &pluginpb.Blocks{Blocks: b}}})
		}
		stream.Send(&pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_End{End: &pluginpb.End{}}})
		stream.CloseSend()
	}()
	var costs []*pluginpb.BlockCost
	var factors []*pluginpb.Factor
	done := false
	for {
		reply, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		switch part := reply.Part.(type) {
		case *pluginpb.PriceReply_Factor:
			factors = append(factors, part.Factor)
		case *pluginpb.PriceReply_Costs:
			costs = append(costs, part.Costs.Costs...)
		case *pluginpb.PriceReply_Done:
			done = true
		}
	}
	if !done {
		t.Error("the exchange ended without Done")
	}
	slices.SortFunc(costs, func(a, b *pluginpb.BlockCost) int { return int(a.Block) - int(b.Block) })
	return costs, factors, nil
}

// program is blocks in a row, each of the given opcodes.
func program(blocks ...string) []*pluginpb.Block {
	var all []*pluginpb.Block
	for bi, ops := range blocks {
		b := &pluginpb.Block{Index: uint32(bi), Name: fmt.Sprint("b", bi)}
		for op := range strings.FieldsSeq(ops) {
			b.Instructions = append(b.Instructions, &pluginpb.Instruction{Opcode: op, Type: "i32"})
		}
		all = append(all, b)
	}
	return all
}

func TestPrice(t *testing.T) {
	needPython(t)
	_, model := host(t, "example.py", os.Stderr)
	blocks := program("add load mul br", "", "fneg fneg store ret")
	costs, factors, err := exchange(t, model, map[string]string{"load": "3", "miss": "20"}, blocks, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []*pluginpb.BlockCost{
		{Cycles: 9, Best: 9, Worst: 29, Varies: []*pluginpb.Variation{{Up: 20}}}, // 1 + 3 + 3 + 2
		{Block: 1},
		{Block: 2, Cycles: 7, Defaults: []*pluginpb.Default{{Reason: "opcode fneg i32: no weight", Cycles: 2, Count: 2}}},
	}
	if len(costs) != len(want) {
		t.Fatalf("%d costs for %d blocks", len(costs), len(want))
	}
	for i := range want {
		if !proto.Equal(costs[i], want[i]) {
			t.Errorf("block %d: %v, want %v", i, costs[i], want[i])
		}
	}
	if len(factors) != 1 || factors[0].Name != "latency of loads" || !factors[0].Bounded {
		t.Errorf("factors %v", factors)
	}
	slices.Reverse(blocks)
	again, _, err := exchange(t, model, map[string]string{"load": "3", "miss": "20"}, blocks, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if !proto.Equal(again[i], costs[i]) {
			t.Errorf("block %d in another order: %v, before %v", i, again[i], costs[i])
		}
	}
	if _, _, err := exchange(t, model, map[string]string{"x": "1"}, blocks, 1); status.Code(err) != codes.InvalidArgument {
		t.Errorf("an unknown parameter in an exchange: %v", err)
	}
}

// A model that asks for much, and one that fails, in the words of its file and line.
func TestModelOfEveryKind(t *testing.T) {
	needPython(t)
	dir := t.TempDir()
	for _, name := range []string{"pathspan_model.py", "pathspan_certificate.py", "model.desc"} {
		copyFile(t, name, dir+"/"+name)
	}
	source := "#!" + interpreter + `
from pathspan_model import Cost, Model, serve

print("on standard output, before the handshake")

class Much(Model):
    name, kind, version, unit = "much", "test", "1", "cycles"
    overheads = (30, 4)
    needs_module = True
    factors = {"a": False, "b": True}

    def begin(self, program):
        print("while it works")
        self.program = program

    def cost(self, block):
        c = Cost(block.index + len(self.program.module))
        if block.name == "b2":
            raise KeyError("of\nits own")
        c.vary("b", 1, 2)
        c.vary("a", 3, 4)
        c.after = {1: 7, 0: 5}
        c.included = [2, 0]
        return c

    def warnings(self):
        return ["priced " + self.program.functions[0].name]

serve(Much)
`
	if err := os.WriteFile(dir+"/much.py", []byte(source), 0o755); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	client, model := host(t, dir+"/much.py", &stderr)
	d, err := model.Describe(context.Background(), &pluginpb.DescribeRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Overheads.GetCreate() != 30 || d.Overheads.GetSync() != 4 || !d.NeedsModule {
		t.Errorf("describes itself as %v", d)
	}
	costs, factors, err := exchange(t, model, nil, program("add", "add"), 1)
	if err != nil {
		t.Fatal(err)
	}
	want := &pluginpb.BlockCost{
		Block: 1, Cycles: 1, Included: []uint32{0, 2},
		After:  []*pluginpb.After{{Predecessor: 0, Cycles: 5}, {Predecessor: 1, Cycles: 7}},
		Varies: []*pluginpb.Variation{{Factor: 0, Down: 3, Up: 4}, {Factor: 1, Down: 1, Up: 2}},
	}
	if len(costs) != 2 || !proto.Equal(costs[1], want) || len(factors) != 2 || factors[0].Name != "a" {
		t.Errorf("costs %v, factors %v", costs, factors)
	}
	_, _, err = exchange(t, model, nil, program("add", "add", "add"), 1)
	if got, want := status.Convert(err).Message(), `much.py:19: KeyError: 'of\nits own'`; status.Code(err) != codes.Internal || got != want {
		t.Errorf("a model that fails: %v, want %s", err, want)
	}
	client.Kill() // standard error is complete then
	for _, said := range []string{"while it works", "Traceback"} {
		if !strings.Contains(stderr.String(), said) {
			t.Errorf("standard error lacks %q:\n%s", said, &stderr)
		}
	}
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkPrice prices 100,000 instructions, ten a block, start and end of the process
// aside.
func BenchmarkPrice(b *testing.B) {
	needPython(b)
	start := time.Now()
	_, model := host(b, "example.py", os.Stderr)
	started := time.Since(start)
	blocks := program(slices.Repeat([]string{"load load load load load load load load call br"}, 10_000)...)
	for b.Loop() {
		if _, _, err := exchange(b, model, nil, blocks, 1000); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(started.Seconds(), "s/start")
}
