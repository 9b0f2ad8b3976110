package export

// This file declares what is exported.

import (
	"fmt"
	"math"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/procmodels"
)

// Subject is one program on one platform under one mapping.
type Subject struct {
	Bundle      string // name of the bundle, for titles
	MappingName string
	Version     string // of the tool
	Estimator   *estimate.Estimator
	Mapping     *mapping.Resolved
	// Technique is that of traces, profiles and times of regions. It must have rows.
	Technique estimate.Technique
	// Models holds the models of the processors as far as they are additive, nil
	// otherwise: they say how the cycles of blocks spread over source lines.
	Models []procmodels.Model
}

// title names program, platform and mapping.
func (s *Subject) title() string {
	return fmt.Sprintf("%s, function %s, platform %s, mapping %s", s.Bundle, s.root(), s.Estimator.Platform.Name, s.MappingName)
}

// root is the linker name of the function that is estimated.
func (s *Subject) root() string {
	return s.Estimator.Bundle.Program.Funcs[s.Estimator.Root].Name
}

func (s *Subject) hertz(processor int) float64 { return s.Estimator.ClockMHz[processor] * 1e6 }

// maxWhole is the largest sum that a rounder takes.
const maxWhole = 1 << 62

// rounder turns figures into whole numbers whose sum is the rounded sum of the figures.
type rounder struct {
	sum  float64
	done int64
}

func (r *rounder) next(x float64) int64 {
	r.sum += x
	whole := int64(math.Round(r.sum))
	n := whole - r.done
	r.done = whole
	return n
}
