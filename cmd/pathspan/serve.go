package main

// This file is the subcommand serve.

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"pathspan/report"
	"pathspan/serve"
)

type serveFlags struct {
	targetFlags
	listen     string
	techniques []string
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
		Args:    oneBundle("pathspan serve app.pspan"),
	}
	f := cmd.Flags()
	o.addPlatforms(f, "2")
	addFunction(f, &o.function)
	f.StringVar(&o.listen, "listen", "", "`address` to serve gRPC at: unix:PATH, tcp::PORT or tcp:HOST:PORT")
	addTechniques(f, &o.techniques, nil, "of candidates that name none", " ("+answeringText()+")")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(o.processors) > 1 {
			return errors.New("-p: serve estimates for one platform; give one number of processors")
		}
		if err := o.targetFlags.check(); err != nil {
			return err
		}
		return o.run(cmd, args[0])
	}
	return cmd
}

func (o *serveFlags) run(cmd *cobra.Command, path string) error {
	var opts serve.Options
	if cmd.Flags().Changed("technique") {
		var err error
		if opts.Techniques, err = parseTechniques(o.techniques); err != nil {
			return err
		}
	}
	q, err := o.open(path)
	if err != nil {
		return err
	}
	platforms, err := o.platforms(2)
	if err != nil {
		return err
	}
	e, err := q.on(cmd.Context(), platforms[0])
	if err != nil {
		return err
	}
	opts.Bundle, opts.Notes = q.name, q.notes()
	if len(e.Platform.Processors) > 1 {
		opts.Notes = append(opts.Notes, report.InsideAhead(q.Bundle)...)
	}
	s, err := serve.New(e.Estimator, opts)
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
