package plugin

// This file makes a plugin a processor model.

import (
	"context"
	"errors"
	"sync"
	"time"

	"google.golang.org/grpc"

	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
	"pathspan/procmodels/wire"
)

// Model is a plugin that runs, with its parameters. It is safe for concurrent use, and
// whoever opened it closes it.
type Model struct {
	ref         *reference
	instance    *instance
	said        *pluginpb.Description
	description procmodels.Description
	mu          sync.Mutex
	failed      error // why the plugin was ended, nil while it serves
}

// Open starts the plugin that a reference stands for, the text behind "plugin:", and
// asks who it is. Paths in it are relative to dir, which the plugin runs in as well, ""
// for the working folder. Errors are one line each and name the plugin. The context
// holds for the start alone.
func Open(ctx context.Context, text, dir string) (*Model, error) {
	ref, err := parseReference(text, dir)
	if err != nil {
		return nil, err
	}
	lim, err := limitsFromEnvironment()
	if err != nil {
		return nil, ref.errorf("%w", err)
	}
	if err := ref.find(); err != nil {
		return nil, err
	}
	i, err := start(ctx, ref, lim)
	if err != nil {
		return nil, err
	}
	m := &Model{ref: ref, instance: i}
	if err := m.ask(ctx); err != nil {
		i.end(false)
		return nil, err
	}
	return m, nil
}

// ask asks the plugin who it is.
func (m *Model) ask(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// No deadline, which gRPC would tell the plugin, whose own end might come first.
	defer time.AfterFunc(m.instance.limits.silence, func() { cancel(errSilent) }).Stop()
	said, err := m.instance.model.Describe(ctx, &pluginpb.DescribeRequest{Parameters: m.ref.parameters}, grpc.MaxCallRecvMsgSize(descriptionLimit))
	if err != nil {
		return m.instance.callFault(ctx, err, "asked who it is", "", descriptionLimit)
	}
	m.said = said
	if m.description, err = wire.ReadDescription(said); err != nil {
		return m.ref.errorf("%w", err)
	}
	return nil
}

// Describe tells what the plugin said of itself when it was opened.
func (m *Model) Describe() procmodels.Description { return m.description }

// Costs prices the subject's program: from the disk cache if the plugin answered the same
// question before, else in one exchange with it. A plugin that breaks the protocol, hangs
// or crashes is ended; the error names it, in one line.
func (m *Model) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	if (m.said.NeedsModule || m.parts().Operands && s.Uses == nil) && s.Module == nil {
		return nil, m.ref.errorf("it needs the program's module, which this bundle does not hold; profile the program again")
	}
	question := m.question(s)
	if c := question.recall(m.description.Name); c != nil {
		return c, nil
	}
	m.mu.Lock()
	failed := m.failed
	m.mu.Unlock()
	if failed != nil {
		return nil, failed
	}
	costs, err := m.exchange(ctx, s)
	if err != nil {
		return nil, err
	}
	question.remember(costs)
	return costs, nil
}

// parts is what the plugin is sent besides the program. A plugin of the protocol's first
// version gets no operands.
func (m *Model) parts() wire.Parts {
	return wire.Parts{Module: m.said.NeedsModule, Operands: m.said.NeedsOperands && m.instance.client.NegotiatedVersion() >= wire.WithOperands}
}

// fail ends the plugin for good and returns why.
func (m *Model) fail(err error) error {
	m.mu.Lock()
	if m.failed == nil {
		m.failed = err
	}
	m.mu.Unlock()
	m.instance.end(false)
	return err
}

// Close ends the plugin.
func (m *Model) Close() error {
	m.mu.Lock()
	if m.failed == nil {
		m.failed = m.ref.errorf("%w", errors.New("is closed"))
	}
	m.mu.Unlock()
	m.instance.end(true)
	return nil
}
