package diff

// This file compares two results that pathspan printed as JSON.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pathspan/estimate"
	"pathspan/report"
	"pathspan/visible"
)

// Results compares two JSON objects of the same kind. Names of the inputs go into
// errors, which are one line each.
func Results(nameA string, a []byte, nameB string, b []byte) (*Diff, error) {
	x, kindA, versionA, err := readResult(nameA, a)
	if err != nil {
		return nil, err
	}
	y, kindB, versionB, err := readResult(nameB, b)
	if err != nil {
		return nil, err
	}
	if kindA != kindB {
		return nil, fmt.Errorf("%s holds a %s and %s a %s: give two results of the same kind", nameA, kindA, nameB, kindB)
	}
	d := &Diff{Kind: kindA, A: nameA, B: nameB}
	if versionA != versionB {
		d.Notes = append(d.Notes, fmt.Sprintf("the results are of versions %s and %s of %s; what one of them lacks may be new there", versionA, versionB, kindA))
	}
	inA, inB := map[string]leaf{}, map[string]leaf{}
	partsA, partsB := map[string]int{}, map[string]int{} // leaves below each key
	var order []string
	for _, side := range []struct {
		v     any
		to    map[string]leaf
		parts map[string]int
		inB   bool
	}{{x, inA, partsA, false}, {y, inB, partsB, true}} {
		flatten(nil, "", "", side.v, func(l leaf) {
			l.inB = side.inB
			for _, key := range l.above {
				side.parts[key]++
			}
			if _, known := inA[l.key]; !known {
				if _, known := inB[l.key]; !known {
					order = append(order, l.key)
				}
			}
			side.to[l.key] = l
		})
	}
	prediction := predicted(inA, inB)
	told := map[string]bool{}
	var named []string // techniques, and what they do
	for _, key := range order {
		l, hasA := inA[key]
		m, hasB := inB[key]
		if key == "schema" || isDrawing(key) {
			continue
		}
		if !hasA {
			l.name, l.of = m.name, m.of
		}
		p, isA := l.v.(float64)
		q, isB := m.v.(float64)
		if dir, ok := directions[l.name]; ok && isA && isB {
			f := newFigure(words(l.name), l.of, unitOf(l.name), dir.better, p, q, dir.points)
			f.Judged = dir.points || l.technique == "" || prediction == "" || l.technique == prediction
			d.Figures = append(d.Figures, f)
			if w := report.Words(l.technique); w != "" && !slices.Contains(named, l.technique+" "+w) {
				named = append(named, l.technique+" "+w)
			}
			continue
		}
		switch {
		case hasA && !hasB:
			d.missing(l, partsA, partsB, told)
		case hasB && !hasA:
			d.missing(m, partsB, partsA, told)
		case l.v != m.v:
			d.Values = append(d.Values, Value{Key: key, A: l.v, B: m.v})
		}
	}
	d.legend = strings.Join(named, "; ")
	slices.SortStableFunc(d.Values, func(x, y Value) int {
		return cmp.Or(cmp.Compare(absent(&x), absent(&y)), cmp.Compare(valueChange(&y), valueChange(&x)))
	})
	d.settle()
	return d, nil
}

// predicted returns the technique that predicts: of those that both results show, the one
// that estimate shows first, or would after all that it shows.
func predicted(a, b map[string]leaf) string {
	has := func(all map[string]leaf) map[string]bool {
		found := map[string]bool{}
		for _, l := range all {
			found[l.technique] = true
		}
		return found
	}
	inA, inB := has(a), has(b)
	for _, t := range append(estimate.TechniquesThat(estimate.AreShown), estimate.Techniques()...) {
		if s := t.String(); inA[s] && inB[s] {
			return s
		}
	}
	return ""
}

// missing tells what only one side has: the whole of an entry or object that is missing
// on the other, once.
func (d *Diff) missing(l leaf, parts, others map[string]int, told map[string]bool) {
	v := Value{Key: l.key}
	var what any = l.v
	for _, key := range l.above {
		if others[key] > 0 {
			continue
		}
		if told[key] {
			return
		}
		told[key] = true
		if n := parts[key]; key != l.key && n > 1 {
			v.Key, what = key, fmt.Sprintf("%d values", n)
		}
		break
	}
	if l.inB {
		v.B = what
	} else {
		v.A = what
	}
	d.Values = append(d.Values, v)
}

// absent ranks values: those of both sides first.
func absent(v *Value) int {
	if v.A == nil || v.B == nil {
		return 1
	}
	return 0
}

// leaf is a number, text, truth value or null of a result.
type leaf struct {
	key, of, name string   // of: what names the entries around it; name: the last key
	technique     string   // of the innermost entry around it that names one
	above         []string // keys of all that it is in, from the outermost on, and its own
	v             any
	inB           bool
}

func readResult(name string, data []byte) (v map[string]any, kind, version string, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&v); err != nil {
		return nil, "", "", fmt.Errorf("%s: not a JSON object of pathspan: %w", name, shortSyntax(err, data))
	}
	if dec.More() {
		return nil, "", "", fmt.Errorf("%s: more follows the JSON object; give a file that holds one", name)
	}
	if deep(v) > deepest {
		return nil, "", "", fmt.Errorf("%s: it nests deeper than %d; give what a command printed with --json", name, deepest)
	}
	visible.Strings(&v)
	schema, _ := v["schema"].(string)
	kind, version, ok := strings.Cut(schema, "/")
	if !ok || !strings.HasPrefix(kind, "pathspan.") {
		return nil, "", "", fmt.Errorf("%s: it has no schema of pathspan; give what a command printed with --json", name)
	}
	return v, kind, version, nil
}

// deepest bounds how deep results nest, since every value is named by all that is around
// it. Those that pathspan prints nest a dozen deep.
const deepest = 64

func deep(v any) int {
	inside := 0
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			inside = max(inside, deep(x))
		}
	case []any:
		for _, x := range v {
			inside = max(inside, deep(x))
		}
	default:
		return 0
	}
	return 1 + inside
}

// shortSyntax says in which line JSON breaks.
func shortSyntax(err error, data []byte) error {
	var at *json.SyntaxError
	if errors.As(err, &at) && at.Offset <= int64(len(data)) {
		return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:at.Offset], []byte("\n")), err)
	}
	return err
}

// names are keys whose values name an entry of a list, in the order in which they do.
var names = []string{"program", "size", "level", "technique", "processors", "mapping", "other", "platform", "model", "reference", "host", "region", "construct", "section", "function", "loop", "file", "line", "name", "id", "kind", "path", "column"}

// nameOf names an entry of a list, "" when nothing does. Values that are not text or a
// number name nothing.
func nameOf(v any) string {
	object, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	var parts []string
	for _, k := range names {
		if k == "line" && (object["region"] != nil || object["section"] != nil || object["sections"] != nil) {
			continue // regions and sections keep their names where lines move
		}
		switch x := object[k].(type) {
		case string:
			if x != "" {
				parts = append(parts, x)
			}
		case float64:
			if x == math.Trunc(x) {
				parts = append(parts, k+" "+strconv.FormatFloat(x, 'f', -1, 64))
			}
		}
	}
	return strings.Join(parts, ", ")
}

// flatten reports all leaves of a value, keys of an object in alphabetical order, entries
// of a list under their names.
func flatten(above []string, of, technique string, v any, found func(leaf)) {
	key := ""
	if n := len(above); n > 0 {
		key = above[n-1]
	}
	under := func(k string) []string { return append(slices.Clip(above), k) }
	switch x := v.(type) {
	case map[string]any:
		if t, ok := x["technique"].(string); ok {
			technique = t
		}
		for _, k := range slices.Sorted(maps.Keys(x)) {
			inner := of
			if _, nested := x[k].(map[string]any); nested && !slices.Contains(plainKeys, k) {
				inner = strings.TrimPrefix(of+", "+strings.ReplaceAll(k, "_", " "), ", ")
			}
			flatten(under(strings.TrimPrefix(key+"."+k, ".")), inner, technique, x[k], found)
		}
	case []any:
		seen := map[string]int{}
		for i, e := range x {
			name := nameOf(e)
			if s, ok := e.(string); ok { // a list of words is a set
				name = s
			} else if name == "" {
				name = strconv.Itoa(i)
			}
			if seen[name]++; seen[name] > 1 {
				name += " #" + strconv.Itoa(seen[name])
			}
			inner := of
			if _, ok := e.(map[string]any); ok {
				inner = strings.TrimPrefix(of+", "+name, ", ")
			}
			flatten(under(key+"["+name+"]"), inner, technique, e, found)
		}
	default:
		name := key
		if i := strings.LastIndexAny(key, ".]"); i >= 0 {
			name = key[i+1:]
		}
		if line, ok := v.(float64); ok && (name == "line" || name == "region_line") {
			v = "line " + strconv.FormatFloat(line, 'f', -1, 64) // a place, no figure
		}
		found(leaf{key: key, of: of, name: name, technique: technique, above: above, v: v})
	}
}

// plainKeys hold the result itself, so that they say nothing about a figure.
var plainKeys = []string{"bounds", "timing"}

// isDrawing leaves out what is drawn or computed from the rest.
func isDrawing(key string) bool {
	return strings.HasPrefix(key, "formula") || strings.HasPrefix(key, "graph.") || strings.HasPrefix(key, "drawing")
}

type direction struct {
	better string
	points bool
}

// directions says of which numbers more is better, or less.
var directions = map[string]direction{
	"speedup": {Higher, false}, "parallelism": {Higher, false}, "burdened_parallelism": {Higher, false},
	"parallel_cycles": {Lower, false}, "sequential_cycles": {Lower, false},
	"parallel_seconds": {Lower, false}, "sequential_seconds": {Lower, false},
	"median_seconds": {Lower, false}, "joules": {Lower, false},
	"error": {Lower, true}, "parallel_error": {Lower, true}, "sequential_error": {Lower, true},
}

func words(name string) string {
	switch name {
	case "speedup":
		return "speed-up"
	case "joules":
		return "energy"
	}
	if s, ok := strings.CutSuffix(name, "_seconds"); ok {
		return strings.ReplaceAll(s, "_", " ") + " time"
	}
	return strings.ReplaceAll(name, "_", " ")
}

func unitOf(name string) string {
	switch {
	case strings.HasSuffix(name, "_cycles"):
		return "cycles"
	case strings.HasSuffix(name, "_seconds"):
		return "seconds"
	case name == "joules":
		return "J"
	}
	return ""
}

// valueChange ranks values: numbers by their relative change, others first.
func valueChange(v *Value) float64 {
	a, isA := v.A.(float64)
	b, isB := v.B.(float64)
	if !isA || !isB || a == 0 {
		return math.Inf(1)
	}
	return math.Abs(b/a - 1)
}
