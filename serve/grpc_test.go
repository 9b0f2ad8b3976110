package serve

// This file tests the service over gRPC.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/serve/servepb"
)

// client starts a service over a socket and connects to it.
func client(t testing.TB, s *Service) servepb.EstimatorClient {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	l, err := Listen("unix:" + socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	c, err := grpc.NewClient("unix:"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return servepb.NewEstimatorClient(c)
}

func TestAnswersOverGRPC(t *testing.T) {
	e := synthetic(t, 2, 4, 20, 3)
	s := service(t, e, 4)
	c := client(t, s)
	stream, err := c.Estimate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(3))
	techniques := []estimate.Technique{estimate.PathBased, estimate.MaximalTime}
	var want []*mapping.Resolved
	go func() {
		defer stream.CloseSend()
		for _, n := range []int{1, 0, 300, 7, 500} {
			b := &servepb.Batch{}
			for range n {
				in := <-made
				b.Candidates = append(b.Candidates, in)
			}
			if stream.Send(b) != nil {
				return
			}
		}
	}()
	for range 808 {
		_, sections, order, serial, m := compactCandidate(r, s)
		in := &servepb.Candidate{Serial: e.Platform.Processors[serial].Name, Techniques: []string{"pb", "mt"}}
		for i := range sections {
			in.Sections = append(in.Sections, int32(sections[i]))
			in.Order = append(in.Order, uint32(order[i]))
		}
		want = append(want, m)
		made <- in
	}
	at := 0
	for _, n := range []int{1, 0, 300, 7, 500} {
		answers, err := stream.Recv()
		if err != nil || len(answers.Answers) != n {
			t.Fatalf("%d answers, want %d: %v", len(answers.GetAnswers()), n, err)
		}
		for _, a := range answers.Answers {
			for k, technique := range techniques {
				x, err := e.Estimate(want[at], technique)
				if err != nil {
					t.Fatal(err)
				}
				g := a.Results[k]
				if a.Error != nil || g.Technique != x.Technique || !same(g.Speedup, x.Speedup) || !same(g.ParallelCycles, x.ParallelCycles) || g.SequentialSeconds != x.SequentialSeconds {
					t.Fatalf("candidate %d: %v, estimated %+v", at, a, x)
				}
			}
			at++
		}
	}
	if _, err := stream.Recv(); err != io.EOF {
		t.Errorf("the stream ends with %v", err)
	}
}

var made = make(chan *servepb.Candidate)

func TestOtherCallsOverGRPC(t *testing.T) {
	s := service(t, fun0(t), 2)
	s.Description.Overheads = map[string]float64{"fork": 9}
	c := client(t, s)
	ctx := t.Context()
	d, err := c.Describe(ctx, &servepb.DescribeRequest{})
	text, _ := protojson.MarshalOptions{UseProtoNames: true, EmitUnpopulated: true}.Marshal(d)
	arrived := Description{}
	if err := json.Unmarshal(text, &arrived); err != nil || fmt.Sprintf("%+v", arrived) != fmt.Sprintf("%+v", s.Description) {
		t.Errorf("%+v arrives as %+v (%v)", s.Description, arrived, err)
	}
	if err != nil || d.Schema != Schema || len(d.Sections) != 3 || d.Sections[1].Line != 61 || d.Processors[0].Name != "alpha" || d.Regions[0].Name != "fun0.c:fun_0#1" {
		t.Fatalf("%v, %v", d, err)
	}
	named := func(processor, section string) *servepb.Mapping {
		return &servepb.Mapping{Serial: "alpha", Regions: []*servepb.RegionMapping{{Region: "fun0.c:fun_0#1", Processors: []*servepb.ProcessorSections{
			{Processor: "alpha", Sections: []string{"1", "2"}}, {Processor: processor, Sections: []string{section}},
		}}}}
	}
	got, err := c.EstimateBatch(ctx, &servepb.Batch{Candidates: []*servepb.Candidate{
		{Id: "a", Mapping: named("beta", "fun0.c:fun_0#1/3")},
		{Id: "b", Mapping: named("gamma", "3")},
		{Id: "c", Mapping: named("beta", "2")},
		{Id: "d", Sections: []int32{0, 1, 0}},
		{Id: "e", Sections: []int32{0, 1, 5}},
		{Id: "f"},
		{Id: "g", Sections: []int32{0, 1, 0}, Techniques: []string{"all"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		field  string
		cycles float64
	}{
		{"", 2155.5}, {"mapping.regions[0].processors[1].processor", 0}, {"mapping.regions[0].processors[1].sections[0]", 0},
		{"", 2648.5}, {"sections[2]", 0}, {"sections", 0}, {"techniques[0]", 0},
	} {
		a := got.Answers[i]
		if a.Id != string(rune('a'+i)) || a.GetError().GetField() != want.field {
			t.Errorf("%v, want field %q", a, want.field)
		}
		if want.field == "" && (len(a.Results) != 1 || a.Results[0].ParallelCycles != want.cycles) {
			t.Errorf("%v, want %v", a, want.cycles)
		}
	}
}

func TestListen(t *testing.T) {
	dir := t.TempDir()
	l, err := Listen("unix:" + filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen("unix:" + filepath.Join(dir, "s")); err == nil || !strings.Contains(err.Error(), "another process listens") {
		t.Errorf("error %v", err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close() // leaves its socket, as a process does that was killed
	if l, err = Listen("unix:" + filepath.Join(dir, "s")); err != nil {
		t.Errorf("a socket that nobody listens at: %v", err)
	} else {
		l.Close()
	}
	// A port without a host is for this machine alone.
	for address, open := range map[string]bool{"tcp::0": false, "tcp:127.0.0.1:0": false, "tcp:0.0.0.0:0": true} {
		l, err := Listen(address)
		if err != nil {
			t.Fatal(err)
		}
		if Open(l.Addr()) != open {
			t.Errorf("%s listens at %s", address, l.Addr())
		}
		l.Close()
	}
	if l, err = Listen("tcp:127.0.0.1:0"); err != nil {
		t.Error(err)
	} else {
		l.Close()
	}
	for _, address := range []string{"", "unix:", "localhost:80", "udp:x", "tcp:127.0.0.1:99999", "unix:" + dir, "unix:" + filepath.Join(dir, "no", "s")} {
		if l, err := Listen(address); err == nil {
			l.Close()
			t.Errorf("listens at %q", address)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error of several lines: %v", address, err)
		}
	}
}
