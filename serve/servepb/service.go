package servepb

// This file declares the service of serve.proto, for its server and its client.

import (
	"context"

	"google.golang.org/grpc"

	"pathspan/messages/service"
)

const (
	name          = "pathspan.serve.v1.Estimator"
	describe      = "/" + name + "/Describe"
	estimate      = "/" + name + "/Estimate"
	estimateBatch = "/" + name + "/EstimateBatch"
)

// EstimatorServer answers what clients ask.
type EstimatorServer interface {
	Describe(context.Context, *DescribeRequest) (*Description, error)
	Estimate(grpc.BidiStreamingServer[Batch, Answers]) error
	EstimateBatch(context.Context, *Batch) (*Answers, error)
}

var desc = grpc.ServiceDesc{
	ServiceName: name, HandlerType: (*EstimatorServer)(nil),
	Methods: []grpc.MethodDesc{
		{MethodName: "Describe", Handler: service.Unary(describe, EstimatorServer.Describe)},
		{MethodName: "EstimateBatch", Handler: service.Unary(estimateBatch, EstimatorServer.EstimateBatch)},
	},
	Streams: []grpc.StreamDesc{{StreamName: "Estimate", ServerStreams: true, ClientStreams: true, Handler: func(s any, stream grpc.ServerStream) error {
		return s.(EstimatorServer).Estimate(&grpc.GenericServerStream[Batch, Answers]{ServerStream: stream})
	}}},
}

// RegisterEstimatorServer has g answer.
func RegisterEstimatorServer(g grpc.ServiceRegistrar, s EstimatorServer) { g.RegisterService(&desc, s) }

// EstimatorClient asks the server at the other end of a connection.
type EstimatorClient struct{ Conn grpc.ClientConnInterface }

// Describe says what is being estimated.
func (c EstimatorClient) Describe(ctx context.Context, in *DescribeRequest, options ...grpc.CallOption) (*Description, error) {
	out := new(Description)
	if err := c.Conn.Invoke(ctx, describe, in, out, options...); err != nil {
		return nil, err
	}
	return out, nil
}

// EstimateBatch has one batch answered.
func (c EstimatorClient) EstimateBatch(ctx context.Context, in *Batch, options ...grpc.CallOption) (*Answers, error) {
	out := new(Answers)
	if err := c.Conn.Invoke(ctx, estimateBatch, in, out, options...); err != nil {
		return nil, err
	}
	return out, nil
}

// Estimate begins an exchange of batches.
func (c EstimatorClient) Estimate(ctx context.Context, options ...grpc.CallOption) (grpc.BidiStreamingClient[Batch, Answers], error) {
	stream, err := c.Conn.NewStream(ctx, &desc.Streams[0], estimate, options...)
	return &grpc.GenericClientStream[Batch, Answers]{ClientStream: stream}, err
}
