package serve

// This file runs the search in Python against the service, over gRPC.

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestPythonOverGRPC(t *testing.T) {
	const interpreter = "/usr/bin/python3"
	if out, err := exec.Command(interpreter, "-c", "import grpc, google.protobuf").CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		t.Skipf("skipped: %s cannot import grpc and google.protobuf (%v: %s); install python3-grpcio", interpreter, err, lines[len(lines)-1])
	}
	if _, err := exec.LookPath("protoc"); err != nil {
		t.Skip("skipped: protoc is not installed; install protobuf-compiler")
	}
	s := service(t, fun0(t), 2)
	socket := filepath.Join(t.TempDir(), "s")
	l, err := Listen("unix:" + socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	defer func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	out, err := exec.Command(interpreter, "../examples/search.py", "--grpc", "unix:"+socket).CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "# speed-up 1.4502, ") {
		t.Errorf("%v: %s", err, out)
	}
}
