package main

// This file follows the events of go test -json: which tests run, what they print, how they
// end.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of what is built
	Test        string
	Elapsed     float64
	Output      string
	FailedBuild string
}

// results is what is known of all packages. It is safe for concurrent use.
type results struct {
	mu       sync.Mutex
	screen   *screen
	packages map[string]*pack
	done     int // packages that have ended and had tests
	passed   int // tests without subtests, as those below
	failed   int
	skipped  map[string][]string // names of tests by reason
	failures []string            // what failed, for the summary
}

// pack is a package under way.
type pack struct {
	path    string
	began   time.Time
	tests   map[string]*test
	order   []string // tests in the order in which they began, "" the package itself
	output  []printed
	count   int
	skipped int
}

// printed is a piece of output and the test that printed it, "" for none.
type printed struct{ test, text string }

// test is one test or subtest.
type test struct {
	action string // pass, fail, skip; "" while it runs
	parent bool   // it has subtests
}

func newResults(s *screen) *results {
	return &results{screen: s, packages: map[string]*pack{}, skipped: map[string][]string{}}
}

// read takes events until there are no more.
func (r *results) read(in io.Reader) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		switch {
		case len(line) == 0:
		case json.Unmarshal(line, &e) != nil || e.Action == "":
			r.screen.print(string(line)) // go's own words
		default:
			r.take(e)
		}
		if err != nil {
			return
		}
	}
}

func (r *results) take(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Action == "build-output" {
		r.screen.print(e.Output)
	}
	if e.Package == "" {
		return
	}
	p := r.packages[e.Package]
	if p == nil {
		p = &pack{path: e.Package, began: r.screen.now(), tests: map[string]*test{}}
		r.packages[e.Package] = p
	}
	switch e.Action {
	case "run":
		p.tests[e.Test] = &test{}
		p.order = append(p.order, e.Test)
		p.markParent(e.Test)
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") {
			p.output = append(p.output, printed{e.Test, e.Output})
		}
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.packageEnds(p, e)
			return
		}
		r.testEnds(p, e)
	}
}

func (r *results) testEnds(p *pack, e event) {
	t := p.tests[e.Test]
	if t == nil {
		t = &test{}
		p.tests[e.Test] = t
	}
	t.action = e.Action
	if !t.parent {
		p.count++
		switch e.Action {
		case "pass":
			r.passed++
		case "fail":
			r.failed++
			r.failures = append(r.failures, p.path+" "+e.Test)
		case "skip":
			p.skipped++
			why := reason(p.printedBy(e.Test))
			r.skipped[why] = append(r.skipped[why], p.path+" "+e.Test)
		}
	} else if e.Action == "fail" && !slices.ContainsFunc(r.failures, func(f string) bool { return strings.HasPrefix(f, p.path+" "+e.Test+"/") }) {
		p.count++ // for what it does beside its subtests
		r.failed++
		r.failures = append(r.failures, p.path+" "+e.Test)
	}
	if strings.Contains(e.Test, "/") {
		return
	}
	if text := p.take(e.Test); e.Action == "fail" {
		r.screen.print(p.path + "\n" + text)
	}
}

// markParent notes that a test has subtests, of which this is one. Names of subtests may
// hold slashes of their own.
func (p *pack) markParent(name string) {
	for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
		if t := p.tests[name[:i]]; t != nil {
			t.parent = true
			return
		}
	}
}

// printedBy is what a test printed.
func (p *pack) printedBy(name string) string {
	var all strings.Builder
	for _, o := range p.output {
		if o.test == name {
			all.WriteString(o.text)
		}
	}
	return all.String()
}

// take takes what a test and its subtests printed out of the package's output. It returns
// what those printed that did not succeed, in the order in which they did.
func (p *pack) take(name string) string {
	var text strings.Builder
	var rest []printed
	for _, o := range p.output {
		switch t := p.tests[o.test]; {
		case o.test != name && !strings.HasPrefix(o.test, name+"/"):
			rest = append(rest, o)
		case t == nil || t.action != "pass" && t.action != "skip":
			text.WriteString(o.text)
		}
	}
	p.output = rest
	return text.String()
}

func (r *results) packageEnds(p *pack, e event) {
	delete(r.packages, p.path)
	if p.count == 0 && e.Action != "fail" {
		return // no test files
	}
	r.done++
	word := map[string]string{"pass": "ok  ", "skip": "ok  ", "fail": "FAIL"}[e.Action]
	if e.Action == "fail" {
		r.packageFails(p, e)
	}
	count := plural(p.count, "test")
	if p.skipped > 0 {
		count += fmt.Sprintf(", %d skipped", p.skipped)
	}
	r.screen.print(fmt.Sprintf("%s  %-44s %7.1f s  %s\n", word, p.path, e.Elapsed, count))
}

// packageFails prints what no test that ended was blamed for: the output of those that did
// not, and of the package itself.
func (r *results) packageFails(p *pack, e event) {
	for _, name := range p.order {
		if t := p.tests[name]; t.action == "" && !t.parent {
			p.count++
			r.failed++
			r.failures = append(r.failures, p.path+" "+name+" (did not end)")
		}
	}
	var text strings.Builder
	for _, o := range p.output {
		if o.test != "" || !ofGoTest.MatchString(o.text) {
			text.WriteString(o.text)
		}
	}
	if text.Len() > 0 {
		r.screen.print(p.path + "\n" + text.String())
	}
	switch {
	case e.FailedBuild != "":
		r.failures = append(r.failures, p.path+" (it does not build)")
	case !r.blamed(p):
		r.failures = append(r.failures, p.path)
	}
}

// ofGoTest matches how go test itself ends a package that failed.
var ofGoTest = regexp.MustCompile(`^(FAIL|FAIL\t.*|exit status \d+)\n$`)

// blamed tells whether a test of the package has failed.
func (r *results) blamed(p *pack) bool {
	return slices.ContainsFunc(r.failures, func(f string) bool { return strings.HasPrefix(f, p.path+" ") })
}

// underWay tells in one line what runs: the package that began first, its newest test.
func (r *results) underWay() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var running []*pack
	for _, p := range r.packages {
		if len(p.order) > 0 {
			running = append(running, p)
		}
	}
	slices.SortFunc(running, func(a, b *pack) int {
		if c := a.began.Compare(b.began); c != 0 {
			return c
		}
		return strings.Compare(a.path, b.path)
	})
	tests := r.passed + r.failed
	for _, names := range r.skipped {
		tests += len(names)
	}
	line := fmt.Sprintf("%s in %s", plural(tests, "test"), plural(r.done, "package"))
	if r.failed > 0 {
		line += fmt.Sprintf(", %d failed", r.failed)
	}
	if len(running) == 0 {
		line += "; compiling"
	}
	for i, p := range running {
		sep := "; now "
		if i > 0 {
			sep = ", "
		}
		line += sep + short(p.path) + " (" + clock(r.screen.now().Sub(p.began))
		if name := p.newest(); name != "" {
			line += ", " + name
		}
		line += ")"
	}
	return line
}

// newest is the test that began last of those that run.
func (p *pack) newest() string {
	for _, name := range slices.Backward(p.order) {
		if t := p.tests[name]; t.action == "" && !t.parent {
			return name
		}
	}
	return ""
}

// short is a package's path without the module's.
func short(path string) string {
	if _, rest, ok := strings.Cut(path, "/"); ok {
		return rest
	}
	return path
}
