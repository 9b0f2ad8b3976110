// Package yamlstrict reads YAML that people write by hand and holds them to it:
// an unknown key, a repeated key, a wrong type or a number out of range is an
// error of one line that names file, line and key, and for a mistyped word the
// nearest valid one.
//
//	r := yamlstrict.Parse("p.yaml", data)
//	top := r.Root().Fields("name", "clock_mhz")
//	name := top.Get("name").Text()
//	clock := top.Get("clock_mhz").NonNegative()
//	if err := r.Err(); err != nil { ... }
//
// The first error is kept and the readings after it give zero values, so that a
// reader needs one check at its end. A key that is absent also reads as a zero
// value; Has tells it apart, and Need makes it an error.
//
// The package does not fill structs by reflection, and it refuses what a file of
// this kind never needs: several documents, merge keys, keys that are not words, numbers
// with leading zeros, and control characters.
package yamlstrict

// This file opens a document and keeps its first error.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Reader reads one document. It is not safe for concurrent use.
type Reader struct {
	file   string
	root   *yaml.Node
	err    error
	values int // that were read
}

// maxValues bounds what one reads of a document: a few aliases of lists of aliases stand
// for more values than there is memory.
const maxValues = 1 << 20

// Parse reads one YAML document; file is its name for messages.
func Parse(file string, data []byte) *Reader {
	r := &Reader{file: file}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			r.err = fmt.Errorf("%s: empty file", file)
		} else {
			r.err = r.syntaxError(err, data)
		}
		return r
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		r.err = fmt.Errorf("%s: empty file", file)
		return r
	}
	var more yaml.Node
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		if err != nil {
			r.err = r.syntaxError(err, data)
		} else {
			r.err = fmt.Errorf("%s:%d: a second document: want one", file, more.Line)
		}
		return r
	}
	r.root = doc.Content[0]
	return r
}

var (
	yamlLine = regexp.MustCompile(`^line (\d+): (.*)`)
	// The library counts lines from 0 in what its parser says, and leaves line 0 out; from 1
	// in what its scanner says.
	parserSays = regexp.MustCompile(`^did not find expected ([',<-]|key|node content)`)
	// Words with a question mark, which the library takes for a key within braces.
	question = regexp.MustCompile(`(?:^|[\s{\[,:])([^\s"'{}\[\],#]+\?[^\s{}\[\],]*)`)
)

// syntaxError turns the words of the YAML library into file:line and one line.
func (r *Reader) syntaxError(err error, data []byte) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text = strings.Join(strings.Fields(text), " ")
	line := 0
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	if parserSays.MatchString(text) {
		lines := bytes.Count(bytes.TrimRight(data, "\n"), []byte("\n")) + 1
		line = min(line+1, lines) // it may see the end only
	}
	if strings.HasPrefix(text, "did not find expected ','") { // in braces or brackets that begin on the line
		for i, l := range bytes.Split(data, []byte("\n")) {
			if m := question.FindSubmatch(l); i+1 >= line && m != nil {
				return Pos{r.file, i + 1}.Errorf("not valid YAML: a text with a question mark needs quotes within braces or brackets: write %s", quote(string(m[1])))
			}
		}
	}
	return Pos{r.file, line}.Errorf("not valid YAML: %s", text)
}

// Err returns the first error met, or nil.
func (r *Reader) Err() error { return r.err }

// Root returns the value of the whole document.
func (r *Reader) Root() Value {
	if r.root == nil {
		return Value{r: r}
	}
	return r.value(r.root, "")
}

// value follows aliases; the library guarantees that an anchor stands before them.
func (r *Reader) value(n *yaml.Node, what string) Value {
	line := n.Line
	if r.values++; r.values > maxValues && r.err == nil {
		r.err = fmt.Errorf("%s:%d: more than %d values: want fewer, or fewer aliases", r.file, line, maxValues)
	}
	for hops := 0; n.Kind == yaml.AliasNode && n.Alias != nil && hops < 8; hops++ {
		n = n.Alias
	}
	return Value{r: r, node: n, line: line, what: what}
}

// Pos is a place in a document. Its zero value is nowhere.
type Pos struct {
	File string
	Line int
}

// String returns "file:line", or the file alone without a line.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Errorf makes a one-line error about the place.
func (p Pos) Errorf(format string, args ...any) error {
	text := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	return fmt.Errorf("%s: %s", p, text)
}
