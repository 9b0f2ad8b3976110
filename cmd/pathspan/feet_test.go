package main

// This file holds what is printed below results to being short: each thing is said once,
// abbreviations are expanded where they appear.

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var expansions = map[string]string{"EB": "EB execution by execution", "PB": "PB path by path", "AT": "AT average task times", "MT": "MT largest task times"}

func testFeet(t *testing.T, at func(string) string) {
	for _, name := range []string{"sizes", "nested", "recursion", "threads", "handler", "merged"} {
		for _, args := range [][]string{{"estimate", "--model", "c6000"}, {"why"}, {"explore", "-p", "2", "--budget", "100"}} {
			text := succeed(t, append(args, at(name))...)
			lines := strings.Split(strings.TrimSpace(text), "\n")
			for i, line := range lines {
				if len(line) > 1 && line[0] != ' ' && slices.Contains(lines[:i], line) {
					t.Errorf("%s %s says %q twice", args[0], name, line)
				}
			}
			for short, long := range expansions {
				if regexp.MustCompile(`\b`+short+`\b`).MatchString(text) && strings.Count(text, long) != 1 {
					t.Errorf("%s %s: %s is expanded %d times in\n%s", args[0], name, short, strings.Count(text, long), text)
				}
			}
			if foot := strings.LastIndex(text, "\n\n"); args[0] == "estimate" && strings.Count(text[foot+2:], "\n") > 8 {
				t.Errorf("%s %s: a long foot:\n%s", args[0], name, text)
			}
		}
	}
}
