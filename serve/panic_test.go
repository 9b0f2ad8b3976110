package serve

// This file tests that a panic while answering reaches whoever called Lines or Serve, and
// that clients get an answer all the same.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"pathspan/serve/servepb"
	"pathspan/workers"
)

// broken is a service whose workers cannot but panic.
func broken(t *testing.T) *Service {
	s := service(t, fun0(t), 2)
	s.spaces = nil
	return s
}

// worstReader panics where another would read.
type worstReader struct{}

func (worstReader) Read([]byte) (int, error) { panic("a reader without a stream") }

func TestPanicsWhileLinesAreServed(t *testing.T) {
	for what, c := range map[string]struct {
		in   io.Reader
		says string
	}{
		"of a worker":     {strings.NewReader(strings.Repeat(`{"sections":[0,1,0]}`+"\n", 2000)), "index out of range"},
		"while one reads": {worstReader{}, "a reader without a stream"},
	} {
		s := broken(t)
		p := workers.Catch(func() { s.Lines(c.in, new(bytes.Buffer)) })
		if p == nil || !strings.Contains(p.String(), c.says) {
			t.Errorf("a panic %s: Lines panics with %v", what, p)
		}
	}
}

func TestPanicsOfCalls(t *testing.T) {
	candidate := &servepb.Batch{Candidates: []*servepb.Candidate{{Sections: []int32{0, 1, 0}}}}
	for what, call := range map[string]func(servepb.EstimatorClient) error{
		"one batch": func(c servepb.EstimatorClient) error {
			_, err := c.EstimateBatch(context.Background(), candidate)
			return err
		},
		"a stream": func(c servepb.EstimatorClient) error {
			stream, err := c.Estimate(context.Background())
			if err != nil {
				return err
			}
			for range 1000 {
				if err := stream.Send(candidate); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					return err
				}
			}
			_, err = stream.Recv()
			return err
		},
	} {
		s := broken(t)
		socket := filepath.Join(t.TempDir(), "s")
		l, err := Listen("unix:" + socket)
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan *workers.Panic, 1)
		go func() { served <- workers.Catch(func() { s.Serve(context.Background(), l) }) }()
		c, err := grpc.NewClient("unix:"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := call(servepb.NewEstimatorClient(c)); status.Code(err) != codes.Internal {
			t.Errorf("%s: the client gets %v", what, err)
		}
		if p := <-served; p == nil || !strings.Contains(p.String(), "index out of range") {
			t.Errorf("%s: Serve panics with %v", what, p)
		}
	}
	// What panics in the call itself, on a goroutine of gRPC.
	s := service(t, fun0(t), 1)
	if err := s.guard(func() { panic("in a call") }); status.Code(err) != codes.Internal {
		t.Errorf("the call ends with %v", err)
	}
	if p := workers.Catch(s.raise); p == nil || p.Value != "in a call" {
		t.Errorf("the service panics with %v", p)
	}
}
