package yamlstrict

// This file finds the word that someone probably meant.

import (
	"fmt"
	"strings"
)

// Nearest returns the candidate with the least edit distance to word, the first
// of several, or "" when none is near: within a third of the longer word's length,
// at least two edits. A word that begins another ("clock" and "clock_mhz") is near.
func Nearest(word string, candidates []string) string {
	best, bestD := "", 0
	for _, c := range candidates {
		d := distance(word, c)
		if begins(word, c) {
			d = min(d, 2)
		}
		if d > max(2, max(len(word), len(c))/3) || d >= max(len(word), len(c)) {
			continue
		}
		if best == "" || d < bestD {
			best, bestD = c, d
		}
	}
	return best
}

// begins says whether one word begins the other, by at least three letters.
func begins(a, b string) bool {
	return min(len(a), len(b)) >= 3 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// suggest is what to write instead of word: the nearest of the words, or a list.
func suggest(word string, words []string) string {
	if n := Nearest(word, words); n != "" {
		return fmt.Sprintf("%q", n)
	}
	return List(words)
}

// List names words for a message, at most eight.
func List(words []string) string {
	const most = 8
	if len(words) == 0 {
		return "nothing"
	}
	more := ""
	if len(words) > most {
		more = fmt.Sprintf(" and %d more", len(words)-most)
		words = words[:most]
	}
	return strings.Join(words, ", ") + more
}

// distance is the edit distance of Levenshtein with unit costs, of bytes; two neighbours that changed places are one edit. Longer
// words than a name ever is count as unlike: the table would be large.
func distance(a, b string) int {
	const longest = 512
	if len(a) > longest || len(b) > longest {
		return max(len(a), len(b))
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(last[j], row[j-1]) + 1
			if a[i-1] == b[j-1] {
				row[j] = min(row[j], last[j-1])
			} else {
				row[j] = min(row[j], last[j-1]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
