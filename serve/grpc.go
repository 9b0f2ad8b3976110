package serve

// This file serves gRPC.

import (
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"strconv"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"pathspan/mapping"
	"pathspan/serve/servepb"
)

// Candidates of a batch that one worker computes at a time, and batches of a stream
// that are under way.
const (
	perWorker = 128
	underWay  = 16
)

// patience is how long calls may take to end once the service is to end.
const patience = 2 * time.Second

// Serve serves gRPC on a listener until ctx ends. Calls that are under way then have a
// moment to end.
func (s *Service) Serve(ctx context.Context, l net.Listener) error {
	g := grpc.NewServer(grpc.MaxRecvMsgSize(math.MaxInt32), grpc.MaxSendMsgSize(math.MaxInt32))
	servepb.RegisterEstimatorServer(g, &rpc{s: s})
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-ctx.Done()
		timer := time.AfterFunc(patience, g.Stop)
		g.GracefulStop()
		timer.Stop()
	}()
	if err := g.Serve(l); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	<-done
	return nil
}

// rpc answers calls.
type rpc struct {
	servepb.UnimplementedEstimatorServer
	s *Service
}

func (r *rpc) Describe(context.Context, *servepb.DescribeRequest) (*servepb.Description, error) {
	d := &r.s.Description
	out := &servepb.Description{
		Schema: d.Schema, Bundle: d.Bundle, Function: d.Function, Platform: d.Platform, Techniques: d.Techniques, Notes: d.Notes,
	}
	for _, p := range d.Processors {
		out.Processors = append(out.Processors, &servepb.Processor{Name: p.Name, Model: p.Model, ClockMhz: p.ClockMHz, Create: p.Create, Sync: p.Sync})
	}
	for _, x := range d.Sections {
		out.Sections = append(out.Sections, &servepb.Section{Name: x.Name, Region: int32(x.Region), Construct: int32(x.Construct), Number: int32(x.Number), Line: int32(x.Line)})
	}
	for _, x := range d.Regions {
		out.Regions = append(out.Regions, &servepb.Region{Name: x.Name, File: x.File, Function: x.Function, Line: int32(x.Line), First: int32(x.First), Sections: int32(x.Sections)})
	}
	return out, nil
}

func (r *rpc) EstimateBatch(_ context.Context, b *servepb.Batch) (*servepb.Answers, error) {
	answers, ok := r.s.batch(b)
	if !ok {
		return nil, status.Error(codes.Unavailable, errClosed.Error())
	}
	return answers(), nil
}

func (r *rpc) Estimate(stream grpc.BidiStreamingServer[servepb.Batch, servepb.Answers]) error {
	waiting := make(chan func() *servepb.Answers, underWay) // in order
	sent := make(chan error, 1)
	stop := make(chan struct{})
	go func() {
		for answers := range waiting {
			if err := stream.Send(answers()); err != nil {
				close(stop)
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	err := func() error {
		defer close(waiting)
		for {
			b, err := stream.Recv()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			answers, ok := r.s.batch(b)
			if !ok {
				return status.Error(codes.Unavailable, errClosed.Error())
			}
			select {
			case waiting <- answers:
			case <-stop:
				return nil
			}
		}
	}()
	if sending := <-sent; sending != nil {
		return sending
	}
	return err
}

// batch has the candidates of a batch computed, and returns a function that waits for
// the answers. It reports false when the service is closed.
func (s *Service) batch(b *servepb.Batch) (func() *servepb.Answers, bool) {
	out := &servepb.Answers{Answers: make([]*servepb.Answer, len(b.Candidates))}
	var wait sync.WaitGroup
	for from := 0; from < len(b.Candidates); from += perWorker {
		to := min(from+perWorker, len(b.Candidates))
		wait.Add(1)
		ok := s.do(func(w *worker) {
			defer wait.Done()
			w.messages(out.Answers[from:to], b.Candidates[from:to])
		})
		if !ok {
			return nil, false
		}
	}
	return func() *servepb.Answers {
		wait.Wait()
		return out
	}, true
}

// messages answers candidates. The answers lie in few arrays, as there are many.
func (w *worker) messages(to []*servepb.Answer, from []*servepb.Candidate) {
	answers := make([]servepb.Answer, len(from))
	var spare []servepb.Result
	var refs []*servepb.Result
	for i, in := range from {
		a := &answers[i]
		to[i], a.Id = a, in.GetId()
		bad := w.c.fromMessage(in)
		if bad == nil {
			bad = w.estimate()
		}
		if bad != nil {
			a.Error = &servepb.Error{Field: bad.field, Message: bad.message}
			continue
		}
		if n := len(w.out); len(spare) < n {
			spare, refs = make([]servepb.Result, max(n, len(from)-i)), make([]*servepb.Result, max(n, len(from)-i))
		}
		for k := range w.out {
			r, p := &w.out[k], &spare[k]
			p.Technique, p.Speedup = r.Technique, r.Speedup
			p.ParallelCycles, p.SequentialCycles = r.ParallelCycles, r.SequentialCycles
			p.ParallelSeconds, p.SequentialSeconds = r.ParallelSeconds, r.SequentialSeconds
			refs[k] = p
		}
		n := len(w.out)
		a.Results = refs[:n:n]
		spare, refs = spare[n:], refs[n:]
	}
}

// fromMessage reads a candidate.
func (c *candidate) fromMessage(in *servepb.Candidate) *fault {
	c.reset()
	c.serial = in.GetSerial()
	for _, p := range in.GetSections() {
		c.compact = true
		c.sections = append(c.sections, int(p))
	}
	for _, i := range in.GetOrder() {
		c.order = append(c.order, int(i))
	}
	s := &scanner{}
	for i, name := range in.GetTechniques() {
		c.addTechnique(s, i, name)
	}
	if m := in.GetMapping(); m != nil {
		c.full = mappingOf(m)
	}
	return s.bad
}

func mappingOf(in *servepb.Mapping) *mapping.Mapping {
	m := &mapping.Mapping{Serial: mapping.Word{Text: in.GetSerial(), Pos: fieldPos("mapping.serial")}}
	for i, r := range in.GetRegions() {
		field := indexed("mapping.regions", i)
		out := mapping.RegionFile{Name: mapping.Word{Text: r.GetRegion(), Pos: fieldPos(field + ".region")}}
		for k, p := range r.GetProcessors() {
			at := indexed(field+".processors", k)
			list := mapping.ProcessorList{Name: mapping.Word{Text: p.GetProcessor(), Pos: fieldPos(at + ".processor")}}
			for n, section := range p.GetSections() {
				list.Sections = append(list.Sections, mapping.Word{Text: section, Pos: fieldPos(at + ".sections[" + strconv.Itoa(n) + "]")})
			}
			out.Processors = append(out.Processors, list)
		}
		m.Regions = append(m.Regions, out)
	}
	return m
}
