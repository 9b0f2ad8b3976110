package scaffold

// This file makes a Go module that is built against a pathspan source tree. The module
// pathspan has no home that the go command could fetch it from, so go.mod replaces it by
// a folder; it requires what the tree requires, so that nothing has to be looked up.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"pathspan/bounded"
)

var moduleLine = regexp.MustCompile(`(?m)^module pathspan$`)

// FindTree returns the nearest folder at or above one of the given that holds the source
// tree of pathspan, or "".
func FindTree(from ...string) string {
	for _, dir := range from {
		for dir != "" {
			if _, err := readModule(dir); err == nil {
				return dir
			}
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
	}
	return ""
}

// readModule reads the go.mod of a pathspan source tree.
func readModule(tree string) ([]byte, error) {
	name := filepath.Join(tree, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--pathspan: %s: %w; name the folder of pathspan's source", name, bounded.Reason(err))
	}
	if !moduleLine.Match(data) {
		return nil, fmt.Errorf("--pathspan: %s is not that of pathspan; name the folder of its source", name)
	}
	return data, nil
}

// addModule adds go.mod and go.sum.
func (s *Skeleton) addModule(o Options) error {
	if o.Tree == "" {
		return errors.New("a model in Go is built against pathspan's source, which is found neither here nor beside the executable; name its folder with --pathspan DIR")
	}
	tree, err := filepath.Abs(o.Tree)
	if err != nil {
		return fmt.Errorf("--pathspan %s: %w", o.Tree, err)
	}
	theirs, err := readModule(tree)
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(tree, "go.sum"))
	if err != nil {
		return fmt.Errorf("--pathspan: %s: %w", filepath.Join(tree, "go.sum"), bounded.Reason(err))
	}
	// The model's name is not in the module's, for which more names are reserved.
	head := "module pathspan-model\n\n" +
		"// The source of pathspan. Its requirements below are the model's too: when they change,\n" +
		"// copy them anew, and go.sum.\n" +
		"replace pathspan => " + strconv.Quote(tree) + "\n\n" +
		"require pathspan v0.0.0"
	text := moduleLine.ReplaceAllLiteral(theirs, []byte(head))
	s.Files = append(s.Files, File{Name: "go.mod", Data: text}, File{Name: "go.sum", Data: sums})
	return nil
}
