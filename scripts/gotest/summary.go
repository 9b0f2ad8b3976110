package main

// This file ends the report: how many tests ran, failed and were skipped, and why.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	said = regexp.MustCompile(`^\s*[\w.-]+\.go:\d+: (.*)$`)
	ends = regexp.MustCompile(`^\s*--- (SKIP|PASS|FAIL): `)
)

// reason is why a test says that it is skipped: the last thing that it logged.
func reason(output string) string {
	var why []string
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\n")
		m := said.FindStringSubmatch(line)
		switch {
		case m != nil:
			why = []string{strings.TrimPrefix(m[1], "skipped: ")}
		case ends.MatchString(line) || strings.TrimSpace(line) == "":
		default:
			why = append(why, strings.TrimSpace(line))
		}
	}
	if text := strings.TrimSpace(strings.Join(why, " ")); text != "" {
		return text
	}
	return "no reason given"
}

// summary prints the end of the report.
func (r *results) summary(took time.Duration, notes []string) {
	skipped := 0
	for _, names := range r.skipped {
		skipped += len(names)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\n%s in %s, %s minutes: %d passed, %d failed, %d skipped\n",
		plural(r.passed+r.failed+skipped, "test"), plural(r.done, "package"), clock(took), r.passed, r.failed, skipped)
	reasons := make([]string, 0, len(r.skipped))
	for why := range r.skipped {
		reasons = append(reasons, why)
	}
	slices.SortFunc(reasons, func(a, b string) int {
		if c := len(r.skipped[b]) - len(r.skipped[a]); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	for _, why := range reasons {
		names := r.skipped[why]
		fmt.Fprintf(&text, "  skipped %3d: %s (%s", len(names), why, names[0])
		if len(names) > 1 {
			text.WriteString(", ...")
		}
		text.WriteString(")\n")
	}
	for _, note := range notes {
		fmt.Fprintf(&text, "  not done: %s\n", note)
	}
	for _, f := range r.failures {
		fmt.Fprintf(&text, "  failed: %s\n", f)
	}
	r.screen.print(text.String())
}
