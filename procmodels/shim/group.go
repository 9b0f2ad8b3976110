package shim

// This file gathers findings that say the same of many places.

import "fmt"

// Group is a finding and the lines of others like it in the same file.
type Group struct {
	Finding
	More []int // lines, ascending
}

func (g Group) String() string {
	switch n := len(g.More); n {
	case 0:
		return g.Finding.String()
	case 1:
		return fmt.Sprintf("%s (line %d too)", g.Finding, g.More[0])
	default:
		return fmt.Sprintf("%s (%d more like it, down to line %d)", g.Finding, n, g.More[n-1])
	}
}

// GroupFindings puts findings of one kind under the first of them. Editors repeat a
// mistake in each instruction of each core: 1,400 findings are a handful of groups.
func GroupFindings(findings []Finding) []Group {
	type key struct{ file, like, do string }
	at := map[key]int{}
	var groups []Group
	for _, f := range findings {
		k := key{f.File, f.like, f.Do}
		if f.like == "hash" {
			k.do = "" // names the id, which differs
		}
		if i, ok := at[k]; ok && f.like != "" {
			groups[i].More = append(groups[i].More, f.Line)
			continue
		}
		at[k] = len(groups)
		groups = append(groups, Group{Finding: f})
	}
	return groups
}
