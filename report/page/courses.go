package page

// This file prepares pipelines over time for the script that draws them.

import (
	"fmt"
	"strings"

	"pathspan/estimate/account"
	"pathspan/report"
	"pathspan/report/document"
)

// course is a pipeline over time, with what its stages are called.
type course struct {
	*account.Course
	Stages []courseStage `json:"stages"`
}

type courseStage struct {
	Name  string `json:"name"`
	On    string `json:"on"`    // its processors
	Width int    `json:"width"` // how many items it works on at a time
}

func newCourses(d *document.Document) []course {
	out := []course{}
	for i := range d.Pipelines {
		p := &d.Pipelines[i]
		if p.Course == nil {
			continue
		}
		c := course{Course: p.Course}
		for k := range p.Stages {
			on := p.Stages[k].Processors
			text := strings.Join(on, " ")
			if len(on) > 2 {
				text = fmt.Sprintf("%s and %d more", on[0], len(on)-1)
			}
			c.Stages = append(c.Stages, courseStage{p.Stages[k].Name, text, p.Stages[k].Width()})
		}
		out = append(out, c)
	}
	return out
}

// courseAt is the index of a pipeline's course.
func courseAt(v *view, p report.PipelineEstimate) (n int) {
	for i := range v.Pipelines {
		if v.Pipelines[i].Name == p.Name {
			break
		}
		if v.Pipelines[i].Course != nil {
			n++
		}
	}
	return n
}

func coursePart(w account.CourseWindow) string {
	switch w.Part {
	case account.CourseBegin:
		return fmt.Sprintf("its first %s, item by item", report.Seconds(w.To-w.From))
	case account.CourseMiddle:
		return fmt.Sprintf("%s in its middle, item by item", report.Seconds(w.To-w.From))
	case account.CourseEnd:
		return fmt.Sprintf("its last %s, item by item", report.Seconds(w.To-w.From))
	}
	return "the whole run, item by item"
}
