package main

// This file is the subcommand man: manual pages from the commands.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"pathspan/bounded"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

func manCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "man FOLDER",
		Short: "Write manual pages of all commands into a folder",
		Long: `Man writes a page of section 1 for each command, pathspan.1, pathspan-estimate.1 and so
on. The pages say what --help says, and are dated only where SOURCE_DATE_EPOCH is set,
so that they are the same each time.`,
		Example: "  pathspan man ~/.local/share/man/man1\n  man pathspan-estimate",
		Args:    oneArgument("one folder", "pathspan man FOLDER"),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n, err := writeManPages(args[0])
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "pathspan: wrote %d pages to %s\n", n, args[0])
		return nil
	}
	return cmd
}

// writeManPages writes the pages of a tree of its own, since what is good markdown is
// not what --help prints.
func writeManPages(folder string) (pages int, err error) {
	date := time.Time{}
	if text := os.Getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("man: SOURCE_DATE_EPOCH %q: want seconds since 1970", text)
		}
		date = time.Unix(seconds, 0).UTC()
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return 0, fmt.Errorf("man: folder %s cannot be made: %w", folder, bounded.Reason(err))
	}
	root := newRoot(io.Discard)
	root.InitDefaultHelpCmd()
	return manPages(root, folder, date)
}

func manPages(cmd *cobra.Command, folder string, date time.Time) (pages int, err error) {
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() || c.Name() == "help" {
			continue
		}
		n, err := manPages(c, folder, date)
		if err != nil {
			return 0, err
		}
		pages += n
	}
	cmd.DisableAutoGenTag = true
	cmd.InitDefaultHelpFlag() // before flags are put into other words
	cmd.Long = manText(cmd.Long)
	if cmd.HasParent() {
		cmd.Long += "\n\nThe exit status is explained in **pathspan(1)**."
	} else {
		cmd.Long += "\n\n# EXIT STATUS\n" + manText(exitCodes) + "\n\n# ENVIRONMENT\n" + manText(environment)
	}
	seen := map[*pflag.Flag]bool{}
	plain := func(f *pflag.Flag) {
		if !seen[f] { // a flag that is inherited is put into words by each command once
			seen[f] = true
			name, usage := pflag.UnquoteUsage(f)
			if usage = escapeMan(usage); name != "" && f.Value.Type() != "bool" && !strings.Contains(f.Usage, "`"+name+"` ") && strings.HasPrefix(f.Usage, "`") {
				usage = escapeMan(name) + ": " + usage
			}
			f.Usage = usage
		}
	}
	cmd.LocalNonPersistentFlags().VisitAll(plain)
	if !cmd.HasParent() {
		cmd.PersistentFlags().VisitAll(plain)
	}
	var page bytes.Buffer
	header := &doc.GenManHeader{Section: "1", Date: &date, Source: "pathspan " + version(), Manual: "pathspan"}
	if err := doc.GenMan(cmd, header, &page); err != nil {
		return 0, err
	}
	text := page.Bytes()
	if date.IsZero() {
		text = bytes.Replace(text, []byte(`"Jan 0001"`), []byte(`""`), 1)
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
	return pages + 1, writeFile(filepath.Join(folder, name), text)
}

// manText makes markdown of a help text: paragraphs flow, indented lines keep their form.
func manText(text string) string {
	var out strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if indented := strings.HasPrefix(line, "  "); indented != fenced && (indented || strings.TrimSpace(line) != "") {
			fenced = indented
			out.WriteString("```\n")
		}
		if !fenced {
			line = escapeMan(line)
		}
		out.WriteString(line + "\n")
	}
	if fenced {
		out.WriteString("```\n")
	}
	return strings.TrimRight(out.String(), "\n")
}

// escapeMan keeps markdown from seeing marks in ordinary text.
var manEscapes = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `_`, `\_`, "`", "\\`", `<`, `\<`, `[`, `\[`, `]`, `\]`, `#`, `\#`)

func escapeMan(s string) string { return manEscapes.Replace(s) }
