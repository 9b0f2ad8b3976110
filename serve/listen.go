package serve

// This file opens the address that --listen names.

import (
	"fmt"
	"net"
	"os"
	"strings"
)

// Open tells whether others than programs on this machine can reach an address.
func Open(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && !tcp.IP.IsLoopback()
}

// Listen listens at "unix:PATH" or "tcp:HOST:PORT". Without a HOST it is this machine
// alone that reaches the service, which knows no other protection. A socket that nobody
// listens at any more is replaced.
func Listen(address string) (net.Listener, error) {
	network, where, ok := strings.Cut(address, ":")
	if !ok || network != "unix" && network != "tcp" || where == "" {
		return nil, fmt.Errorf("%q: want unix:/path/to/socket or tcp:HOST:PORT", address)
	}
	if network == "unix" {
		if info, err := os.Stat(where); err == nil {
			if info.Mode()&os.ModeSocket == 0 {
				return nil, fmt.Errorf("%s: %s is there and is no socket; name another path", address, where)
			}
			if c, err := net.Dial("unix", where); err == nil {
				c.Close()
				return nil, fmt.Errorf("%s: another process listens there; name another path", address)
			}
			if err := os.Remove(where); err != nil {
				return nil, fmt.Errorf("%s: %w", address, err)
			}
		}
	}
	if network == "tcp" && strings.HasPrefix(where, ":") {
		where = "127.0.0.1" + where
	}
	l, err := net.Listen(network, where)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; name another address", address, err)
	}
	return l, nil
}
