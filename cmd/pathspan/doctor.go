package main

// This file is the subcommand doctor.

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"pathspan/ir/toolchain"
)

func doctorCmd() *cobra.Command {
	var clang string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check what profiling needs, and say what to install",
		Args:  cobra.NoArgs,
	}
	cmd.Flags().StringVar(&clang, "clang", "", "`clang` to check, as for profile")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		missing := false
		for _, c := range toolchain.Doctor(cmd.Context(), clang) {
			fmt.Fprintln(cmd.OutOrStdout(), c)
			missing = missing || c.Required && !c.OK
		}
		if missing {
			return errors.New("doctor: pathspan profile cannot work here; see above for what to install")
		}
		return nil
	}
	return cmd
}
