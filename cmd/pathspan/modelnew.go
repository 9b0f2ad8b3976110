package main

// This file is the subcommand model new: a working skeleton of a processor model.

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	shellquote "github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"pathspan/procmodels/scaffold"
	"pathspan/report"
)

func modelNewCmd() *cobra.Command {
	var o scaffold.Options
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a working skeleton of a processor model into the new folder NAME",
		Long: `Write a working skeleton of a processor model into the new folder NAME.

  table   a weight table in YAML: cycles by opcode and type, as in a processor's manual.
          The default, since it needs no program: it fits a processor whose instructions
          have known costs.
  go      a plugin, a program that prices blocks as it likes. Fast; needs Go and
          pathspan's source.
  python  the same in Python, with Debian's python3-grpcio.`,
		Example: "  pathspan model new mycore\n" +
			"  pathspan model new mysim --language python\n" +
			"  pathspan model new mysim --language go --pathspan ~/src/pathspan",
		Args: oneArgument("one name", "pathspan model new NAME [--language table|go|python]"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Name = args[0]
			return newModel(cmd.OutOrStdout(), o, dir, asJSON)
		},
	}
	cmd.Flags().StringVar(&o.Language, "language", scaffold.Table, "`language`, what to write: "+strings.Join(scaffold.Languages(), ", "))
	cmd.Flags().StringVarP(&dir, "output", "o", "", "new `folder` (default NAME)")
	addWritten(cmd.Flags(), &asJSON, "")
	cmd.Flags().StringVar(&o.Tree, "pathspan", "", "`folder` of pathspan's source, for Go (default: looked for above this folder and above the executable)")
	return cmd
}

func newModel(w io.Writer, o scaffold.Options, dir string, asJSON bool) error {
	if dir == "" {
		dir = o.Name
	}
	if o.Tree == "" && o.Language == scaffold.Go {
		o.Tree = scaffold.FindTree(searchedFolders()...)
	}
	s, err := scaffold.New(o)
	if err == nil {
		err = s.Write(dir)
	}
	if err != nil {
		return fmt.Errorf("model new: %w", err)
	}
	out := &report.WrittenModel{Folder: dir, Build: s.Build}
	for _, f := range s.Files {
		out.Files = append(out.Files, f.Name)
	}
	at := filepath.ToSlash(dir) // in the form that a reference to a file needs
	if !filepath.IsAbs(dir) {
		at = "./" + path.Clean(at)
	}
	out.Model = s.Reference + at + "/" + s.Model
	if asJSON {
		return report.JSON(w, out)
	}
	fmt.Fprintf(w, "wrote %s: %s\n", dir, strings.Join(out.Files, ", "))
	fmt.Fprintf(w, "next:\n  edit %s/%s: its figures are placeholders\n", at, out.Files[0])
	if s.Build != "" {
		fmt.Fprintf(w, "  (cd %s && %s)\n", shellquote.Join(at), s.Build)
	}
	fmt.Fprintf(w, "  pathspan model check %s\n", shellquote.Join(out.Model))
	fmt.Fprintf(w, "  in a platform file in this folder: {name: core, model: %q, ...}\n", out.Model)
	return nil
}

// searchedFolders lists where pathspan's source may be found: above the working folder,
// and above the executable, which make build puts into the tree.
func searchedFolders() []string {
	var dirs []string
	if wd, err := os.Getwd(); err == nil {
		dirs = append(dirs, wd)
	}
	if exe, err := os.Executable(); err == nil {
		if exe, err = filepath.EvalSymlinks(exe); err == nil {
			dirs = append(dirs, filepath.Dir(exe))
		}
	}
	return dirs
}
