// Package service makes methods of a gRPC service of methods in Go.
package service

import (
	"context"

	"google.golang.org/grpc"
)

// Unary is a method of a service that answers one message by one. Server is the interface
// that what is registered has; path is "/package.Service/Method".
func Unary[Server, In, Out any](path string, call func(Server, context.Context, *In) (*Out, error)) grpc.MethodHandler {
	return func(server any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
		in := new(In)
		if err := decode(in); err != nil {
			return nil, err
		}
		answer := func(ctx context.Context, in any) (any, error) { return call(server.(Server), ctx, in.(*In)) }
		if intercept == nil {
			return answer(ctx, in)
		}
		return intercept(ctx, in, &grpc.UnaryServerInfo{Server: server, FullMethod: path}, answer)
	}
}
