//go:build unix && !linux

package plugin

// This file stands where the system does not end a plugin with pathspan; the guard does.

import "syscall"

func dieWithParent(*syscall.SysProcAttr) {}
