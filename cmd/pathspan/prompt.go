package main

// This file holds what all commands share at the prompt: --quiet, --color, and whether a
// stream is a terminal.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"pathspan/visible"
)

// stderrKey finds standard error in a command's context, also where --quiet took it away.
type stderrKey struct{}

// addGlobalFlags defines the flags that every command has.
func addGlobalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.BoolP("quiet", "q", false, "print nothing but results and errors")
	f.String("color", "auto", "`when` to use colours: auto (on terminals, unless NO_COLOR is set), always or never")
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		switch when := flagText(cmd, "color"); when {
		case "auto", "always", "never":
		default:
			return fmt.Errorf("--color %q: want auto, always or never", when)
		}
		if isQuiet(cmd) {
			// Errors do not go this way: statusOf prints them.
			cmd.Root().SetErr(io.Discard)
		}
		return nil
	}
}

func flagText(cmd *cobra.Command, name string) string {
	if f := cmd.Flag(name); f != nil {
		return f.Value.String()
	}
	return ""
}

func isQuiet(cmd *cobra.Command) bool { return flagText(cmd, "quiet") == "true" }

// errorsTo is where errors, and what a profiled program prints, go: standard error, also
// with --quiet, which discards what else the command writes there.
func errorsTo(cmd *cobra.Command) io.Writer {
	if w, ok := cmd.Context().Value(stderrKey{}).(io.Writer); ok {
		return w
	}
	return cmd.ErrOrStderr()
}

// noticeTo says what should be known while a program runs, also with --quiet.
func noticeTo(cmd *cobra.Command) func(string) {
	return func(text string) { fmt.Fprintf(errorsTo(cmd), "pathspan: %s\n", text) }
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// paint colours words, or leaves them as they are. Hues come with bold or underline, so
// that they can be told apart without seeing them.
type paint bool

func (p paint) style(codes, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + codes + "m" + s + "\x1b[0m"
}

func (p paint) bold(s string) string { return p.style("1", s) }
func (p paint) good(s string) string { return p.style("1;32", s) }   // bold green
func (p paint) bad(s string) string  { return p.style("1;4;31", s) } // bold underlined red
func (p paint) note(s string) string { return p.style("4;33", s) }   // underlined yellow

// paintFor decides about the colours of a stream: --color, then NO_COLOR
// (https://no-color.org) and TERM, on terminals only.
func paintFor(cmd *cobra.Command, w io.Writer) paint {
	switch flagText(cmd, "color") {
	case "always":
		return true
	case "never":
		return false
	}
	kind := os.Getenv("TERM")
	return paint(os.Getenv("NO_COLOR") == "" && kind != "" && kind != "dumb" && isTerminal(w))
}

// textOut is standard output for text that people read, coloured where that is wanted.
// Nothing that came in from anywhere controls a terminal through it.
func textOut(cmd *cobra.Command) io.Writer {
	w := cmd.OutOrStdout()
	if p := paintFor(cmd, w); p {
		w = &highlighter{w: w, p: p}
	}
	return &visible.Writer{W: w}
}

// highlighter colours whole lines of a report as they pass: its title, headings, notes,
// and the best of a search. It holds back what follows the last line's end, which
// reports do not have.
type highlighter struct {
	w     io.Writer
	p     paint
	held  []byte
	begun bool
}

func (h *highlighter) Write(data []byte) (int, error) {
	h.held = append(h.held, data...)
	end := bytes.LastIndexByte(h.held, '\n') + 1
	var out strings.Builder
	for line := range strings.Lines(string(h.held[:end])) {
		out.WriteString(h.line(strings.TrimSuffix(line, "\n")) + "\n")
	}
	h.held = h.held[end:]
	if _, err := io.WriteString(h.w, out.String()); err != nil {
		return 0, err
	}
	return len(data), nil
}

func (h *highlighter) line(s string) string {
	first := !h.begun
	h.begun = true
	comment := ""
	if rest, ok := strings.CutPrefix(s, "# "); ok { // of a mapping file, which explore prints
		comment, s = "# ", rest
	}
	switch word, rest, _ := strings.Cut(s, ":"); {
	case word == "note" || word == "warning":
		s = h.p.note(word+":") + rest
	case strings.HasPrefix(strings.TrimSpace(s), "best mapping "):
		s = h.p.good(s)
	case first && comment == "" && !strings.HasPrefix(s, "schema:"), isHeading(s):
		s = h.p.bold(s)
	}
	return comment + s
}

// isHeading tells headings ("Usage:", "waiting within regions:") from keys of YAML.
func isHeading(s string) bool {
	if !strings.HasSuffix(s, ":") || s[0] == ' ' {
		return false
	}
	return strings.Contains(s, " ") || s[0] >= 'A' && s[0] <= 'Z'
}
