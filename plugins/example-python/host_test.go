package examplepython_test

// This file is a host made of go-plugin alone, so that what the Python files do is held
// to go-plugin's own rules: the handshake, AutoMTLS, health, the end.

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"pathspan/procmodels/pluginpb"
	"pathspan/procmodels/wire"
)

// interpreter is what the first line of example.py names.
const interpreter = "/usr/bin/python3"

func needPython(t testing.TB) {
	t.Helper()
	out, err := exec.Command(interpreter, "-c", "import grpc, google.protobuf").CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		t.Skipf("skipped: %s cannot import grpc and google.protobuf (%v: %s); install python3-grpcio", interpreter, err, lines[len(lines)-1])
	}
}

type dispenser struct {
	goplugin.NetRPCUnsupportedPlugin
}

func (dispenser) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error { return nil }

func (dispenser) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return pluginpb.NewProcessorModelClient(conn), nil
}

// host starts a program; the test's end ends it.
func host(t testing.TB, program string, stderr io.Writer) (*goplugin.Client, pluginpb.ProcessorModelClient) {
	t.Helper()
	client, model, err := start(program, stderr)
	t.Cleanup(client.Kill)
	if err != nil {
		t.Fatal(err)
	}
	return client, model
}

// start starts a program with AutoMTLS and asks for its health.
func start(program string, stderr io.Writer) (*goplugin.Client, pluginpb.ProcessorModelClient, error) {
	path, err := filepath.Abs(program)
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(path)
	cmd.Env = append(cmd.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	client := goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  wire.Handshake,
		Plugins:          goplugin.PluginSet{"model": dispenser{}},
		Cmd:              cmd,
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		AutoMTLS:         true,
		Stderr:           stderr,
		Logger:           hclog.NewNullLogger(),
		StartTimeout:     patience,
	})
	protocol, err := client.Client()
	if err != nil {
		return client, nil, err
	}
	if err := protocol.Ping(); err != nil {
		return client, nil, fmt.Errorf("health: %w", err)
	}
	model, err := protocol.Dispense("model")
	if err != nil {
		return client, nil, err
	}
	return client, model.(pluginpb.ProcessorModelClient), nil
}

// anyServer is a client's configuration that has no certificate and checks none.
func anyServer() *tls.Config {
	return &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}}
}
