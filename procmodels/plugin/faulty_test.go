package plugin

// This file is the plugins of the tests: the test binary starts itself, and what
// testPluginVariable says decides what it then is.

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
	"pathspan/procmodels/sdk"
	"pathspan/procmodels/wire"
)

const (
	testPluginVariable = "PATHSPAN_TEST_PLUGIN" // what to be as a plugin
	testHostVariable   = "PATHSPAN_TEST_HOST"   // be a host of this plugin that waits to be killed
	testFolderVariable = "PATHSPAN_TEST_FOLDER" // holds the numbers of the processes, and what was asked
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(Handshake.MagicCookieKey) != "" && os.Getenv(testPluginVariable) != "":
		bePlugin(os.Getenv(testPluginVariable))
	case os.Getenv(testHostVariable) != "":
		beHost(os.Getenv(testHostVariable))
	}
	os.Exit(m.Run())
}

// note leaves a line for the test.
func note(file, line string) {
	f, err := os.OpenFile(filepath.Join(os.Getenv(testFolderVariable), file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = fmt.Fprintln(f, line)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "note:", err)
		os.Exit(9)
	}
	f.Close()
}

// bePlugin is a plugin that starts processes of its own, and then works or fails as it is
// told.
func bePlugin(kind string) {
	startOthers()
	note("processes", fmt.Sprint(os.Getpid()))
	switch kind {
	case "exits":
		fmt.Fprintln(os.Stderr, "no licence found")
		os.Exit(4)
	case "prints":
		fmt.Println("hello, world")
		time.Sleep(time.Hour)
	case "mute":
		time.Sleep(time.Hour)
	case "old handshake":
		fmt.Println("7|1|tcp|127.0.0.1:1|grpc")
		time.Sleep(time.Hour)
	case "old protocol":
		fmt.Println("1|7|tcp|127.0.0.1:1|grpc")
		time.Sleep(time.Hour)
	case "net/rpc":
		fmt.Println("1|1|tcp|127.0.0.1:1|netrpc")
		time.Sleep(time.Hour)
	case "no certificate":
		fmt.Println("1|1|tcp|127.0.0.1:1|grpc")
		time.Sleep(time.Hour)
	case "nobody listens":
		fmt.Println("1|1|tcp|127.0.0.1:1|grpc|" + strings.Repeat("A", 400))
		time.Sleep(time.Hour)
	case "other cookie":
		goplugin.Serve(&goplugin.ServeConfig{HandshakeConfig: goplugin.HandshakeConfig{ProtocolVersion: 1, MagicCookieKey: "OTHER", MagicCookieValue: "x"}})
	case "first version": // as built before there was a second
		goplugin.Serve(&goplugin.ServeConfig{HandshakeConfig: Handshake, Plugins: goplugin.PluginSet{"model": servesFirst{}}, GRPCServer: goplugin.DefaultGRPCServer})
	case "example", "panics", "wrong", "refuses", "needs module", "operands":
		sdk.Serve(func(p *sdk.Parameters) (procmodels.Model, error) {
			return exampleModel{kind: kind, load: p.Number("load", 2, "cycles of a load")}, nil
		})
	case "table":
		sdk.Serve(func(p *sdk.Parameters) (procmodels.Model, error) {
			m, err := procmodels.Open(p.Choice("name", procmodels.Names(), "which table"), "")
			return withUnit{m}, err
		})
	}
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig: Handshake,
		Plugins:         goplugin.PluginSet{"model": faultyPlugin{kind: kind}},
		GRPCServer:      func(o []grpc.ServerOption) *grpc.Server { return grpc.NewServer(o...) },
	})
	os.Exit(0)
}

// beHost is a program that asks a plugin which hangs.
func beHost(plugin string) {
	_, err := openAndPrice(context.Background(), plugin, &procmodels.Subject{Program: program(4)})
	panic(err) // it hangs
}

// exampleModel prices loads, and notes each time it is asked.
type exampleModel struct {
	kind string
	load float64
}

func (m exampleModel) Describe() procmodels.Description {
	return procmodels.Description{Name: "example", Kind: "test", Version: os.Getenv("PATHSPAN_TEST_VERSION") + "1", Unit: "cycle",
		NeedsModule: m.kind == "needs module", NeedsOperands: m.kind == "operands"}
}

// servesFirst serves a model that wants operands in the protocol's first version.
type servesFirst struct {
	goplugin.NetRPCUnsupportedPlugin
}

func (servesFirst) GRPCServer(_ *goplugin.GRPCBroker, g *grpc.Server) error {
	pluginpb.RegisterProcessorModelServer(g, sdk.NewServer(func(*sdk.Parameters) (procmodels.Model, error) {
		return exampleModel{kind: "operands", load: 2}, nil
	}))
	return nil
}

func (servesFirst) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, fmt.Errorf("the host's side")
}

func (m exampleModel) Costs(_ context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	note("asked", "costs")
	c := &procmodels.Costs{Model: "example", Warnings: []string{"a remark"}}
	for fi, f := range s.Program.Funcs {
		out := make([]procmodels.BlockCost, len(f.Blocks))
		for i, b := range f.Blocks {
			for k, in := range b.Instrs {
				if s.Uses != nil {
					out[i].Cycles += 100 * float64(len(s.Uses.Of(fi, i, k)))
					if a, ok := s.Uses.Address(fi, i, k); ok {
						out[i].Cycles += 1000 * float64(a.Offset)
					}
				}
				if in.Op == "load" {
					out[i].Cycles += m.load
				}
			}
			out[i].Cycles += float64(len(s.Module))
		}
		c.Blocks = append(c.Blocks, out)
	}
	switch m.kind {
	case "panics":
		_ = c.Blocks[len(c.Blocks)]
	case "wrong":
		c.Blocks[0][0].Cycles = math.NaN()
	case "refuses":
		return nil, fmt.Errorf("no schedule for this processor\nsecond line")
	}
	return c, nil
}

// withUnit declares a unit for models that do not.
type withUnit struct{ procmodels.Model }

func (m withUnit) Describe() procmodels.Description {
	d := m.Model.Describe()
	if d.Unit == "" {
		d.Unit = "cycle"
	}
	return d
}

// faultyPlugin answers in gRPC itself, because the SDK lets nothing wrong pass.
type faultyPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
	pluginpb.UnimplementedProcessorModelServer
	kind string
}

func (p faultyPlugin) GRPCServer(_ *goplugin.GRPCBroker, g *grpc.Server) error {
	if p.kind != "no service" {
		pluginpb.RegisterProcessorModelServer(g, p)
	}
	return nil
}

func (faultyPlugin) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, fmt.Errorf("the host's side")
}

func (p faultyPlugin) Describe(context.Context, *pluginpb.DescribeRequest) (*pluginpb.Description, error) {
	d := &pluginpb.Description{Name: "faulty", Kind: "test", Version: "1", Unit: "cycle"}
	switch p.kind {
	case "no version":
		d.Version = ""
	case "clock":
		d.ClockMhz = math.Inf(1)
	case "describes at length":
		d.Notes = strings.Repeat("x", 100<<20)
	case "describe hangs":
		time.Sleep(time.Hour)
	case "describe crashes":
		os.Exit(11)
	}
	return d, nil
}

func (p faultyPlugin) Price(stream pluginpb.ProcessorModel_PriceServer) error {
	s, _, err := wire.ReadSubject(stream.Recv)
	if err != nil {
		return err
	}
	last := uint32(len(s.Program.Funcs[0].Blocks) - 1)
	for i := range last {
		if err := stream.Send(answer(&pluginpb.BlockCost{Block: i, Cycles: 1})); err != nil {
			return err
		}
	}
	c := &pluginpb.BlockCost{Block: last, Cycles: 10}
	switch p.kind {
	case "wrong function":
		c.Function = 9
	case "wrong block":
		c.Block = last + 1
	case "twice":
		c.Block = 0
	case "missing":
		return stream.Send(done())
	case "NaN":
		c.Cycles = math.NaN()
	case "negative":
		c.Cycles = -3
	case "infinite":
		c.Cycles = math.Inf(1)
	case "range":
		c.Best, c.Worst = 11, 12
	case "no reason":
		c.Defaults = []*pluginpb.Default{{Cycles: 1, Count: 1}}
	case "much assumed":
		c.Defaults = []*pluginpb.Default{{Reason: "guess", Cycles: 11, Count: 1}}
	case "no factor":
		c.Varies = []*pluginpb.Variation{{Factor: 0, Up: 1}}
	case "no predecessor":
		c.After = []*pluginpb.After{{Predecessor: last, Cycles: 1}}
	case "no call":
		c.Included = []uint32{0}
	case "crashes":
		fmt.Fprintln(os.Stderr, "out of memory\nin table 7")
		for { // until go-plugin has carried it to the host
			if _, err := os.Stat(filepath.Join(os.Getenv(testFolderVariable), "heard")); err == nil {
				os.Exit(3)
			}
			time.Sleep(5 * time.Millisecond)
		}
	case "dies":
		go func() { panic("in a goroutine") }()
		time.Sleep(time.Hour)
	case "hangs":
		note("asked", "costs")
		time.Sleep(time.Hour)
	case "empty for ever":
		for err == nil {
			err = stream.Send(&pluginpb.PriceReply{Part: &pluginpb.PriceReply_Costs{Costs: &pluginpb.Costs{}}})
		}
		return err
	case "drips":
		for i := 0; err == nil; i++ {
			err = stream.Send(&pluginpb.PriceReply{Part: &pluginpb.PriceReply_Factor{Factor: &pluginpb.Factor{Name: fmt.Sprint(i)}}})
			time.Sleep(50 * time.Millisecond)
		}
		return err
	case "floods":
		for i := 0; err == nil; i++ {
			err = stream.Send(&pluginpb.PriceReply{Part: &pluginpb.PriceReply_Factor{Factor: &pluginpb.Factor{Name: fmt.Sprint(i, strings.Repeat("x", 1<<16))}}})
		}
		return err
	case "huge":
		c.Defaults = []*pluginpb.Default{{Reason: strings.Repeat("x", 100<<20), Cycles: 1, Count: 1}}
	case "no Done":
		return nil
	}
	if err := stream.Send(answer(c)); err != nil {
		return err
	}
	if err := stream.Send(done()); err != nil || p.kind != "after Done" {
		return err
	}
	return stream.Send(answer(c))
}

func answer(c *pluginpb.BlockCost) *pluginpb.PriceReply {
	return &pluginpb.PriceReply{Part: &pluginpb.PriceReply_Costs{Costs: &pluginpb.Costs{Costs: []*pluginpb.BlockCost{c}}}}
}

func done() *pluginpb.PriceReply {
	return &pluginpb.PriceReply{Part: &pluginpb.PriceReply_Done{Done: &pluginpb.Done{}}}
}
