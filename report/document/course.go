package document

// This file draws a pipeline over time as text.

import (
	"fmt"
	"strings"

	"pathspan/report"
)

// CourseWords say what the drawing of a pipeline over time shows.
func CourseWords(p report.PipelineEstimate) string {
	run := "One run of the loop"
	if p.Executions != 1 {
		run = "The run of the loop that takes the most time in all"
	}
	return fmt.Sprintf("%s, %s in %s: when stages work, and how many items lie in the buffer behind each, those that it is done with and the next stage not.", run, report.Count(p.Course.Items, "item"), report.Seconds(p.Course.Seconds))
}

// CourseText draws a pipeline over time, a row for each stage and one for the buffer behind it.
func CourseText(p report.PipelineEstimate) string {
	c := p.Course
	wide := len("buffer of 0")
	for i := range p.Stages {
		wide = max(wide, len(p.Stages[i].Name))
	}
	for _, l := range c.Levels {
		wide = max(wide, len(fmt.Sprint("buffer of ", l.Depth)))
	}
	var out strings.Builder
	for i := range p.Stages {
		fmt.Fprintf(&out, "%-*s |", wide, p.Stages[i].Name)
		width := float64(p.Stages[i].Width())
		for _, x := range drawn(c.Busy[i]) {
			switch share := x / width; {
			case share <= 0:
				out.WriteByte(' ')
			case share < 0.25:
				out.WriteByte('.')
			case share < 0.75:
				out.WriteByte('-')
			default:
				out.WriteByte('#')
			}
		}
		out.WriteString("|\n")
		if i < len(c.Levels) {
			fmt.Fprintf(&out, "%-*s |", wide, fmt.Sprint("buffer of ", c.Levels[i].Depth))
			for _, x := range drawn(c.Levels[i].Mean) {
				if n := int(x + 0.5); n < 10 {
					fmt.Fprint(&out, n)
				} else {
					out.WriteByte('+')
				}
			}
			out.WriteString("|\n")
		}
	}
	fmt.Fprintf(&out, "# works for most of the time, - for some, . for little; digits are items on average, + ten or more; a character is %s\n", report.Seconds(c.Seconds/ganttWidth))
	return out.String()
}

// drawn are the means of a row's characters.
func drawn(slots []float64) []float64 {
	out := make([]float64, ganttWidth)
	for i, x := range slots {
		out[i*ganttWidth/len(slots)] += x * ganttWidth / float64(len(slots))
	}
	return out
}
