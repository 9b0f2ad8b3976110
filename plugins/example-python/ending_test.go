//go:build linux

package examplepython_test

// This file tests that the Python program ends: when its host says so, when its host is
// killed, and when nobody but its host may speak to it.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"

	"pathspan/procmodels/pluginpb"
)

// beHost makes a child process of the test a host that names its plugin's process and
// then waits to be killed.
const beHost = "PATHSPAN_TEST_HOST"

func TestMain(m *testing.M) {
	if program := os.Getenv(beHost); program != "" {
		client, _, err := start(program, os.Stderr)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(client.ID())
		select {}
	}
	os.Exit(m.Run())
}

// running tells whether a process exists and is no zombie.
func running(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	rest := stat[bytes.LastIndexByte(stat, ')')+1:]
	return !bytes.HasPrefix(rest, []byte(" Z"))
}

// patience is how long a test waits for what must happen, on a machine however busy.
const patience = 2 * time.Minute

func waitForEnd(t *testing.T, pid string) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if !running(pid) {
			return
		}
	}
	t.Errorf("process %s still runs %v later", pid, patience)
	if n, err := strconv.Atoi(pid); err == nil {
		if p, err := os.FindProcess(n); err == nil {
			p.Kill()
		}
	}
}

func TestEndsWhenTold(t *testing.T) {
	needPython(t)
	client, _ := host(t, "example.py", os.Stderr)
	pid := client.ID()
	if !running(pid) {
		t.Fatalf("process %s does not run", pid)
	}
	protocol, err := client.Client()
	if err != nil {
		t.Fatal(err)
	}
	// As go-plugin tells it, which would kill after two seconds what does not end by itself.
	told := protocol.(*goplugin.GRPCClient).Conn.Invoke(t.Context(), "/plugin.GRPCController/Shutdown", &emptypb.Empty{}, &emptypb.Empty{})
	if told != nil {
		t.Error(told)
	}
	waitForEnd(t, pid)
}

// The host is killed; through a shell in between, which outlives it, the program has to
// see the connection end.
func TestEndsWithItsHost(t *testing.T) {
	needPython(t)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	wrapper := t.TempDir() + "/wrapper.sh"
	script := "#!/bin/sh\n" + dir + "/example.py\nexit $?\n"
	if err := os.WriteFile(wrapper, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{dir + "/example.py", wrapper} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), beHost+"="+program)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		pid, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatalf("the host did not start its plugin: %v", err)
		}
		pid = strings.TrimSpace(pid)
		cmd.Process.Kill()
		cmd.Wait()
		waitForEnd(t, pid)
	}
}

func TestSpeaksToItsHostOnly(t *testing.T) {
	needPython(t)
	client, _ := host(t, "example.py", io.Discard) // gRPC says why it refuses
	address, err := client.Start()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]credentials.TransportCredentials{
		"no TLS":         insecure.NewCredentials(),
		"no certificate": credentials.NewTLS(anyServer()),
	} {
		conn, err := grpc.NewClient(address.String(), grpc.WithTransportCredentials(c))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		if _, err := pluginpb.NewProcessorModelClient(conn).Describe(ctx, &pluginpb.DescribeRequest{}); err == nil {
			t.Errorf("with %s it answers", name)
		}
		cancel()
		conn.Close()
	}
}

// Started by hand it says what it is for.
func TestStartedByHand(t *testing.T) {
	needPython(t)
	cmd := exec.Command("./example.py")
	cmd.Env = []string{"PYTHONDONTWRITEBYTECODE=1"}
	out, err := cmd.CombinedOutput()
	if want := "./example.py is a processor model: pathspan starts it, as in pathspan model check plugin:./example.py\n"; err == nil || string(out) != want {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
	cmd = exec.Command("./example.py")
	cmd.Env = []string{"PYTHONDONTWRITEBYTECODE=1", "PATHSPAN_PLUGIN=processor-model"}
	out, err = cmd.CombinedOutput()
	if want := "./example.py: PLUGIN_CLIENT_CERT is not set, and it serves only over TLS\n"; err == nil || string(out) != want {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
}
