package plugin

// This file is one exchange: all blocks to a plugin, their costs back.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
	"pathspan/procmodels/wire"
	"pathspan/workers"
)

// exchange asks the plugin for the costs of a program and checks its answers as they
// come. The time limit is one of silence: each message, either way, starts it anew. All
// together may take some silences.
func (m *Model) exchange(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	limit := m.instance.limits.silence
	silence := time.AfterFunc(limit, func() { cancel(errSilent) })
	defer silence.Stop()
	defer time.AfterFunc(m.instance.limits.speech, func() { cancel(errEndless) }).Stop()

	r := wire.NewCostsReader(s.Program, m.description.Name)
	progress := func() string {
		answered, asked := r.Progress()
		return fmt.Sprintf("with %d of %d blocks answered", answered, asked)
	}
	stream, err := m.instance.model.Price(ctx, grpc.MaxCallRecvMsgSize(r.Limit()))
	if err != nil {
		return nil, m.fail(m.instance.callFault(ctx, err, "asked for costs", progress(), r.Limit()))
	}
	sending := workers.Start(func() {
		panics := true
		defer func() {
			if panics {
				cancel(nil) // nobody else would end the receiving
			}
		}()
		err := wire.SendSubject(s, m.ref.parameters, m.parts(), func(req *pluginpb.PriceRequest) error {
			err := stream.Send(req)
			silence.Reset(limit)
			return err
		})
		if err == nil {
			err = stream.CloseSend()
		}
		if err != nil && !errors.Is(err, io.EOF) { // at EOF, receiving tells why
			cancel(err)
		}
		panics = false
	})
	defer func() { cancel(nil); sending.Wait() }()

	for {
		reply, err := stream.Recv()
		silence.Reset(limit)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fault := m.instance.callFault(ctx, err, "asked for costs", progress(), r.Limit())
			if refused(ctx, err) {
				return nil, fault // and it goes on to serve
			}
			return nil, m.fail(fault)
		}
		if err := r.Add(reply); err != nil {
			return nil, m.fail(m.ref.errorf("%w", err))
		}
	}
	costs, err := r.Costs()
	if err != nil {
		return nil, m.fail(m.ref.errorf("%w", err))
	}
	return costs, nil
}

// refused tells whether an exchange ended with the plugin's own error status.
func refused(ctx context.Context, err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.Canceled, codes.DeadlineExceeded:
		return false
	}
	return ctx.Err() == nil
}
