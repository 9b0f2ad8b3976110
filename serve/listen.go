package serve

// This file opens the address that --listen names.

import (
	"fmt"
	"net"
	"os"
	"strings"
)

// Listen listens at "unix:PATH" or "tcp:HOST:PORT". A socket that nobody listens at any
// more is replaced.
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
	l, err := net.Listen(network, where)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; name another address", address, err)
	}
	return l, nil
}
