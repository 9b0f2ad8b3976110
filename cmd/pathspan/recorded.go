package main

// This file takes what a program is made of, and how it was run, from its bundle, for the
// subcommands that run it once more.

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/bounded"
	"pathspan/build/plan"
	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/profile"
)

// llvmVersion finds the version in what a clang says of itself.
var llvmVersion = regexp.MustCompile(`version (\d+)\.`)

// recorded reads the bundle that stands in place of the sources, and takes level, flags and
// compiler from it; it returns nil where the command names sources. Arguments are those of
// the profiled run where the command gives none behind "--".
func (o *buildFlags) recorded(cmd *cobra.Command, sources []string, arguments *[]string) (*profile.Bundle, error) {
	at := slices.IndexFunc(sources, func(s string) bool { return filepath.Ext(s) == ".pspan" })
	if at < 0 {
		return nil, nil
	}
	name := sources[at]
	if len(sources) > 1 {
		return nil, fmt.Errorf("%s: give one bundle, or sources; a bundle knows its sources", name)
	}
	data, err := load(name)
	if err != nil {
		return nil, err
	}
	b, err := parseBundle(name, data)
	if err != nil {
		return nil, err
	}
	for _, flag := range []string{"optimise", "vectorize", "plan", "target"} {
		if cmd.Flags().Changed(flag) {
			return nil, fmt.Errorf("--%s: %s knows how it was compiled; leave it out, or give the sources", flag, name)
		}
	}
	p := &b.Provenance
	if p.Plan != nil {
		if o.plan, err = plan.Parse(p.Plan.Name, []byte(p.Plan.Text)); err != nil {
			return nil, fmt.Errorf("%s: the plan in it: %w", name, err)
		}
	}
	o.level = strings.TrimPrefix(p.OptLevel, "-O")
	o.recordedFlags = p.Flags
	machine := toolchain.TargetName(b.Program.Triple) // which the flags leave out where it was profiled on such a one
	if slices.ContainsFunc(toolchain.Targets(), func(t toolchain.Target) bool { return t.Name == machine }) {
		o.recordedFlags = append(slices.Clone(p.Flags), "--target="+machine)
	}
	if m := llvmVersion.FindStringSubmatch(p.Clang); m != nil && o.clang == "" && os.Getenv("PATHSPAN_CLANG") == "" {
		o.clang = m[1]
	}
	if cmd.ArgsLenAtDash() < 0 {
		for _, r := range p.Runs {
			if !slices.Equal(r.Arguments, p.Runs[0].Arguments) {
				return nil, fmt.Errorf("%s holds runs with different arguments; give those of one behind --", name)
			}
		}
		if len(p.Runs) > 0 {
			*arguments = p.Runs[0].Arguments
		}
	}
	return b, nil
}

// recordedSources finds the sources of a bundle, which must be as they were profiled.
func recordedSources(b *profile.Bundle, bundle string) ([]string, error) {
	var found []string
	for i := range b.Provenance.Sources {
		path, err := unchanged(&b.Provenance.Sources[i], bundle)
		if err != nil {
			return nil, err
		}
		found = append(found, path)
	}
	if p := b.Provenance.Plan; p != nil {
		for i := range p.Marked {
			if _, err := unchanged(&p.Marked[i], bundle); err != nil {
				return nil, err
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: it names no source; give the sources", bundle)
	}
	return found, nil
}

// unchanged finds a file that a bundle names, which must be as it was.
func unchanged(s *profile.Source, bundle string) (string, error) {
	path := s.Path()
	data, err := bounded.ReadRegular(path, bounded.Object)
	if err != nil && !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(bundle), path)
		data, err = bounded.ReadRegular(path, bounded.Object)
	}
	if err != nil {
		return "", fmt.Errorf("%s: its source %s is not here; run this where it was compiled, or give the sources", bundle, s.Name)
	}
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], s.SHA256[:]) {
		return "", fmt.Errorf("%s: its source %s has changed since; profile it again", bundle, s.Name)
	}
	return path, nil
}

// sameRegions says in one line where a program that was built from a bundle's sources is
// another one.
func sameRegions(b *profile.Bundle, bundle string, built *record.Built) error {
	x, y := b.Program.Regions, built.Program.Regions
	if len(x) != len(y) {
		return fmt.Errorf("%s: its sources and flags give a program of %d regions, the profiled one has %d; give sources and flags", bundle, len(y), len(x))
	}
	for i := range x {
		// Bundles of older versions know less of what tells regions at one place apart.
		if x[i].Name != y[i].Name && x[i].AtLine() != y[i].AtLine() {
			return fmt.Errorf("%s: its sources and flags give region %s in place of %s; give sources and flags", bundle, y[i].Name, x[i].Name)
		}
	}
	return nil
}

// foreignHint says what a link of a bundle's module may lack.
func foreignHint(b *profile.Bundle, err error) error {
	if b == nil || len(b.Provenance.Foreign) == 0 {
		return err
	}
	return fmt.Errorf("the bundle lacks the code of %s, which the link needs: name it with --cflags '-L... -l...', or give the sources: %w", b.Provenance.Foreign[0].Name, err)
}
