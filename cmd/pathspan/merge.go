package main

// This file is the subcommand merge.

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"

	"github.com/spf13/cobra"

	"pathspan/profile"
	"pathspan/report"
)

// mergedTwice names bundles that hold the same run as one before them, as far as that can
// be told: the same counts with the same arguments.
func mergedTwice(names []string, bundles []*profile.Bundle) []string {
	var notes []string
	for i, b := range bundles {
		for k, a := range bundles[:i] {
			if !reflect.DeepEqual(a.Provenance.Runs, b.Provenance.Runs) || !reflect.DeepEqual(a.Funcs, b.Funcs) || !reflect.DeepEqual(a.Executions, b.Executions) {
				continue
			}
			what := fmt.Sprintf("%s and %s hold the same counts of runs with the same arguments: if that is one run, it counts twice", filepath.Base(names[k]), filepath.Base(names[i]))
			if filepath.Clean(names[k]) == filepath.Clean(names[i]) {
				what = fmt.Sprintf("%s is merged with itself: its run counts twice", filepath.Base(names[i]))
			}
			notes = append(notes, what)
			break
		}
	}
	return notes
}

func mergeCmd() *cobra.Command {
	var output string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "merge A.pspan B.pspan... -o AB.pspan",
		Short: "Add up the profiles of several runs of one program",
		Long: `Merge adds the counts of several runs of one build, so that estimates average over
their inputs. Runs of other sources, compilers or flags do not fit together.`,
		Example: "  pathspan merge small.pspan large.pspan -o both.pspan",
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "bundle `file` to write (required)")
	addWritten(cmd.Flags(), &asJSON, ", on standard output")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) < 2 {
			return errors.New("merge: give at least two bundles; usage: pathspan merge a.pspan b.pspan -o ab.pspan")
		}
		if output == "" {
			return errors.New("merge: no output named; add -o ab.pspan")
		}
		if err := writable(output); err != nil {
			return err
		}
		var all []*profile.Bundle
		for i, path := range args {
			b, err := readBundle(path)
			if err != nil {
				return err
			}
			all = append(all, b)
			if i > 0 {
				switch _, err := profile.Merge(all[0], b); {
				case errors.Is(err, profile.ErrTooMany):
					return fmt.Errorf("cannot merge %s with %s: %w; merge fewer runs", path, args[0], err)
				case err != nil:
					return fmt.Errorf("cannot merge %s with %s: %w; merge runs of one build only", path, args[0], err)
				}
			}
		}
		merged, err := profile.Merge(all...)
		if err != nil {
			return fmt.Errorf("cannot merge all of them: %w; merge fewer runs", err)
		}
		merged.Notes = addNotes(merged.Notes, mergedTwice(args, all)...)
		if err := writeBundle(merged, output); err != nil {
			return err
		}
		if asJSON {
			return report.JSON(cmd.OutOrStdout(), report.NewProfile(merged, output))
		}
		report.Profiled(cmd.ErrOrStderr(), merged, output)
		return nil
	}
	return cmd
}
