package ir

// This file names parallel regions by their function and their position in it, so that
// names survive edits.

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Origin is what a module knows of a region beyond its Region, to tell apart what has the
// same name in the source. The zero value is an origin that is not known.
type Origin struct {
	// Path is the whole path of the region's file.
	Path string
	// Symbol is the linker name of the function that holds the region, and Instance that
	// function as people write it: "sum<int>" for an instance of the template sum.
	Symbol, Instance string
	// Unit is the whole path of the source file that was compiled.
	Unit string
}

// Label is the region for people: its name and, where it is known, its line.
func (r *Region) Label() string { return RegionLabel(r.Name, r.Line) }

// RegionLabel is the label of a region of that name and line, 0 when unknown.
func RegionLabel(name string, line int) string {
	if line == 0 {
		return name
	}
	return fmt.Sprintf("%s (line %d)", name, line)
}

// SectionLabel is a section for people, without its region: "section 2" for one of that
// number, "loop 1" for a worksharing loop, "loop 1, thread 2" for the thread of a team.
func SectionLabel(name string) string {
	number := name[strings.LastIndexByte(name, '/')+1:]
	loop, ok := strings.CutPrefix(number, "loop")
	if !ok {
		return "section " + number
	}
	if loop, thread, ok := strings.Cut(loop, ".t"); ok {
		return "loop " + loop + ", thread " + thread
	}
	return "loop " + loop
}

// AtLine names the region by its line: file.c:function:line. That was its name before
// names survived edits; regions at the same place share it.
func (r *Region) AtLine() string {
	return fmt.Sprintf("%s:%s:%d", r.base(), r.Function, r.Line)
}

func (r *Region) base() string {
	if r.Line == 0 || r.File == "" {
		return "unknown"
	}
	return path.Base(slashed(r.File))
}

func slashed(file string) string { return strings.ReplaceAll(file, `\`, "/") }

// NameRegions names regions and their sections. A region is file.c:function#k, the k-th of
// the places in functions of that name and file that hold one, in the order of the source.
// Overloads share a name and are counted together, as a lambda is with the function around
// it. Only where that would name two regions more is said, as much as it takes:
//
//	lib/util.c:work#1      directories, where files have the same name
//	sum.cc:sum<int>#1      the instance of a template
//	work.h:work@main.c#1   the file compiled, for a static function in a header
//	ctor.cc:A::A@2#1       the number of the copy, for what nothing else tells apart
//
// The regions must stand in the order of the source, those at one place in the order in
// which they begin. Origins are by region; nil where none are known.
func NameRegions(regions []Region, origins []Origin) {
	if origins == nil {
		origins = make([]Origin, len(regions))
	}
	files, units := make([]string, len(regions)), make([]string, len(regions))
	for i := range regions {
		files[i] = "unknown"
		if u := origins[i].Unit; u != "" {
			units[i] = path.Clean(slashed(u))
		}
		if regions[i].Line > 0 && regions[i].File != "" {
			files[i] = path.Clean(slashed(cmp.Or(origins[i].Path, regions[i].File)))
		}
	}
	file, unit := short(files), short(units)
	for i, k := range positions(regions, files, origins) {
		regions[i].Name = strconv.Itoa(k)
	}
	// Regions that would have the same name, by that name.
	same := map[string][]int{}
	for i := range regions {
		name := fmt.Sprintf("%s:%s#%s", file[files[i]], regions[i].Function, regions[i].Name)
		same[name] = append(same[name], i)
	}
	for name, list := range same {
		k := name[strings.LastIndexByte(name, '#'):]
		slices.SortStableFunc(list, func(a, b int) int {
			x, y := &origins[a], &origins[b]
			return cmp.Or(cmp.Compare(x.Instance, y.Instance), cmp.Compare(x.Unit, y.Unit), cmp.Compare(x.Symbol, y.Symbol))
		})
		unitsOf := map[string]map[string]bool{} // by instance
		for _, i := range list {
			in := origins[i].Instance
			if unitsOf[in] == nil {
				unitsOf[in] = map[string]bool{}
			}
			unitsOf[in][units[i]] = true
		}
		copies := map[string]int{}
		for _, i := range list {
			function := regions[i].Function
			if len(unitsOf) > 1 {
				function = cmp.Or(origins[i].Instance, function)
			}
			if u := unit[units[i]]; len(unitsOf[origins[i].Instance]) > 1 && u != "" {
				function += "@" + u
			}
			if copies[function]++; copies[function] > 1 {
				function = fmt.Sprintf("%s@%d", function, copies[function])
			}
			regions[i].Name = file[files[i]] + ":" + function + k
		}
	}
	for i := range regions {
		n, loops := 0, 0
		for c := range regions[i].Constructs {
			if regions[i].Constructs[c].Loop != nil {
				loops++
				regions[i].Constructs[c].Sections[0].Name = fmt.Sprintf("%s/loop%d", regions[i].Name, loops)
				continue
			}
			for s := range regions[i].Constructs[c].Sections {
				n++
				regions[i].Constructs[c].Sections[s].Name = fmt.Sprintf("%s/%d", regions[i].Name, n)
			}
		}
	}
}

// positions numbers the places of regions within the functions of one name and file, from
// 1. Regions of one symbol at one line and column, as a macro makes them, are at different
// places; those of different symbols there are copies of one.
func positions(regions []Region, files []string, origins []Origin) []int {
	type function struct{ file, name string }
	type place struct{ line, col, nth int }
	type holder struct {
		function
		line, col int
		symbol    string
	}
	nth := map[holder]int{}
	places := make([]place, len(regions))
	of := map[function][]place{}
	for i := range regions {
		r := &regions[i]
		f := function{files[i], r.Function}
		h := holder{f, r.Line, r.Col, origins[i].Symbol}
		places[i] = place{r.Line, r.Col, nth[h]}
		nth[h]++
		of[f] = append(of[f], places[i])
	}
	compare := func(a, b place) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col), cmp.Compare(a.nth, b.nth))
	}
	for f, list := range of {
		slices.SortFunc(list, compare)
		of[f] = slices.Compact(list)
	}
	all := make([]int, len(regions))
	for i := range regions {
		at, _ := slices.BinarySearchFunc(of[function{files[i], regions[i].Function}], places[i], compare)
		all[i] = at + 1
	}
	return all
}

// short returns, for each path, its last name, with as many directories before it as tell
// it from the other paths of that name.
func short(paths []string) map[string]string {
	byBase, out := map[string][]string{}, map[string]string{"": ""}
	for _, p := range paths {
		if p == "" {
			continue
		}
		if base := path.Base(p); !slices.Contains(byBase[base], p) {
			byBase[base] = append(byBase[base], p)
		}
	}
	for _, list := range byBase {
		for n := 1; ; n++ {
			seen := map[string]bool{}
			for _, p := range list {
				parts := strings.Split(p, "/")
				out[p] = strings.TrimPrefix(strings.Join(parts[max(0, len(parts)-n):], "/"), "/")
				seen[out[p]] = true
			}
			// Paths that differ by a leading slash alone stay alike; then copies are counted.
			if len(seen) == len(list) || n > longest(list) {
				break
			}
		}
	}
	return out
}

func longest(paths []string) int {
	n := 0
	for _, p := range paths {
		n = max(n, strings.Count(p, "/")+1)
	}
	return n
}
