package report

// This file renders figures: digits, units, and what has too many digits to print them all.

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pathspan/estimate"
)

// Figures from here on are printed with an exponent: they have more digits than anyone
// reads, or than a float holds. Those of the page are in js/format.js.
const (
	LongCount   = 1e18
	longSeconds = 1e10 // also J
)

// Cycles renders a number of cycles, with tenths while it is small and has some.
func Cycles(c float64) string {
	tenths := math.Round(c * 10)
	switch {
	case tenths < 0:
		return "-" + Cycles(-c)
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

// Seconds renders a time with the unit that suits it.
func Seconds(s float64) string { return inUnits(s, "s") }

// Joules renders an energy with the unit that suits it.
func Joules(j float64) string { return inUnits(j, "J") }

func inUnits(x float64, unit string) string {
	if x >= longSeconds {
		return fmt.Sprintf("%.3e %s", x, unit)
	}
	factor, prefix := scale(x)
	return fmt.Sprintf("%.3f %s%s", x*factor, prefix, unit)
}

// SecondsSpan renders an interval of times in the unit that suits its end, "" when there is
// none.
func SecondsSpan(in *estimate.Interval) string {
	if in == nil {
		return ""
	}
	if in.High >= longSeconds {
		return fmt.Sprintf("%.3e-%.3e s", in.Low, in.High)
	}
	factor, prefix := scale(in.High)
	return fmt.Sprintf("%.3f-%.3f %ss", in.Low*factor, in.High*factor, prefix)
}

// scale is the prefix of the unit that suits a figure, and how many of it a whole one is.
func scale(x float64) (factor float64, prefix string) {
	switch {
	case x >= 1:
		return 1, ""
	case x >= 1e-3:
		return 1e3, "m"
	}
	return 1e6, "u"
}

// Micros renders seconds as microseconds.
func Micros(s float64) string {
	if s *= 1e6; s >= LongCount {
		return fmt.Sprintf("%.3e", s)
	}
	whole, rest, _ := strings.Cut(strconv.FormatFloat(s, 'f', 3, 64), ".")
	return grouped(whole) + "." + rest
}

// Percent renders a share, 0.5 as 50.0%.
func Percent(x float64) string {
	if x > 0 && x < 0.001 {
		return "<0.1%"
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}

// Signed renders cycles that are lost, or gained when below 0.
func Signed(c float64) string {
	if text := Cycles(c); text[0] == '-' {
		return text
	}
	return "+" + Cycles(c)
}

func SignedShare(x float64) string {
	if x < 0 {
		return "-" + Percent(-x)
	}
	return "+" + Percent(x)
}

// Lost renders a speed-up that is lost, or gained when below 0.
func Lost(x float64) string {
	if x < 0 {
		return fmt.Sprintf("+%.2f", -x)
	}
	return fmt.Sprintf("-%.2f", x)
}

// Count renders a number of things, of which noun is one.
func Count(n int, noun string) string { return countBig(uint64(n), noun) }

func countBig(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return group(n) + " " + noun + "s"
}

// Times renders how often something happened.
func Times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return group(n) + " times"
}

// TimesAbout renders how often something happened, where that may be a mean or a sum.
func TimesAbout(n float64) string {
	if n >= LongCount {
		return whole(n) + " times"
	}
	return Times(uint64(n))
}

func number(n int) string { return group(uint64(n)) }

// group renders a number with thousands separated.
func group(n uint64) string { return grouped(fmt.Sprint(n)) }

func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
