package main

// This file holds the commands to what all of them promise: help, examples, JSON, manual
// pages.

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commands lists the commands that do something, without cobra's help.
func commands() []*cobra.Command {
	var all []*cobra.Command
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Name() == "help" || c.IsAdditionalHelpTopicCommand() {
			return
		}
		all = append(all, c)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(io.Discard))
	return all
}

func TestCommandsExplainThemselves(t *testing.T) {
	for _, c := range commands() {
		name := c.CommandPath()
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: its short description is %q", name, c.Short)
		}
		if c.Long == "" {
			t.Errorf("%s has no long description", name)
		}
		if c.Example == "" {
			t.Errorf("%s has no example", name)
		}
		for line := range strings.Lines(c.Example) {
			if !strings.HasPrefix(line, "  ") {
				t.Errorf("%s: example %q is not indented by two", name, line)
			}
		}
		for line := range strings.Lines(c.Long) {
			if len(line) > 92 {
				t.Errorf("%s: line of %d columns: %s", name, len(line), line)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			value, usage := pflag.UnquoteUsage(f)
			switch {
			case len(strings.Fields(usage)) < 2 || strings.HasSuffix(usage, "."):
				t.Errorf("%s: --%s is described as %q", name, f.Name, usage)
			case f.Value.Type() != "bool" && !strings.Contains(f.Usage, "`"):
				t.Errorf("%s: --%s does not name its value, which goes by %q", name, f.Name, value)
			}
		})
	}
}

// jsonReasons says of commands without --json why they have none.
var jsonReasons = map[string]string{
	"pathspan":                       "lists the commands",
	"pathspan model":                 "lists its commands",
	"pathspan model shim":            "lists its commands",
	"pathspan model calls":           "writes a model",
	"pathspan serve":                 "speaks JSON lines or gRPC as it is",
	"pathspan export":                "writes formats of other tools, some of them JSON",
	"pathspan man":                   "writes manual pages",
	"pathspan cc":                    "prints what the compiler prints",
	"pathspan c++":                   "prints what the compiler prints",
	"pathspan completion":            "lists its commands",
	"pathspan completion bash":       "writes a script",
	"pathspan completion zsh":        "writes a script",
	"pathspan completion fish":       "writes a script",
	"pathspan completion powershell": "writes a script",
}

func TestResultsAsJSON(t *testing.T) {
	for _, c := range commands() {
		has := c.Flags().Lookup("json") != nil
		_, excused := jsonReasons[c.CommandPath()]
		switch {
		case !has && !excused:
			t.Errorf("%s has no --json, and there is no reason why", c.CommandPath())
		case has && excused:
			t.Errorf("%s has --json; take it out of the list of reasons", c.CommandPath())
		}
	}
}

func manPagesIn(t *testing.T) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	n, err := writeManPages(dir)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if pages[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	if n != len(pages) {
		t.Errorf("%d pages written, told %d", len(pages), n)
	}
	return pages
}

func TestManPages(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "")
	pages := manPagesIn(t)
	for _, c := range commands() {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		page := pages[name]
		if page == nil {
			t.Errorf("there is no %s", name)
			continue
		}
		for _, part := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLE"} {
			if !bytes.Contains(page, []byte("\n.SH "+part+"\n")) {
				t.Errorf("%s has no section %s", name, part)
			}
		}
		plain := strings.ReplaceAll(string(page), `\-`, "-")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(plain, "--"+f.Name) {
				t.Errorf("%s says nothing of --%s", name, f.Name)
			}
		})
		if bytes.Contains(page, []byte("Jan 0001")) || bytes.Contains(page, []byte("```")) {
			t.Errorf("%s holds a date that is none, or markdown", name)
		}
	}
	if root := pages["pathspan.1"]; !bytes.Contains(root, []byte("EXIT STATUS")) || !bytes.Contains(root, []byte("ENVIRONMENT")) {
		t.Error("pathspan.1 says nothing of the exit status or the environment")
	}
	// The same each time, and dated where that is asked for.
	again := manPagesIn(t)
	for name := range pages {
		if !bytes.Equal(pages[name], again[name]) {
			t.Errorf("%s differs the second time", name)
		}
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1000000000")
	if dated := manPagesIn(t)["pathspan.1"]; !bytes.Contains(dated, []byte(`"Sep 2001"`)) {
		t.Errorf("the page is not dated:\n%.200s", dated)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "yesterday")
	if _, err := writeManPages(t.TempDir()); err == nil {
		t.Error("a date that is none is taken")
	}
}

// Manual pages are read by what shows them, with all warnings.
func TestManPagesFormat(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	mandoc, _ := exec.LookPath("mandoc") // better where there is one
	for name, page := range manPagesIn(t) {
		cmd := exec.Command(groff, "-man", "-ww", "-z", "-Tutf8")
		if mandoc != "" {
			cmd = exec.Command(mandoc, "-T", "lint", "-W", "error")
		}
		cmd.Stdin = bytes.NewReader(page)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// complete returns what a shell is offered, without explanations, and the directive.
func complete(t *testing.T, args ...string) (words []string, directive string) {
	t.Helper()
	var out, errs bytes.Buffer
	if status := run(append([]string{"__complete"}, args...), strings.NewReader(""), &out, &errs); status != 0 {
		t.Fatalf("%q: status %d: %s", args, status, &errs)
	}
	for line := range strings.Lines(out.String()) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		words = append(words, word)
	}
	return words[:len(words)-1], words[len(words)-1]
}

func TestCompletion(t *testing.T) {
	const (
		noFiles   = ":4"
		ending    = ":8"
		keepOrder = 32
	)
	bundle := filepath.Join("testdata", "fun0a.pspan")
	for _, c := range []struct {
		args, want []string
		directive  string
	}{
		{[]string{"estimate", ""}, []string{"pspan"}, ending},
		{[]string{"estimate", bundle, ""}, nil, noFiles},
		{[]string{"diff", bundle, ""}, []string{"pspan", "json"}, ending},
		{[]string{"merge", bundle, ""}, []string{"pspan"}, ending},
		{[]string{"profile", ""}, []string{"c", "cc", "cpp", "cxx", "C", "ll", "bc"}, ending},
		{[]string{"estimate", bundle, "--platform", ""}, []string{"yaml", "yml"}, ending},
		{[]string{"why", bundle, "--mapping", ""}, []string{"yaml", "yml"}, ending},
		{[]string{"estimate", bundle, "--model", "cortex"}, []string{"cortex-a7", "cortex-m4"}, ":0"},
		{[]string{"estimate", bundle, "--model", "./my"}, []string{"yaml", "yml"}, ending},
		{[]string{"model", "show", "arm"}, []string{"arm922t"}, ":0"},
		{[]string{"estimate", bundle, "--technique", "pb"}, []string{"pb", "pb-unmapped"}, ":38"},
		{[]string{"estimate", bundle, "--technique", "pb,m"}, []string{"pb,mt"}, ":38"},
		{[]string{"estimate", bundle, "--function", "fun_"}, []string{"fun_1", "fun_2", "fun_3", "fun_4", "fun_0"}, ":36"},
		{[]string{"inspect", bundle, "--function", "m"}, []string{"main"}, ":36"},
		{[]string{"explore", bundle, "--pin", "fun0.c:fun_0#1/"}, []string{"fun0.c:fun_0#1/1=", "fun0.c:fun_0#1/2=", "fun0.c:fun_0#1/3="}, ":38"},
		{[]string{"explore", bundle, "--algorithm", "b"}, []string{"branch-and-bound"}, ":36"},
		{[]string{"graph", bundle, "--kind", "c"}, []string{"cfg", "cdg", "calls"}, ""},
		{[]string{"profile", "-O", ""}, []string{"0", "1", "2", "3", "s"}, ":36"},
		{[]string{"--color", "a"}, []string{"auto", "always"}, ":36"},
		{[]string{"man", ""}, nil, ":16"},
		{[]string{"doctor", ""}, nil, noFiles},
		{[]string{"model", "shim", "lint", ""}, []string{"xml"}, ending},
	} {
		words, directive := complete(t, c.args...)
		if !slices.Equal(words, c.want) || c.directive != "" && directive != c.directive {
			t.Errorf("%q: %q %s, want %q %s", c.args, words, directive, c.want, c.directive)
		}
	}
	// Functions of a bundle that is none are no reason to fail.
	if words, _ := complete(t, "estimate", "none.pspan", "--function", ""); len(words) != 0 {
		t.Errorf("got %q", words)
	}
	if words, _ := complete(t, "di"); !slices.Equal(words, []string{"diff"}) {
		t.Errorf("got %q", words)
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var out bytes.Buffer
		if status := run([]string{"completion", shell}, strings.NewReader(""), &out, &out); status != 0 || !strings.Contains(out.String(), "__complete") {
			t.Errorf("completion %s: status %d, %d bytes", shell, status, out.Len())
		}
		path, err := exec.LookPath(shell)
		if err != nil || shell == "powershell" {
			continue
		}
		check := exec.Command(path, "-n") // read it, run nothing
		check.Stdin = &out
		if text, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s does not read its script: %v\n%s", shell, err, text)
		}
	}
}
