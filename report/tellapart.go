package report

// This file shortens lists of words so that those that differ still do.

import (
	"slices"
	"strings"
)

// TellApart cuts texts to about n bytes. Where that would make different ones equal, each
// begins with their first words and goes on shortly before where they part.
func TellApart(texts []string, n int) []string {
	out := make([]string, len(texts))
	all := make([]int, len(texts))
	for i, t := range texts {
		out[i], all[i] = shorten(t, n), i
	}
	partAgain(texts, out, all, -1, n)
	return out
}

// partAgain makes those of some texts differ that do and are shown alike. from is how many
// words the texts were already known to begin with.
func partAgain(texts, out []string, some []int, from, n int) {
	const head = 3
	groups := map[string][]int{}
	for _, i := range some {
		groups[out[i]] = append(groups[out[i]], i)
	}
	for _, i := range some { // in their order
		group := groups[out[i]]
		if len(group) < 2 || group[0] != i || !slices.ContainsFunc(group, func(k int) bool { return texts[k] != texts[i] }) {
			continue
		}
		words := strings.Fields(texts[i])
		common := len(words)
		for _, k := range group[1:] {
			other := strings.Fields(texts[k])
			same := 0
			for same < min(common, len(other)) && words[same] == other[same] {
				same++
			}
			common = same
		}
		if common <= max(from, head) {
			continue // it is shown, and what follows it is too long
		}
		for _, k := range group {
			w := strings.Fields(texts[k])
			out[k] = strings.Join(w[:head], " ") + " ... " + shorten(strings.Join(w[common-1:], " "), n)
		}
		partAgain(texts, out, group, common, n)
	}
}
