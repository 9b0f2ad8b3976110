package sdk

// This file answers pathspan's two questions with a model: what it is, and what a
// program costs.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
	"pathspan/procmodels/wire"
)

// NewServer is what Serve serves, for those who start their own gRPC server.
func NewServer(open Open) pluginpb.ProcessorModelServer {
	return &server{open: open, models: map[string]*opened{}, version: wire.WithOperands}
}

type server struct {
	pluginpb.UnimplementedProcessorModelServer
	open   Open
	mu     sync.Mutex
	models map[string]*opened // by parameters

	version int // of the protocol
}

// opened is a model with its parameters in force.
type opened struct {
	model       procmodels.Model
	description procmodels.Description
}

func (s *server) Describe(_ context.Context, req *pluginpb.DescribeRequest) (reply *pluginpb.Description, err error) {
	defer recovered(&err)
	m, err := s.get(req.Parameters)
	if err != nil {
		return nil, err
	}
	return wire.Description(m.description), nil
}

func (s *server) Price(stream pluginpb.ProcessorModel_PriceServer) (err error) {
	defer recovered(&err)
	subject, parameters, err := wire.ReadSubject(stream.Recv)
	if err != nil {
		if _, ok := status.FromError(err); ok {
			return err // the stream's own
		}
		return status.Error(codes.InvalidArgument, wire.Line(err.Error()))
	}
	m, err := s.get(parameters)
	if err != nil {
		return err
	}
	if m.description.NeedsOperands && subject.Uses == nil && s.version < wire.WithOperands {
		return status.Errorf(codes.FailedPrecondition, "the model needs operands, and this pathspan speaks version %d of the protocol, which has none; update pathspan", s.version)
	}
	costs, err := m.model.Costs(stream.Context(), subject)
	if err != nil {
		return status.Error(codes.Unknown, wire.Line(err.Error()))
	}
	if costs == nil {
		return status.Error(codes.Internal, "the model gave neither costs nor an error")
	}
	if err := costs.Check(subject.Program); err != nil {
		return status.Error(codes.Internal, "the model's answer breaks the contract: "+wire.Line(err.Error()))
	}
	return wire.SendCosts(costs, stream.Send)
}

// get opens the model with the parameters, once for each choice of them.
func (s *server) get(parameters map[string]string) (*opened, error) {
	key := canonical(parameters)
	s.mu.Lock()
	defer s.mu.Unlock()
	if m, ok := s.models[key]; ok {
		return m, nil
	}
	p := NewParameters(parameters)
	model, err := s.open(p)
	// A parameter that cannot be used is told first: it may be why the model failed.
	if perr := p.Err(); perr != nil && (err == nil || p.err != nil) {
		err = perr
	}
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, wire.Line(err.Error()))
	}
	if model == nil {
		return nil, status.Error(codes.Internal, "the function given to sdk.Serve made no model")
	}
	m := &opened{model: model, description: model.Describe()}
	if m.description.Parameters == nil {
		m.description.Parameters = p.Declared()
	}
	s.models[key] = m
	return m, nil
}

// canonical is the same text for the same parameters.
func canonical(parameters map[string]string) string {
	var all []string
	for name, value := range parameters {
		all = append(all, fmt.Sprintf("%q=%q", name, value))
	}
	slices.Sort(all)
	return strings.Join(all, "&")
}

// recovered turns a panic of the model into an error; the stack goes to standard error.
func recovered(err *error) {
	r := recover()
	if r == nil {
		return
	}
	stack := debug.Stack()
	fmt.Fprintf(os.Stderr, "panic: %v\n%s", r, stack)
	if e, ok := r.(error); ok && errors.Is(e, context.Canceled) {
		*err = status.FromContextError(e).Err()
		return
	}
	*err = status.Errorf(codes.Internal, "the model panicked: %s%s", wire.Line(fmt.Sprint(r)), where(string(stack)))
}

// where finds the place of a panic in its stack: the frame below the panic itself.
func where(stack string) string {
	_, rest, ok := strings.Cut(stack, "\npanic(")
	if !ok {
		return ""
	}
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "/") && !strings.Contains(line, "/runtime/") {
			file, _, _ := strings.Cut(line, " ")
			return " at " + file[strings.LastIndexByte(file, '/')+1:]
		}
	}
	return ""
}
