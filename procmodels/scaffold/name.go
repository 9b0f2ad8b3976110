package scaffold

// This file says which names a model may have.

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"pathspan/procmodels"
)

var goodName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// checkName refuses what would make no file name, no Go module or no YAML word, and what
// is a model already.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("the name is empty; give the model's name")
	case !goodName.MatchString(name):
		return fmt.Errorf("%q is no name for a model: want a letter, then letters, digits, - and _, 64 at most", name)
	case slices.Contains(procmodels.Names(), name):
		return fmt.Errorf("%s is a built-in model; choose another name", name)
	}
	return nil
}
