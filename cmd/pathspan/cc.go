package main

// This file holds the subcommands cc and c++, which take the place of a compiler.

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"pathspan/build/cc"
)

const ccLong = `%[1]s takes the place of %[2]s in a build: CC="pathspan cc" CXX="pathspan c++".
Every argument is clang's. Objects carry the program's LLVM module beside their native
code; linking makes the instrumented program, which writes a bundle each time it
runs: default.pspan, or what $PATHSPAN_FILE names (%%p is the process, %%m the program).

--target= names the machine that programs are for, as with clang: aarch64-linux-gnu,
arm-linux-gnueabihf, riscv64-linux-gnu or this one.

What has no module, such as assembler files and libraries of others, is linked as it is
and named in a warning. Programs of configure scripts (conftest, cmTC_...) are built
natively.

Environment:
  PATHSPAN_CLANG       clang to use: a path, a command or a version
  PATHSPAN_CC_FLAGS    --memory, --branches, --paths-only, --threads, --vectorize,
                       --plan=FILE as of pathspan profile; --quiet
  PATHSPAN_CC_QUIET=1  no warnings
  PATHSPAN_CC=plain    build without profiling`

func ccCmd() *cobra.Command {
	return compilerCmd("cc", "clang", false)
}

func cxxCmd() *cobra.Command {
	return compilerCmd("c++", "clang++", true)
}

func compilerCmd(name, clang string, cxx bool) *cobra.Command {
	return &cobra.Command{
		Use:   name + " [ARGUMENT OF CLANG]...",
		Short: "Be the " + map[bool]string{false: "C", true: "C++"}[cxx] + " compiler of a build whose programs write bundles",
		Long:  fmt.Sprintf(ccLong, "pathspan "+name, clang),
		Example: "  make CC=\"pathspan cc\" CXX=\"pathspan c++\"\n" +
			"  CC=\"pathspan cc\" ./configure && make && PATHSPAN_FILE=%m.pspan make check",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			// A compiler ends soon: what it would collect is given back then.
			debug.SetGCPercent(400)
			settings, err := cc.FromEnvironment()
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			settings.Tool = version()
			ctx, caught, done := interruptible(cmd.Context())
			defer done()
			d := &cc.Driver{Settings: settings, CXX: cxx, Stdin: cmd.InOrStdin(), Stdout: cmd.OutOrStdout(), Stderr: cmd.ErrOrStderr()}
			status, err := d.Run(ctx, args)
			if s := caught(); s != 0 && (err != nil || status != 0) {
				dieOf(s) // as clang does
			}
			switch {
			case err != nil:
				return fmt.Errorf("%s: %w", name, err)
			case status != 0:
				return exitStatus(status)
			}
			return nil
		},
	}
}
