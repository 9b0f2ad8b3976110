package page

// This file gathers what the scripts read.

import (
	"fmt"
	"strings"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/estimate/formula"
	"pathspan/report"
	"pathspan/report/document"
)

// data is the JSON in the page. Times are in seconds.
type data struct {
	Processors []string               `json:"processors"`
	Serial     int                    `json:"serial"`
	Clock      float64                `json:"clock"` // MHz of the serial processor
	Technique  string                 `json:"technique"`
	Estimates  []estimate.Result      `json:"estimates"`
	Curve      curve                  `json:"curve"`
	Timelines  []timeline             `json:"timelines"`
	Courses    []course               `json:"courses"`
	Overheads  map[string]string      `json:"overheads"` // what bars are called that are no sections
	Sources    map[string][]sourceRun `json:"sources"`
	Formula    *formula.Formula       `json:"formula,omitempty"`
}

// curve has a value for each number of processors in each series.
type curve struct {
	Processors []int    `json:"processors"`
	Here       int      `json:"here"` // number of processors of the platform
	Series     []series `json:"series"`
}

type series struct {
	ID     string    `json:"id"` // of the technique, which styles go by
	Name   string    `json:"name"`
	Label  string    `json:"label"`
	Dash   string    `json:"dash,omitempty"`
	Shape  string    `json:"shape"` // of the points
	Values []float64 `json:"values"`
}

// timeline is a sections construct. Its first row is all of them, weighted.
type timeline struct {
	Name string        `json:"name"`
	Rows []timelineRow `json:"rows"`
}

type timelineRow struct {
	Label   string        `json:"label"`
	Text    string        `json:"text"`
	Seconds float64       `json:"seconds"`
	Bars    []account.Bar `json:"bars"`
}

// sourceRun is a stretch of lines of a file.
type sourceRun struct {
	First int      `json:"first"`
	Lines []string `json:"lines"`
}

func newData(d *document.Document) *data {
	x := &data{
		Serial: d.Mapping.Serial, Clock: d.Platform.Processors[d.Mapping.Serial].ClockMHz,
		Technique: d.Answer.Technique, Estimates: d.Answer.Estimates, Curve: newCurve(d), Timelines: []timeline{}, Courses: newCourses(d), Overheads: overheads,
		Sources: newSources(d), Formula: d.Formula,
	}
	for _, p := range d.Platform.Processors {
		x.Processors = append(x.Processors, p.Name)
	}
	for i := range d.Timelines {
		x.Timelines = append(x.Timelines, newTimeline(&d.Timelines[i]))
	}
	return x
}

func newCurve(d *document.Document) curve {
	c := curve{Processors: []int{}, Here: len(d.Platform.Processors), Series: []series{}}
	if len(d.Curve.Points) == 0 {
		return c
	}
	for _, s := range d.Curve.Points[0].Speedups {
		x := report.TechniqueOf(s.Technique)
		c.Series = append(c.Series, series{ID: x.ID, Name: x.Title, Label: x.Title + ", " + x.Words, Dash: x.Style.Dash, Shape: x.Style.Shape})
	}
	c.Series = append(c.Series,
		series{ID: "amdahl", Name: "Amdahl's bound", Label: "Amdahl's bound", Dash: "14 4", Shape: "cross"},
		series{ID: "span", Name: "span bound", Label: "bound by work and span", Dash: "6 3 1 3", Shape: "bar"},
		series{ID: "burdened", Name: "burdened span", Label: "lower estimate by burdened span", Dash: "4 3", Shape: "plus"})
	for i := range d.Curve.Points {
		p := &d.Curve.Points[i]
		c.Processors = append(c.Processors, p.Processors)
		var values []float64
		for _, s := range p.Speedups {
			values = append(values, s.Speedup)
		}
		for k, v := range append(values, p.Amdahl, p.Span, p.Burdened) {
			c.Series[k].Values = append(c.Series[k].Values, v)
		}
	}
	return c
}

func newTimeline(t *account.Timeline) timeline {
	weighted := "all"
	if len(t.Rows) > 1 {
		weighted = "all, weighted"
	}
	x := timeline{Name: t.Name, Rows: []timelineRow{{
		Label: weighted + ", " + report.Seconds(t.Seconds), Text: "Mean starts and stops over all executions.", Seconds: t.Seconds, Bars: t.Bars,
	}}}
	for k := range t.Rows {
		p := &t.Rows[k]
		x.Rows = append(x.Rows, timelineRow{Label: rowLabel(k, p), Text: p.Text, Seconds: p.Seconds, Bars: p.Bars})
	}
	return x
}

func rowLabel(k int, p *account.TimelineRow) string {
	return fmt.Sprintf("way %d, %s of the time, %s", k+1, report.Percent(p.Share), report.Seconds(p.Seconds))
}

// timelineTitle names a timeline by its place.
func timelineTitle(t *account.Timeline) string {
	if t.Function == "" || strings.Contains(t.Name, ":"+t.Function+"#") {
		return t.Name
	}
	return t.Name + " in " + t.Function
}
