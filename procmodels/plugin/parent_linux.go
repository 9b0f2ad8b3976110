package plugin

// This file asks Linux to end a plugin when pathspan ends.

import "syscall"

// dieWithParent holds for the thread that starts the process; see process.run.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
