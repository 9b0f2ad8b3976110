package pluginpb

// This file declares the service of model.proto, for its server and its client.

import (
	"context"

	"google.golang.org/grpc"

	"pathspan/messages/service"
)

const (
	name     = "pathspan.model.v1.ProcessorModel"
	describe = "/" + name + "/Describe"
	price    = "/" + name + "/Price"
)

// ProcessorModelServer is a plugin as its server has it.
type ProcessorModelServer interface {
	Describe(context.Context, *DescribeRequest) (*Description, error)
	Price(grpc.BidiStreamingServer[PriceRequest, PriceReply]) error
}

var desc = grpc.ServiceDesc{
	ServiceName: name, HandlerType: (*ProcessorModelServer)(nil),
	Methods: []grpc.MethodDesc{{MethodName: "Describe", Handler: service.Unary(describe, ProcessorModelServer.Describe)}},
	Streams: []grpc.StreamDesc{{StreamName: "Price", ServerStreams: true, ClientStreams: true, Handler: func(s any, stream grpc.ServerStream) error {
		return s.(ProcessorModelServer).Price(&grpc.GenericServerStream[PriceRequest, PriceReply]{ServerStream: stream})
	}}},
}

// RegisterProcessorModelServer has g serve a plugin.
func RegisterProcessorModelServer(g grpc.ServiceRegistrar, s ProcessorModelServer) {
	g.RegisterService(&desc, s)
}

// ProcessorModelClient asks a plugin at the other end of a connection.
type ProcessorModelClient struct{ Conn grpc.ClientConnInterface }

// Describe says who the model is.
func (c ProcessorModelClient) Describe(ctx context.Context, in *DescribeRequest, options ...grpc.CallOption) (*Description, error) {
	out := new(Description)
	if err := c.Conn.Invoke(ctx, describe, in, out, options...); err != nil {
		return nil, err
	}
	return out, nil
}

// Price begins an exchange.
func (c ProcessorModelClient) Price(ctx context.Context, options ...grpc.CallOption) (grpc.BidiStreamingClient[PriceRequest, PriceReply], error) {
	stream, err := c.Conn.NewStream(ctx, &desc.Streams[0], price, options...)
	return &grpc.GenericClientStream[PriceRequest, PriceReply]{ClientStream: stream}, err
}
