package report

// This file lends out how reports render figures, to those in other folders.

import "pathspan/estimate"

// Cycles renders a number of cycles.
func Cycles(c float64) string { return cycles(c) }

// Seconds renders a time with the unit that suits it.
func Seconds(s float64) string { return seconds(s) }

// SecondsSpan renders an interval of times in the unit that suits its end.
func SecondsSpan(in *estimate.Interval) string { return secondsSpan(in) }

// Speedups renders an interval of speed-ups, "" when there is none.
func Speedups(in *estimate.Interval) string { return span(in) }

// Percent renders a share, 0.5 as 50.0%.
func Percent(x float64) string { return percent(x) }

// Count renders a number of things, of which noun is one.
func Count(n int, noun string) string { return count(n, noun) }

// Times renders how often something happened.
func Times(n uint64) string { return times(n) }

// Title returns the name of a technique's column.
func Title(technique string) string { return titles[technique] }

// Demangled replaces C++ symbols in a text by their names.
func Demangled(s string) string { return demangled(s) }

// Signed renders cycles that are lost, or gained when below 0.
func Signed(c float64) string { return signed(c) }

// SignedShare renders a share that is lost, or gained when below 0.
func SignedShare(x float64) string { return signedShare(x) }

// Lost renders a speed-up that is lost, or gained when below 0.
func Lost(x float64) string { return lost(x) }

// SectionText is "section 2 (line 61)" for a section's name and line.
func SectionText(name string, line int) string { return sectionText(name, line) }

// Text says which sections are long together: "sections 1, 3 long, section 2 short".
func (c *LossGapClass) Text() string { return classText(c) }
