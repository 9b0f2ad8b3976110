package toolchain

// This file says how to install what is missing.

import (
	"os"
	"os/exec"
	"strings"
)

// InstallCommand is a line of shell that installs packages of Debian as it stands: with
// lists of packages that are current, and with the rights that it takes. scripts/deps.sh
// says the same.
func InstallCommand(packages ...string) string { return installCommand(os.Geteuid(), packages) }

func installCommand(user int, packages []string) string {
	const update = "apt-get update"
	install := "apt-get install -y --no-install-recommends " + strings.Join(packages, " ")
	if user == 0 {
		return update + " && " + install
	}
	if _, err := exec.LookPath("sudo"); err == nil {
		return "sudo " + update + " && sudo " + install
	}
	return "su -c '" + update + " && " + install + "'"
}
