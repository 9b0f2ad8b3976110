package accelerator

// This file reads reports of Vitis HLS and Vivado HLS (csynth.xml, FUNCTION_csynth.xml), as versions 2018.2 to
// 2024.2 write them: of each function (module) its loops with trip counts, latencies and intervals, and what the
// whole takes of the device.

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pathspan/bounded"
	"pathspan/visible"
	"pathspan/yamlstrict"
)

// report is what such a file says.
type report struct {
	file, version, part, top string
	clock                    float64 // ns, of the target
	modules                  []*module
	takes, available         map[string]float64 // by resource, of the whole
	takesAt                  map[string]yamlstrict.Pos
}

// module is a function as the tool made it: several of the program's, a part of one, or a copy.
type module struct {
	name     string
	at       yamlstrict.Pos
	latency  span // of a call, without what waits for others
	dataflow bool // what is in it runs at the same time
	loops    []*reported
}

// reported is a loop as the tool made it.
type reported struct {
	name, module string
	at           yamlstrict.Pos
	lines        []string // FILE:LINE where it stands, as newer versions say
	trips        span
	latency      span // of all iterations
	iteration    span // of one, where they do not overlap
	ii, depth    float64
	inner        []*reported
}

// span is what a report gives as one figure or as a range.
type span struct {
	least, most float64
	known       bool
}

type element struct {
	name, text string
	line       int
	inner      []*element
}

func (e *element) find(path ...string) *element {
	for _, name := range path {
		if e == nil {
			return nil
		}
		i := slices.IndexFunc(e.inner, func(x *element) bool { return x.name == name })
		if i < 0 {
			return nil
		}
		e = e.inner[i]
	}
	return e
}

func (e *element) say(path ...string) string {
	if x := e.find(path...); x != nil {
		return x.text
	}
	return ""
}

func (e *element) all(path string) []*element {
	if e == nil {
		return nil
	}
	var out []*element
	for _, x := range e.inner {
		if x.name == path {
			out = append(out, x)
		}
	}
	return out
}

// The elements that a report may have, and how deep.
const (
	mostElements = 1 << 21
	mostDepth    = 64
)

func readReport(file string) (*report, error) {
	data, err := bounded.ReadFile(file, bounded.Text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: want a csynth.xml of Vitis HLS or Vivado HLS", file, bounded.Reason(err))
	}
	root, err := parseReport(file, data)
	if err != nil {
		return nil, err
	}
	return reportOf(file, root)
}

func parseReport(file string, data []byte) (*element, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	root := &element{}
	open, count := []*element{root}, 0
	for {
		line, _ := d.InputPos()
		t, err := d.Token()
		if err == io.EOF {
			return root, nil
		}
		if err != nil {
			line, _ = d.InputPos()
			return nil, yamlstrict.Pos{File: file, Line: line}.Errorf("no well-formed XML: %s: want a csynth.xml of Vitis HLS or Vivado HLS", visible.Line(err.Error()))
		}
		at := open[len(open)-1]
		switch t := t.(type) {
		case xml.StartElement:
			if count++; count > mostElements || len(open) > mostDepth {
				return nil, yamlstrict.Pos{File: file, Line: line}.Errorf("more than %d elements, or deeper than %d: no report of synthesis is", mostElements, mostDepth)
			}
			e := &element{name: visible.Line(t.Name.Local), line: line}
			at.inner, open = append(at.inner, e), append(open, e)
		case xml.EndElement:
			at.text = visible.Line(strings.TrimSpace(at.text))
			open = open[:len(open)-1]
		case xml.CharData:
			if len(at.inner) == 0 && len(at.text) < 1<<12 {
				at.text += string(t)
			}
		}
	}
}

func reportOf(file string, root *element) (*report, error) {
	p := root.find("profile")
	if p == nil || p.find("PerformanceEstimates") == nil {
		return nil, yamlstrict.Pos{File: file, Line: 1}.Errorf("no report of Vitis HLS or Vivado HLS: it has no profile with PerformanceEstimates: want csynth.xml, or FUNCTION_csynth.xml, of syn/report")
	}
	r := &report{file: file, version: p.say("ReportVersion", "Version"), part: p.say("UserAssignments", "Part"), top: p.say("UserAssignments", "TopModelName")}
	if x, ok := figure(p.say("UserAssignments", "TargetClockPeriod")); ok && x > 0 {
		r.clock = x
	}
	// Newer versions list all modules, the top among them.
	for _, m := range p.find("ModuleInformation").all("Module") {
		r.add(m.say("Name"), m)
	}
	if !slices.ContainsFunc(r.modules, func(m *module) bool { return m.name == r.top }) {
		r.add(r.top, p)
	}
	r.takes, r.takesAt = r.resources(p.find("AreaEstimates", "Resources"))
	r.available, _ = r.resources(p.find("AreaEstimates", "AvailableResources"))
	for name, x := range r.takes {
		if limit, ok := r.available[name]; ok && x > limit {
			return nil, r.takesAt[name].Errorf("%s takes %g %s, of %g that %s has: it fits no such device", r.top, x, name, limit, r.part)
		}
	}
	return r, nil
}

func (r *report) at(line int) yamlstrict.Pos { return yamlstrict.Pos{File: r.file, Line: line} }

// resources reads amounts, of which those of versions before 2020.1 name the DSP's kind.
func (r *report) resources(e *element) (map[string]float64, map[string]yamlstrict.Pos) {
	all, at := map[string]float64{}, map[string]yamlstrict.Pos{}
	if e == nil {
		return all, at
	}
	for _, x := range e.inner {
		name := x.name
		if name == "DSP48E" {
			name = "DSP"
		}
		if amount, ok := figure(x.text); ok && slices.Contains([]string{"BRAM_18K", "DSP", "FF", "LUT", "URAM"}, name) {
			all[name], at[name] = amount, r.at(x.line)
		}
	}
	return all, at
}

func (r *report) add(name string, of *element) {
	e := of.find("PerformanceEstimates")
	overall := e.find("SummaryOfOverallLatency")
	m := &module{name: name, at: r.at(of.line)}
	m.dataflow = e.say("PipelineType") == "dataflow" || overall.say("PipelineType") == "dataflow"
	best, ok := figure(overall.say("Best-caseLatency"))
	if worst, also := figure(overall.say("Worst-caseLatency")); ok && also {
		m.latency = span{best, worst, best <= worst}
	}
	lines := map[string][]string{}
	if v := e.find("SummaryOfViolations", "SummaryOfLoopViolations"); v != nil {
		for _, x := range v.inner {
			if s := x.say("SourceLocation"); strings.Contains(s, ":") {
				lines[x.name] = strings.Split(s, "~")
			}
		}
	}
	m.loops = r.loops(e.find("SummaryOfLoopLatency"), name, lines)
	r.modules = append(r.modules, m)
}

// loops reads the loops in an element: what has a trip count is one, and its name is the element's.
func (r *report) loops(e *element, module string, lines map[string][]string) (all []*reported) {
	if e == nil {
		return nil
	}
	for _, x := range e.inner {
		if x.find("TripCount") == nil {
			continue
		}
		l := &reported{name: x.name, module: module, at: r.at(x.line), lines: lines[x.name]}
		l.trips, l.latency, l.iteration = spanOf(x.find("TripCount")), spanOf(x.find("Latency")), spanOf(x.find("IterationLatency"))
		if s := spanOf(x.find("PipelineII")); s.known && s.most >= 1 {
			l.ii = s.most
		}
		if s := spanOf(x.find("PipelineDepth")); s.known {
			l.depth = s.most
		}
		l.inner = r.loops(x, module, lines)
		all = append(all, l)
	}
	return all
}

// spanOf reads "12", "12 ~ 40" and <range><min>12</min><max>40</max></range>.
func spanOf(e *element) (s span) {
	if e == nil {
		return s
	}
	low, high := e.text, e.text
	if of := e.find("range"); of != nil {
		low, high = of.say("min"), of.say("max")
	} else if before, after, ok := strings.Cut(e.text, "~"); ok {
		low, high = before, after
	}
	var ok bool
	if s.least, ok = figure(low); ok {
		s.most, s.known = figure(high)
	}
	s.known = s.known && s.least <= s.most
	return s
}

// figure reads a number of cycles or of anything; undef, - and ? are none.
func figure(text string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return x, err == nil && x >= 0 && x <= longest
}

// first is what the first iteration of a pipeline takes, such that all take what the report says; where it does
// not, as deep as the pipeline is.
func (l *reported) first() float64 {
	if l.latency.known && l.trips.known && l.trips.most >= 1 {
		if x := l.latency.most - l.ii*(l.trips.most-1); x >= 1 {
			return x
		}
	}
	return max(1, l.depth)
}

// total is what all iterations take, as the model has them.
func (l *reported) total() (cycles float64, known bool) {
	switch {
	case !l.trips.known:
		return 0, false
	case l.ii > 0:
		return max(0, l.ii*(l.trips.most-1)+l.first()), true
	}
	return l.iteration.most * l.trips.most, l.iteration.known
}

// each visits a module's loops, those inside of others behind them.
func (m *module) each(visit func(l, outer *reported)) {
	var walk func(all []*reported, outer *reported)
	walk = func(all []*reported, outer *reported) {
		for _, l := range all {
			visit(l, outer)
			walk(l.inner, l)
		}
	}
	walk(m.loops, nil)
}

// title names a loop in messages and in files of accelerators.
func (l *reported) title() string { return l.module + "/" + l.name }

// byOrder is what older versions name loops without a label: the first, the first in the third.
var byOrder = regexp.MustCompile(`^Loop\d+(\.\d+)*$`)
