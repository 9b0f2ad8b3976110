package main

// This file runs the commands that README.md shows, and pages whose sessions are whole, in their order, in one shell each, and holds
// what they print against what these say that they print. A line of three dots there
// stands for any lines. With -update, figures that have changed are written into it.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

// readmeLLVM is the newest version that Debian 12 has: other versions optimise a little
// differently, and then figures differ.
const readmeLLVM = 19

func TestReadme(t *testing.T) {
	for _, page := range []string{"README.md", "docs/pipelines.md"} {
		t.Run(page, func(t *testing.T) { testPage(t, page) })
	}
}

func testPage(t *testing.T, page string) {
	at := slices.IndexFunc(toolchain.All(), func(tc *toolchain.Toolchain) bool { return tc.Version == readmeLLVM })
	if at < 0 {
		t.Skipf("the figures of %s are those of clang %d, which is not installed", page, readmeLLVM)
	}
	if testing.Short() {
		t.Skip("it profiles as much as a user does")
	}
	readme := filepath.Join("..", "..", page)
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	sh := startShell(t, layOut(t), "PATHSPAN_CLANG="+toolchain.All()[at].Clang)
	lines, changed := strings.Split(string(text), "\n"), false
	var out []string
	for i := 0; i < len(lines); {
		if name := fileOf.FindStringSubmatch(lines[i]); name != nil {
			if end := blockAt(lines, i+1); end > 0 {
				sh.run("cat > " + name[1] + " <<'EOF'\n" + dedent(lines[i+1:end]) + "EOF")
			}
		}
		if !strings.HasPrefix(lines[i], prompt) {
			out = append(out, lines[i])
			i++
			continue
		}
		end := i + 1
		for end < len(lines) && (strings.HasPrefix(lines[end], "    ") && !strings.HasPrefix(lines[end], prompt) || lines[end] == "" && end+1 < len(lines) && strings.HasPrefix(lines[end+1], "    ")) {
			end++
		}
		command, want := lines[i], lines[i+1:end]
		command, _, _ = strings.Cut(strings.TrimPrefix(command, prompt), "  #")
		got, err := sh.run(command)
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		out = append(out, lines[i])
		i = end
		if len(want) == 0 {
			continue
		}
		_, problem := alike(want, got, exactly)
		shown := want
		if problem != "" && *update {
			if shown, problem = alike(want, got, byShape); problem == "" {
				changed = true
			}
		}
		if problem != "" {
			t.Errorf("%s shows another output of %q (go test ./cmd/pathspan -run Readme -update writes figures anew): %s; it prints:\n%s", page, command, problem, strings.Join(got, "\n"))
		}
		out = append(out, shown...)
	}
	if changed && !t.Failed() {
		if err := os.WriteFile(readme, []byte(strings.Join(out, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const prompt = "    $ "

// fileOf finds a line that says that the block after it is a file.
var fileOf = regexp.MustCompile("\\(`([a-z]+\\.yaml)`\\)")

// blockAt returns the end of the indented block that begins within the next lines, or 0.
func blockAt(lines []string, at int) int {
	for n := 0; n < 3 && at < len(lines) && !strings.HasPrefix(lines[at], "    "); n++ {
		at++
	}
	end := at
	for end < len(lines) && strings.HasPrefix(lines[end], "    ") {
		end++
	}
	if end == at || strings.HasPrefix(lines[at], prompt) {
		return 0
	}
	return end
}

// dedent returns the indented ones of some lines.
func dedent(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		if l, ok := strings.CutPrefix(l, "    "); ok {
			b.WriteString(l + "\n")
		}
	}
	return b.String()
}

// layOut makes a folder like a clone of the repository in which make has built pathspan.
func layOut(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	exe, err := exec.LookPath("pathspan") // the test itself; see TestMain
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"bin", "out"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"bin/pathspan": exe, "testdata": root + "/testdata", "cmd": root + "/cmd", "examples": root + "/examples"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// shell is a bash that runs one command after the other.
type shell struct {
	in  io.Writer
	out *bufio.Reader
}

const commandEnds = "=== the command ended with status"

func startShell(t *testing.T, dir string, env ...string) *shell {
	t.Helper()
	cmd := exec.Command("bash", "--norc", "--noprofile")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cacheHome(t), "PATHSPAN_PLUGINS=", "LC_ALL=C")
	cmd.Env = append(cmd.Env, env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Skipf("no bash: %v", err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	return &shell{in, bufio.NewReader(out)}
}

// run runs a command, and returns the lines that it prints. Status 3 is that of findings.
func (s *shell) run(command string) ([]string, error) {
	if _, err := fmt.Fprintf(s.in, "%s\necho \"%s $?\"\n", command, commandEnds); err != nil {
		return nil, err
	}
	var all bytes.Buffer
	for {
		line, err := s.out.ReadString('\n')
		if before, status, ended := strings.Cut(line, commandEnds); ended {
			all.WriteString(before)
			status = strings.TrimSpace(status)
			if status != "0" && status != "3" {
				return nil, fmt.Errorf("status %s: %s", status, all.String())
			}
			return strings.Split(strings.TrimRight(all.String(), "\n"), "\n"), nil
		}
		if err != nil {
			return nil, fmt.Errorf("the shell ended: %w: %s", err, all.String())
		}
		all.WriteString(line)
	}
}

// alike matches the indented lines of a block against an output, and returns the block
// with the lines of the output, or what does not match.
func alike(block, output []string, same func(a, b string) bool) (shown []string, problem string) {
	const dots = "    ..."
	at := 0
	for i := 0; i < len(block); {
		if block[i] == dots {
			shown = append(shown, dots)
			i++
			continue
		}
		end := i
		for end < len(block) && block[end] != dots {
			end++
		}
		part, last := block[i:end], end == len(block)
		trailing := 0 // empty lines behind the block are no part of the output
		for last && trailing < len(part) && part[len(part)-1-trailing] == "" {
			trailing++
		}
		part = part[:len(part)-trailing]
		first := i > 0 // may start anywhere
		matches := func(from int) bool {
			if from+len(part) > len(output) || last && from+len(part) != len(output) {
				return false
			}
			for k, l := range part {
				if !same(strings.TrimPrefix(l, "    "), strings.TrimRight(output[from+k], " ")) {
					return false
				}
			}
			return true
		}
		from := at
		for ; !matches(from); from++ {
			if !first || from >= len(output) {
				return block, fmt.Sprintf("nothing like %q", part)
			}
		}
		for _, l := range output[from : from+len(part)] {
			shown = append(shown, strings.TrimRight("    "+l, " "))
		}
		for range trailing {
			shown = append(shown, "")
		}
		at, i = from+len(part), end
	}
	return shown, ""
}

// exactly tells whether two lines are the same, apart from the time that a test took.
func exactly(a, b string) bool {
	if strings.HasSuffix(a, " sec") {
		return byShape(a, b)
	}
	return a == b
}

var figure = regexp.MustCompile(`[-+<]?[0-9][0-9.,]*`)

// byShape tells whether two lines are the same but for figures and what aligns them.
func byShape(a, b string) bool {
	shape := func(s string) string { return strings.Join(strings.Fields(figure.ReplaceAllString(s, "0")), " ") }
	return shape(a) == shape(b)
}
