package main

// This file says with which status pathspan ends, and turns errors into one line.

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"pathspan/visible"
)

// The statuses that are pathspan's own; exitCodes explains them.
const (
	statusFailed   = 1
	statusFound    = 3
	statusInternal = 70
	statusSignal   = 128 // and the signal's number
)

const exitCodes = `  0      all went well.
  1      the input is wrong, something is missing, or the work failed. One line on
         standard error says what, where, and what to do.
  3      the work was done, and what was asked for does not hold: a limit of
         --fail-above (diff, validate) is passed, a model breaks the contract (model
         check), a SHIM file is faulty (model shim lint), estimate --verify found a
         difference. What was found is printed.
  70     a fault of pathspan itself; please report it.
  128+n  signal n ended the work: 130 after Ctrl-C. What explore found until then is
         printed.

Profile ends with the status of the profiled program, or with 128+n where signal n
ended that; the bundle is written all the same. So its 1 and 3 may be the program's:
pathspan's own errors begin with "pathspan: ", and then there is no new bundle. Replay
and measure end with 0 whatever the program's status is, which they report.

Doctor ends with 1 when nothing can be profiled.`

func exitCodesTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "exit-codes",
		Short: "What the exit status means",
		Long:  "The exit status of pathspan:\n\n" + exitCodes,
	}
}

// exitStatus is an error that ends pathspan with a status and without a message, where
// all is said already.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// withStatus is an error that ends pathspan with a status and its message.
type withStatus struct {
	error
	status int
}

func (e withStatus) Unwrap() error { return e.error }

// found marks an error as a finding: the work was done and a limit or a contract does
// not hold. Nil stays nil.
func found(err error) error {
	if err == nil {
		return nil
	}
	return withStatus{err, statusFound}
}

func stopped(by syscall.Signal, text string) error {
	return withStatus{errors.New(text), statusSignal + int(by)}
}

// statusOf prints an error, if it is not said yet, and returns the status that it means.
func statusOf(root *cobra.Command, err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	var own exitStatus
	if errors.As(err, &own) {
		return int(own)
	}
	text := commandError(root, strings.TrimSpace(err.Error()))
	text = visible.Line(strings.ReplaceAll(text, "\n", "; "))
	fmt.Fprintf(stderr, "%s %s\n", paintFor(root, stderr).bad("pathspan:"), text)
	var with withStatus
	if errors.As(err, &with) {
		return with.status
	}
	return statusFailed
}
