// Package sources reads pathspan's own sources for tests that hold all of them to a rule.
package sources

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each visits every node of pathspan's Go files, tests and testdata left out, and the folder
// that the rule is about; root is the way to the top folder. file is the file's name from
// there, place a function for messages. It returns how many files there are.
func Each(t *testing.T, root, except string, visit func(file string, place func(ast.Node) string, n ast.Node)) (files int) {
	t.Helper()
	set := token.NewFileSet()
	place := func(n ast.Node) string { return set.Position(n.Pos()).String() }
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{except, "out", "testdata"}, d.Name()):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		name, err := filepath.Rel(root, path)
		ast.Inspect(f, func(n ast.Node) bool {
			visit(filepath.ToSlash(name), place, n)
			return true
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
