package asm_test

// This file compiles the corpus that the tests read: every program in testdata
// with every LLVM that is installed, at -O0 and -O2, with and without -g. The one with the
// standard library is large: it is compiled at one level, by turns, and with
// PATHSPAN_TEST_ALL=1 at both.

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pathspan/ir/asm"
)

// versions are the LLVM releases the reader is held to.
var versions = []string{"14", "16", "19", "22"}

// sample is one module of the corpus.
type sample struct {
	version, source, level string
	debug                  bool
	text                   []byte
}

func (s *sample) name() string {
	n := fmt.Sprintf("%s-%s-%s", s.version, s.source, s.level)
	if s.debug {
		n += "-g"
	}
	return n
}

var corpus struct {
	once    sync.Once
	samples []*sample
	missing []string
	err     error
	took    time.Duration
}

// procs bounds the compiler processes that run at a time.
var procs = make(chan struct{}, 2)

func run(stdin []byte, dir, program string, args ...string) ([]byte, error) {
	procs <- struct{}{}
	defer func() { <-procs }()
	c := exec.Command(program, args...)
	c.Dir = dir
	c.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return out, fmt.Errorf("%s %s: %v\n%.3000s", program, strings.Join(args, " "), err, stderr.String())
	}
	return out, nil
}

// samples returns the corpus, without the standard library's share in short
// mode. It skips the test when no LLVM is installed.
func samples(t testing.TB) []*sample {
	t.Helper()
	corpus.once.Do(func() { compileCorpus(testing.Short()) })
	if corpus.err != nil {
		t.Fatal(corpus.err)
	}
	if len(corpus.samples) == 0 {
		t.Skip("no clang of version ", strings.Join(versions, ", "), " is installed")
	}
	if len(corpus.missing) > 0 {
		t.Log("not installed, not tested: ", strings.Join(corpus.missing, ", "))
	}
	return corpus.samples
}

func compileCorpus(short bool) {
	start := time.Now()
	sources, err := filepath.Glob("testdata/*.c*")
	if err != nil || len(sources) == 0 {
		corpus.err = fmt.Errorf("no sources in testdata: %v", err)
		return
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for n, v := range versions {
		if _, err := exec.LookPath("clang-" + v); err != nil {
			corpus.missing = append(corpus.missing, "clang-"+v)
			continue
		}
		for _, src := range sources {
			if short && strings.Contains(src, "stl") {
				continue
			}
			for i, level := range []string{"-O0", "-O2"} {
				if strings.Contains(src, "stl") && i != n%2 && os.Getenv("PATHSPAN_TEST_ALL") == "" {
					continue
				}
				for _, debug := range []bool{false, true} {
					s := &sample{version: v, source: filepath.Base(src), level: level[1:], debug: debug}
					corpus.samples = append(corpus.samples, s)
					wg.Go(func() {
						args := []string{level, "-w", "-S", "-emit-llvm", "-o", "-", src}
						if debug {
							args = append(args, "-g")
						}
						text, err := run(nil, "", "clang-"+v, args...)
						mu.Lock()
						defer mu.Unlock()
						s.text = text
						if err != nil {
							corpus.err = err
						}
					})
				}
			}
		}
	}
	wg.Wait()
	corpus.took = time.Since(start)
}

// parse reads text or ends the test.
func parse(t testing.TB, text []byte) *asm.Module {
	t.Helper()
	m, err := asm.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// named returns the sample as a module that can be edited.
func (s *sample) named(t testing.TB) *asm.Module {
	t.Helper()
	m := parse(t, s.text)
	m.NameValues()
	return m
}

// verify has LLVM check the module.
func (s *sample) verify(t testing.TB, m *asm.Module) {
	t.Helper()
	if _, err := run(m.Bytes(), "", "opt-"+s.version, "-passes=verify", "-disable-output"); err != nil {
		t.Errorf("%s: %v", s.name(), err)
	}
}
