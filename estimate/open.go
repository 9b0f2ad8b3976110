package estimate

// This file opens a bundle for a platform in one call.

import (
	stdcontext "context"
	"fmt"

	"pathspan/mapping"
	"pathspan/profile"
)

// Open reads a profile bundle and a platform file, asks the platform's models for their
// costs, and returns the estimator of the function called root; "" stands for main. It
// is what Prepare, Pricer and On do one by one; callers that estimate on several
// platforms, or want the models' remarks (Pricer.Warnings), use those.
func Open(bundle, platform, root string) (*Estimator, error) {
	b, err := profile.ReadFile(bundle)
	if err != nil {
		return nil, err
	}
	pl, err := mapping.LoadPlatform(platform)
	if err != nil {
		return nil, err
	}
	return OpenOn(b, pl, root)
}

// OpenOn is Open of a bundle and a platform that are read already.
func OpenOn(b *profile.Bundle, pl *mapping.Platform, root string) (*Estimator, error) {
	a, err := Prepare(b, root)
	if err != nil {
		return nil, err
	}
	p, err := NewPricer(b).Processors(stdcontext.Background(), pl)
	if err != nil {
		return nil, fmt.Errorf("estimate: %w", err)
	}
	return a.On(p)
}

// Resolve reads a mapping file and holds it against the platform and the program; ""
// stands for OpenMP's static schedule.
func (e *Estimator) Resolve(file string) (*mapping.Resolved, error) {
	if file == "" {
		return mapping.Default(e.Platform, e.Bundle.Program), nil
	}
	m, err := mapping.LoadMapping(file)
	if err != nil {
		return nil, err
	}
	return mapping.Resolve(e.Platform, m, e.Bundle.Program)
}
