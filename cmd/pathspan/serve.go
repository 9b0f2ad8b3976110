package main

// This file is the subcommand serve.

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"pathspan/estimate"
	"pathspan/pathprof"
	"pathspan/report"
	"pathspan/serve"
)

type serveFlags struct {
	targetFlags
	function, listen string
	techniques       []string
}

func serveCmd() *cobra.Command {
	var o serveFlags
	cmd := &cobra.Command{
		Use:   "serve APP.pspan [-p N] [--platform P.yaml] [--listen unix:PATH|tcp:[HOST]:PORT]",
		Short: "Estimate the candidates that another program sends",
		Long: `Serve makes the estimator a part of another program: candidate mappings in,
estimates out, in the same order, computed on all cores. Without --listen it reads
JSON lines from standard input and answers on standard output; the first line out
describes processors, sections and regions. With --listen it serves gRPC until it is
interrupted: at a socket, at a port for this machine alone (tcp::PORT), or for others as
well (tcp:HOST:PORT), who are not asked who they are. A malformed candidate gets an
error that names the field.`,
		Example: "  pathspan serve app.pspan --platform soc.yaml\n  echo '{\"id\":1,\"sections\":[0,1,0]}' | pathspan serve app.pspan -p 2\n  pathspan serve app.pspan --platform soc.yaml --listen unix:/tmp/pathspan.sock",
	}
	f := cmd.Flags()
	f.StringVar(&o.platform, "platform", "", "platform `file` (YAML); default: equal processors")
	f.StringVar(&o.model, "model", "", "processor `model` of the equal processors: a built-in name or a file")
	addProcessors(f, &o.processors, "`number` of processors (default 2; with --platform all of its processors)")
	f.StringVar(&o.function, "function", "", "`name` of the function to estimate (default "+estimate.DefaultRoot+")")
	f.StringVar(&o.listen, "listen", "", "`address` to serve gRPC at: unix:PATH, tcp::PORT or tcp:HOST:PORT")
	f.StringSliceVar(&o.techniques, "technique", nil, "`techniques` of candidates that name none: "+everyTechnique()+" ("+answeringText()+")")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) != 1:
			return errors.New("serve: give one bundle; usage: pathspan serve app.pspan")
		case len(o.processors) > 1:
			return errors.New("-p: serve estimates for one platform; give one number of processors")
		}
		if err := o.targetFlags.check(); err != nil {
			return err
		}
		b, err := readBundle(args[0])
		if err != nil {
			return err
		}
		return o.run(cmd, b, filepath.Base(args[0]))
	}
	return cmd
}

func (o *serveFlags) run(cmd *cobra.Command, b *pathprof.Bundle, name string) error {
	opts := serve.Options{Bundle: name}
	if cmd.Flags().Changed("technique") {
		var err error
		if opts.Techniques, err = parseTechniques(o.techniques); err != nil {
			return err
		}
	}
	platforms, err := o.platforms(2)
	if err != nil {
		return err
	}
	e, pricer, err := estimatorFor(cmd, b, name, o.function, platforms[0])
	if err != nil {
		return err
	}
	opts.Notes = slices.Concat(report.PlatformNotes(pricer, e.Processors), report.RegionNotes(b), pricer.Warnings)
	s, err := serve.New(e, opts)
	if err != nil {
		return err
	}
	defer s.Close()
	if o.listen == "" {
		return s.Lines(cmd.InOrStdin(), cmd.OutOrStdout())
	}
	l, err := serve.Listen(o.listen)
	if err != nil {
		return fmt.Errorf("--listen %w", err)
	}
	ctx, _, done := interruptible(cmd.Context())
	defer done()
	fmt.Fprintf(cmd.OutOrStdout(), "listening on %s:%s\n", l.Addr().Network(), l.Addr())
	if serve.Open(l.Addr()) {
		fmt.Fprintf(cmd.ErrOrStderr(), "pathspan: warning: everyone who can reach %s may ask; tcp::PORT listens for this machine alone\n", l.Addr())
	}
	return s.Serve(ctx, l)
}
