package main

// This file is the subcommand report.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/report"
	"pathspan/report/document"
	"pathspan/report/page"
)

type reportFlags struct {
	targetFlags
	explored, technique, format, output string
	sources                             []string
	json                                bool
	search                              *report.Searched // of --explored
	of                                  string           // its bundle
}

// reportFormats writes a document, by format.
var reportFormats = map[string]func(io.Writer, *document.Document) error{
	"html": page.Write,
	"md":   func(w io.Writer, d *document.Document) error { return d.WriteMarkdown(w) },
	"json": func(w io.Writer, d *document.Document) error { return report.JSON(w, d) },
}

func reportCmd() *cobra.Command {
	var o reportFlags
	cmd := &cobra.Command{
		Use:   "report APP.pspan [-p N] [--platform P.yaml] [--mapping M.yaml | --explored RESULT.json] -o REPORT.html",
		Short: "Write a report on one mapping: a page, Markdown or JSON",
		Long: `Report gathers what is known of one mapping in one file: the speed-up and its interval;
the speed-up against processors with its bounds; where the time goes; the timeline of
each region and the ways in which it is executed; the paths that matter; what averages
overlook; the task graphs; and every default that the figures rest on.

The page is one file that needs no network. Markdown and JSON have the same content.
Source text is put in where the files are as they were profiled.`,
		Example: "  pathspan report app.pspan -p 4 -o report.html\n  pathspan report app.pspan --platform soc.yaml --mapping m.yaml -o report.md\n  pathspan explore app.pspan -p 4 --json > best.json && pathspan report app.pspan --explored best.json -o report.html",
		Args:    oneBundle("pathspan report app.pspan -o report.html"),
	}
	f := cmd.Flags()
	o.targetFlags.addOne(f, "2")
	f.StringVar(&o.explored, "explored", "", "`file` of explore --json: report on the best mapping that it found")
	addFunction(f, &o.function)
	f.StringVar(&o.technique, "technique", "", "`technique` of the answer: "+everyTechnique()+" ("+answeringText()+")")
	f.StringVarP(&o.output, "output", "o", "", "`file` to write, - for standard output")
	f.StringVar(&o.format, "format", "", "`format`: html, md or json (default: by the ending of -o)")
	addJSON(f, &o.json, ", or write it: as --format json")
	f.Var(listFlag{&o.sources}, "sources", "`folders` to look for source files in, besides this one and the bundle's")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.conflicts(); err != nil {
			return err
		}
		return o.run(cmd, args[0])
	}
	return cmd
}

// conflicts settles the format, and reports flags that exclude each other.
func (o *reportFlags) conflicts() error {
	if err := o.targetFlags.check(); err != nil {
		return err
	}
	if o.json {
		if o.format != "" && o.format != "json" {
			return fmt.Errorf("--format %s and --json exclude each other", o.format)
		}
		o.format, o.output = "json", cmp.Or(o.output, "-")
	}
	switch {
	case len(o.processors) > 1:
		return errors.New("-p: a report is on one platform; give one number of processors")
	case len(o.mappings) > 1:
		return errors.New("--mapping: a report is on one mapping; give it once")
	case o.mappings != nil && o.explored != "":
		return errors.New("--mapping and --explored exclude each other: both say where sections run")
	case o.output == "":
		return errors.New("-o: name the file to write: report.html, report.md or report.json, or - for standard output")
	}
	if o.format == "" {
		ending := strings.TrimPrefix(filepath.Ext(o.output), ".")
		o.format = map[string]string{"html": "html", "htm": "html", "md": "md", "markdown": "md", "json": "json"}[strings.ToLower(ending)]
		if o.format == "" {
			return fmt.Errorf("-o %s: its ending does not say the format; end it in .html, .md or .json, or give --format", o.output)
		}
	}
	if reportFormats[o.format] == nil {
		return fmt.Errorf("--format %q: want html, md or json", o.format)
	}
	return nil
}

func (o *reportFlags) run(cmd *cobra.Command, path string) error {
	q, err := o.open(path)
	if err != nil {
		return err
	}
	in := document.Input{
		Bundle: q.name, Pricer: q.pricer, PlatformFile: o.platform, Folders: append([]string{filepath.Dir(path)}, o.sources...),
		Samples: usualSamples,
		Unsaid: document.Unsaid{
			Processors: o.platform == "" && o.processors == nil && o.explored == "", Model: o.platform == "" && o.model == "" && o.explored == "",
			Mapping: o.mappings == nil && o.explored == "", Function: o.function == "", Technique: o.technique == "",
		},
	}
	if o.platform != "" {
		in.PlatformFile = filepath.Base(o.platform)
	}
	pl, file, err := o.target()
	if err != nil {
		return err
	}
	if o.output != "-" {
		if err := writable(o.output); err != nil {
			return err
		}
	}
	shown := newProgress(cmd)
	defer shown.done()
	shown.step("pricing %s", q.name)
	a, err := q.on(cmd.Context(), pl, file)
	if err != nil {
		return o.foreign(q.name, err)
	}
	in.Estimator, in.Mapping, in.MappingName = a.Estimator, a.mappings[0], a.names[0]
	if o.search != nil {
		if err := o.search.Holds(in.Estimator, in.Mapping); err != nil {
			return o.foreign(q.name, err)
		}
	}
	if in.Technique = estimate.Answering(q.Bundle); o.technique != "" {
		if in.Technique, err = estimate.ParseTechnique(o.technique); err != nil {
			return fmt.Errorf("--%w", err)
		}
		if !in.Technique.Suits(q.Bundle) && len(q.Bundle.Program.Regions) > 0 {
			return unsuited(in.Technique)
		}
	}
	in.Progress = func(what string) { shown.step("%s", what) }
	d, err := document.Build(cmd.Context(), in)
	if err != nil {
		return err
	}
	shown.step("writing")
	var out bytes.Buffer
	if err := reportFormats[o.format](&out, d); err != nil {
		return err
	}
	shown.done()
	if o.output == "-" {
		_, err = cmd.OutOrStdout().Write(out.Bytes())
		return err
	}
	return writeFile(o.output, out.Bytes())
}

func (o *reportFlags) target() (*mapping.Platform, mappingFile, error) {
	fail := func(err error) (*mapping.Platform, mappingFile, error) { return nil, mappingFile{}, err }
	if o.explored == "" {
		platforms, err := o.platforms(2)
		if err != nil {
			return fail(err)
		}
		files, err := o.mappingFiles()
		if err != nil {
			return fail(err)
		}
		return platforms[0], files[0], nil
	}
	x, err := report.ReadExploration(o.explored)
	if err != nil {
		return fail(fmt.Errorf("--explored %w", err))
	}
	o.of = x.Bundle
	if o.platform == "" && o.processors == nil && o.model == "" && len(x.Searches) == 1 {
		s := &x.Searches[0]
		if pl := s.Equal(); pl != nil {
			return pl, o.found(s), nil
		}
	}
	platforms, err := o.platforms(2)
	if err != nil {
		return fail(err)
	}
	pl := platforms[0]
	names := []string{pl.Name}
	if o.platform != "" {
		base := filepath.Base(o.platform)
		names = []string{base, fmt.Sprintf("%s -p %d", base, len(pl.Processors))}
	}
	for i := range x.Searches {
		if s := &x.Searches[i]; s.Processors == len(pl.Processors) && slices.Contains(names, s.Platform) {
			return pl, o.found(s), nil
		}
	}
	var all []string
	for i := range x.Searches {
		all = append(all, x.Searches[i].Platform)
	}
	given := fmt.Sprintf("%s, %s", names[0], report.Count(len(pl.Processors), "processor"))
	return fail(fmt.Errorf("--explored %s: its search was on %s, not on %s; give that platform with --platform or -p", o.explored, strings.Join(all, "; "), given))
}

// foreign says of an error that the search may be of another bundle.
func (o *reportFlags) foreign(bundle string, err error) error {
	if o.explored == "" {
		return err
	}
	return fmt.Errorf("--explored %s, a search on %s, does not fit %s: %w; run explore on %s with the same function and models, or give the mapping itself with --mapping", o.explored, o.of, bundle, err, bundle)
}

func (o *reportFlags) found(s *report.Searched) mappingFile {
	o.search = s
	return mappingFile{name: filepath.Base(o.explored), mapping: s.Best.Mapping.File(o.explored)}
}
