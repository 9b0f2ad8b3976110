package report

// This file renders figures: digits, units, and what has too many digits to print them all.
// It lends that out to those in other folders.

import (
	"fmt"
	"math"

	"pathspan/estimate"
)

// Figures from here on are printed with an exponent: they have more digits than anyone
// reads, or than a float holds. Those of the page are in js/format.js.
const (
	LongCount   = 1e18
	longSeconds = 1e10 // also J
)

// cycles renders a number of cycles, with tenths while it is small and has some.
func cycles(c float64) string {
	tenths := math.Round(c * 10)
	switch {
	case tenths < 0:
		return "-" + cycles(-c)
	case c >= 1e6 || math.Mod(tenths, 10) == 0:
		return whole(c)
	}
	return fmt.Sprintf("%s.%d", group(uint64(tenths)/10), uint64(tenths)%10)
}

// whole renders a number of 0 or more without what is behind the point.
func whole(x float64) string {
	if x >= LongCount {
		return fmt.Sprintf("%.3e", x)
	}
	return group(uint64(math.Round(x)))
}

// seconds renders a time with the unit that suits it.
func seconds(s float64) string { return inUnits(s, "s") }

// joules renders an energy with the unit that suits it.
func joules(j float64) string { return inUnits(j, "J") }

func inUnits(x float64, unit string) string {
	switch {
	case x >= longSeconds:
		return fmt.Sprintf("%.3e %s", x, unit)
	case x >= 1:
		return fmt.Sprintf("%.3f %s", x, unit)
	case x >= 1e-3:
		return fmt.Sprintf("%.3f m%s", x*1e3, unit)
	}
	return fmt.Sprintf("%.3f u%s", x*1e6, unit)
}

// secondsSpan renders an interval of times in the unit that suits its end.
func secondsSpan(in *estimate.Interval) string {
	unit := 1.0
	switch {
	case in.High >= longSeconds:
		return fmt.Sprintf("%.3e-%.3e s", in.Low, in.High)
	case in.High >= 1:
	case in.High >= 1e-3:
		unit = 1e-3
	default:
		unit = 1e-6
	}
	name := map[float64]string{1: "s", 1e-3: "ms", 1e-6: "us"}[unit]
	return fmt.Sprintf("%.3f-%.3f %s", in.Low/unit, in.High/unit, name)
}

func percent(x float64) string {
	if x > 0 && x < 0.001 {
		return "<0.1%"
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}

// signed renders cycles that are lost, or gained when below 0.
func signed(c float64) string {
	if text := cycles(c); text[0] == '-' {
		return text
	}
	return "+" + cycles(c)
}

func signedShare(x float64) string {
	if x < 0 {
		return "-" + percent(-x)
	}
	return "+" + percent(x)
}

// lost renders a speed-up that is lost, or gained when below 0.
func lost(x float64) string {
	if x < 0 {
		return fmt.Sprintf("+%.2f", -x)
	}
	return fmt.Sprintf("-%.2f", x)
}

// count renders a number with its noun, plural as needed.
func count(n int, noun string) string { return countBig(uint64(n), noun) }

func countBig(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return group(n) + " " + noun + "s"
}

// times renders how often something happened.
func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return group(n) + " times"
}

// timesAbout renders how often something happened, where that may be a mean or a sum of
// counts.
func timesAbout(n float64) string {
	if n >= LongCount {
		return whole(n) + " times"
	}
	return times(uint64(n))
}

func number(n int) string { return group(uint64(n)) }

// group renders a number with thousands separated.
func group(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

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

// TimesAbout renders how often something happened, where that may be a mean or a sum.
func TimesAbout(n float64) string { return timesAbout(n) }

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
