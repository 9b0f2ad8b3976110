package main

// This file holds what is printed below results to being short: what decides the answer and
// what to do next come first, each thing is said once, abbreviations are expanded where they
// appear.

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// expansions are what the abbreviations stand for.
var expansions = map[string]string{"EB": "execution by execution", "PB": "path by path", "AT": "average task times", "MT": "largest task times", "HTG": "ierarchical task graph"}

// unexpanded lists the abbreviations of a text that it does not expand.
func unexpanded(text string) []string {
	var all []string
	for short, long := range expansions {
		if regexp.MustCompile(`\b`+short+`\b`).MatchString(text) && !strings.Contains(strings.Join(strings.Fields(text), " "), long) {
			all = append(all, short)
		}
	}
	slices.Sort(all)
	return all
}

// footOf returns the lines below the table of a result, comments without their marks.
func footOf(text string) []string {
	text = regexp.MustCompile(`(?m)^# ?`).ReplaceAllString(strings.TrimSpace(text), "")
	return strings.Split(text[strings.LastIndex(text, "\n\n")+2:], "\n")
}

// mostFoot bounds the foot where the profile is an ordinary one. What is left out, merged or
// runs elsewhere has a line more each.
var (
	mostFoot = map[string]int{"estimate": 5, "explore": 5}
	unusual  = map[string]int{"nested": 1, "threads": 2, "handler": 1, "merged": 0, "mixed": 1, "paths-only": 2, "recursion": 1, "killed": 1}
)

func testFeet(t *testing.T, at func(string) string) {
	for _, name := range []string{"sizes", "nested", "recursion", "threads", "handler", "merged", "mixed", "killed", "never", "paths-only", "more"} {
		for _, args := range [][]string{
			{"estimate"}, {"estimate", "--model", "c6000"}, {"estimate", "--model", "arm922t", "--technique", "pb,at"}, {"why"}, {"why", "-p", "4"}, {"explore", "-p", "2", "--budget", "100"},
			{"explore", "-p", "1,2", "--budget", "100"}, {"explore", "-p", "2", "--budget", "100", "--pareto", "time,processors"}, {"diff", at("sizes")}, {"inspect"},
			{"report", "-o", "-", "--format", "md"},
		} {
			o := pathspan("", append(args, at(name))...)
			if o.status != 0 && args[0] != "diff" {
				t.Errorf("%q %s: status %d: %s", args, name, o.status, o.stderr)
				continue
			}
			text := o.stdout
			lines := strings.Split(strings.TrimSpace(text), "\n")
			for i, line := range lines {
				sentence := strings.HasPrefix(strings.TrimPrefix(line, "# "), "note: ") ||
					len(line) > 1 && line[0] != ' ' && (args[0] == "estimate" || args[0] == "why" || args[0] == "diff" || line[0] == '#' && strings.Trim(line, "# ") != "")
				if args[0] == "report" {
					sentence = strings.HasPrefix(line, "* ")
				}
				if sentence && slices.Contains(lines[:i], line) {
					t.Errorf("%q %s says %q twice", args, name, line)
				}
			}
			for _, short := range unexpanded(text) {
				t.Errorf("%q %s: %s is not expanded in\n%s", args, name, short, text)
			}
			most, bounded := mostFoot[args[0]]
			if foot := footOf(text); bounded && !slices.Contains(args, "1,2") && !slices.Contains(args, "--pareto") {
				if strings.Contains(text, "note: data race: ") {
					most++
				}
				if most += unusual[name]; len(foot) > most {
					t.Errorf("%q %s has a foot of %d lines, more than %d:\n%s", args, name, len(foot), most, text)
				}
				next := slices.IndexFunc(foot, func(l string) bool { return strings.HasPrefix(l, "next: ") })
				if next < 0 || next > 2 {
					t.Errorf("%q %s: what to do next is not among the first lines of\n%s", args, name, strings.Join(foot, "\n"))
				}
			}
		}
	}
}

// Every help text expands the abbreviations that it uses, and says what each technique does.
func TestHelpExpands(t *testing.T) {
	seen := 0
	for _, c := range commands() {
		text := c.Short + "\n" + c.Long + "\n" + c.Flags().FlagUsages() + "\n" + c.PersistentFlags().FlagUsages()
		for _, short := range unexpanded(text) {
			t.Errorf("%s --help does not expand %s", c.CommandPath(), short)
		}
		if f := c.Flags().Lookup("technique"); f != nil {
			seen++
			for _, want := range []string{"eb (execution by execution)", "pb (path by path)"} {
				if !strings.Contains(f.Usage, want) {
					t.Errorf("%s --technique does not say %s: %s", c.CommandPath(), want, f.Usage)
				}
			}
		}
	}
	if seen < 6 {
		t.Errorf("only %d commands with --technique were seen", seen)
	}
}
