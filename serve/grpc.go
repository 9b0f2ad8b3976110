package serve

// This file serves gRPC, at the address that --listen names.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"

	"pathspan/mapping"
	"pathspan/serve/servepb"
	"pathspan/workers"
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
	g := grpc.NewServer(grpc.MaxRecvMsgSize(math.MaxInt32), grpc.MaxSendMsgSize(math.MaxInt32),
		grpc.UnaryInterceptor(s.guardCall), grpc.StreamInterceptor(s.guardStream))
	servepb.RegisterEstimatorServer(g, &rpc{s: s})
	stopping := workers.Start(func() {
		select {
		case <-ctx.Done():
		case <-s.quit:
		}
		timer := time.AfterFunc(patience, g.Stop)
		g.GracefulStop()
		timer.Stop()
	})
	if err := g.Serve(l); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	stopping.Wait()
	s.raise()
	return nil
}

// guardCall and guardStream keep panics of calls, which gRPC runs on goroutines of its
// own.
func (s *Service) guardCall(ctx context.Context, request any, _ *grpc.UnaryServerInfo, call grpc.UnaryHandler) (answer any, err error) {
	broken := s.guard(func() { answer, err = call(ctx, request) })
	if broken != nil {
		return nil, broken
	}
	return answer, err
}

func (s *Service) guardStream(server any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, call grpc.StreamHandler) (err error) {
	broken := s.guard(func() { err = call(server, stream) })
	if broken != nil {
		return broken
	}
	return err
}

func (s *Service) guard(call func()) error {
	if p := workers.Catch(call); p != nil {
		s.fail(p)
	}
	if s.failed.Load() != nil {
		return status.Error(codes.Internal, "serve: internal error; the service ends, and its standard error says more")
	}
	return nil
}

// rpc answers calls.
type rpc struct {
	servepb.UnimplementedEstimatorServer
	s *Service
}

func (r *rpc) Describe(context.Context, *servepb.DescribeRequest) (*servepb.Description, error) {
	text, err := json.Marshal(&r.s.Description)
	if err != nil {
		return nil, err
	}
	out := new(servepb.Description)
	return out, protojson.Unmarshal(text, out) // fields have the same names
}

func (r *rpc) EstimateBatch(_ context.Context, b *servepb.Batch) (*servepb.Answers, error) {
	return r.s.batch(b)()
}

func (r *rpc) Estimate(stream grpc.BidiStreamingServer[servepb.Batch, servepb.Answers]) error {
	waiting := make(chan func() (*servepb.Answers, error), underWay) // in order
	var unsent error
	sending := workers.Start(func() {
		for answers := range waiting {
			out, err := answers()
			if err == nil {
				err = stream.Send(out)
			}
			if err != nil {
				unsent = err
				return
			}
		}
	})
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
			select {
			case waiting <- r.s.batch(b):
			case <-sending.Ended():
				return nil
			}
		}
	}()
	sending.Wait()
	if unsent != nil {
		return unsent
	}
	return err
}

// batch has the candidates of a batch computed, and returns a function that waits for
// the answers, or for the service to be closed.
func (s *Service) batch(b *servepb.Batch) func() (*servepb.Answers, error) {
	out := &servepb.Answers{Answers: make([]*servepb.Answer, len(b.Candidates))}
	jobs := (len(b.Candidates) + perWorker - 1) / perWorker
	done := make(chan struct{}, jobs)
	for from := 0; from < len(b.Candidates); from += perWorker {
		to := min(from+perWorker, len(b.Candidates))
		s.do(func(w *worker) {
			w.messages(out.Answers[from:to], b.Candidates[from:to])
			done <- struct{}{}
		})
	}
	return func() (*servepb.Answers, error) {
		for range jobs {
			select {
			case <-done:
			case <-s.quit:
				return nil, status.Error(codes.Unavailable, errClosed.Error())
			}
		}
		return out, nil
	}
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
		c.shares = sharesLoops(c.full)
	}
	return s.bad
}

// loopOf reads how a loop shares its iterations. Numbers that a file could not have are left
// to the mapping's own checks.
func loopOf(in *servepb.LoopMapping, field string) mapping.LoopFile {
	l := mapping.LoopFile{
		Number:   mapping.Word{Text: strconv.Itoa(int(in.GetLoop())), Pos: fieldPos(field + ".loop")},
		Schedule: mapping.Word{Text: in.GetSchedule(), Pos: fieldPos(field + ".schedule")},
	}
	for i, p := range in.GetProcessors() {
		l.Processors = append(l.Processors, mapping.Word{Text: p, Pos: fieldPos(indexed(field+".processors", i))})
	}
	for _, x := range in.GetShares() {
		l.Shares = append(l.Shares, mapping.Share{Value: x, Pos: fieldPos(field + ".shares")})
	}
	return l
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
		for k, l := range r.GetLoops() {
			out.Loops = append(out.Loops, loopOf(l, indexed(field+".loops", k)))
		}
		m.Regions = append(m.Regions, out)
	}
	return m
}

// Open tells whether others than programs on this machine can reach an address.
func Open(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && !tcp.IP.IsLoopback()
}

// Listen listens at "unix:PATH" or "tcp:HOST:PORT". Without a HOST it is this machine
// alone that reaches the service, which knows no other protection. A socket that nobody
// listens at any more is replaced.
func Listen(address string) (net.Listener, error) {
	network, where, ok := strings.Cut(address, ":")
	if !ok || network != "unix" && network != "tcp" || where == "" {
		return nil, fmt.Errorf("%q: want unix:/path/to/socket or tcp:HOST:PORT", address)
	}
	if network == "unix" {
		if info, err := os.Stat(where); err == nil {
			if info.Mode()&os.ModeSocket == 0 {
				return nil, fmt.Errorf("%s: %s is there and is no socket; name another path", address, where)
			}
			if c, err := net.Dial("unix", where); err == nil {
				c.Close()
				return nil, fmt.Errorf("%s: another process listens there; name another path", address)
			}
			if err := os.Remove(where); err != nil {
				return nil, fmt.Errorf("%s: %w", address, err)
			}
		}
	}
	if network == "tcp" && strings.HasPrefix(where, ":") {
		where = "127.0.0.1" + where
	}
	l, err := net.Listen(network, where)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; name another address", address, err)
	}
	return l, nil
}
