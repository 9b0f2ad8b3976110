// Package keytest holds a reader of files to using every key that it accepts: another value
// changes what comes of the file, or is refused.
//
//	keytest.Check(t, []string{"platformfile.go"}, text, show, []keytest.Change{{"create", "create: 50", "create: 60"}})
//
// It is for tests. It cannot tell whether a key's value is used rightly.
package keytest

// This file is the check.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Change puts another text in the place of a part of a file, once, so that the value of the
// key is another.
type Change struct{ Key, Old, New string }

// Check makes each change to the text by itself and fails where show, which returns all that
// people see of a file, an error included, shows the same. It also fails where no change is
// of a key that the sources give to yamlstrict's Fields, or of one of the words besides.
func Check(t *testing.T, sources []string, text string, show func(t *testing.T, text string) string, changes []Change, besides ...string) {
	t.Helper()
	before := show(t, text)
	for _, key := range append(keysIn(t, sources), besides...) {
		if !slices.ContainsFunc(changes, func(c Change) bool { return c.Key == key }) {
			t.Errorf("no test shows that key %q is used", key)
		}
	}
	for _, c := range changes {
		if n := strings.Count(text, c.Old); n != 1 {
			t.Errorf("key %q: %q is in the file %d times", c.Key, c.Old, n)
		} else if show(t, strings.Replace(text, c.Old, c.New, 1)) == before {
			t.Errorf("key %q: %q in place of %q is accepted and changes nothing", c.Key, c.New, c.Old)
		}
	}
}

// keysIn lists the texts that sources pass to functions called Fields.
func keysIn(t *testing.T, sources []string) (keys []string) {
	t.Helper()
	for _, name := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		found := len(keys)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Fields" {
				return true
			}
			for _, arg := range call.Args {
				if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if key, err := strconv.Unquote(lit.Value); err == nil {
						keys = append(keys, key)
					}
				}
			}
			return true
		})
		if len(keys) == found {
			t.Errorf("%s reads no keys", name)
		}
	}
	return keys
}
