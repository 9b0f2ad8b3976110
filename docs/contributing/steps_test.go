// Package contributing_test holds CONTRIBUTING.md and ARCHITECTURE.md to the code.
package contributing_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

var (
	quoted = regexp.MustCompile("`([^`\n]+)`")
	file   = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)*\.(go|c|h|def|md|yaml|proto)$`)
	folder = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+$`)
	symbol = regexp.MustCompile(`^(message )?\w+(\.\w+)?$`)
)

// missing lists what a document names and the code does not have: files and folders, and in
// rows of tables that begin with files, the symbols behind them.
func missing(document string, read func(name string) (string, bool)) []string {
	var out []string
	for line := range strings.Lines(document) {
		cells := strings.SplitN(line, "|", 3)
		row := strings.HasPrefix(line, "| `") && len(cells) == 3
		if !row {
			continue
		}
		text := ""
		for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
			content, ok := read(m[1])
			if !ok {
				out = append(out, m[1])
			}
			text += content
		}
		if !file.MatchString(quoted.FindStringSubmatch(cells[1])[1]) {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[2], -1) {
			if content, ok := read(m[1]); file.MatchString(m[1]) || folder.MatchString(m[1]) {
				if !ok {
					out = append(out, m[1])
				}
				text += content // symbols may be of this one
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[2], -1) {
			if file.MatchString(m[1]) || !symbol.MatchString(m[1]) {
				continue
			}
			if !regexp.MustCompile(`\b` + regexp.QuoteMeta(m[1]) + `\b`).MatchString(text) {
				out = append(out, m[1]+" in "+strings.TrimSpace(cells[1]))
			}
		}
	}
	return out
}

// tree reads a file; of a folder it only tells that it exists.
func tree(name string) (string, bool) {
	data, err := os.ReadFile(filepath.Join(root, name))
	if err == nil {
		return string(data), true
	}
	_, err = os.Stat(filepath.Join(root, name))
	return "", err == nil
}

// commands are what rows name that users type, and that is no symbol of their file.
var commands = []string{"measure"}

func TestStepsExist(t *testing.T) {
	for _, name := range []string{"CONTRIBUTING.md", "ARCHITECTURE.md"} {
		document, ok := tree(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		if rows := strings.Count(document, "\n| `"); rows < 20 {
			t.Errorf("%s has only %d rows", name, rows)
		}
		for _, m := range missing(document, tree) {
			if word, _, _ := strings.Cut(m, " in "); !slices.Contains(commands, word) {
				t.Errorf("%s names %s, which does not exist", name, m)
			}
		}
	}
}

// TestMissingIsNoticed leaves out a file and a symbol.
func TestMissingIsNoticed(t *testing.T) {
	files := map[string]string{"a/b.go": "func Have() {}", "c.c": "int other(void);"}
	got := missing("| `a/b.go` | `Have` and `Lack`, as in `c.c`: `other` |\n| `a/gone.go` | x |\n| `a/b.go` | see `a/lost.go` |\n", func(name string) (string, bool) {
		text, ok := files[name]
		return text, ok
	})
	if want := []string{"Lack in `a/b.go`", "a/gone.go", "a/lost.go"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
