package account

// This file draws a run of a pipeline's loop over time: when stages work, and how many items lie in the buffers.

import (
	"cmp"
	"math"
	"slices"

	"pathspan/estimate"
	"pathspan/mapping"
)

// Course is a run of a pipeline's loop over time: of those that differ the one that takes the most time in all. However many
// items there are, it has as many slots; what single items do is in windows of it.
type Course struct {
	Pipeline string  `json:"pipeline"`
	Seconds  float64 `json:"seconds"` // from when the first stage begins to when the last ends
	Items    int     `json:"items"`   // that the first stage takes
	// Busy is, by stage and slot, how many executions are under way on average. Slots are equal parts of the run.
	Busy    [][]float64    `json:"busy"`
	Levels  []LevelCourse  `json:"levels"` // by buffer
	Windows []CourseWindow `json:"windows"`
}

// LevelCourse is how many items lie in a buffer, slot by slot.
type LevelCourse struct {
	Depth int       `json:"depth"`
	Least []int     `json:"least"`
	Mean  []float64 `json:"mean"`
	Most  []int     `json:"most"`
}

// CourseWindow is a part of a run, item by item: the whole of a short one, and the begin, the middle and the end of a long one.
type CourseWindow struct {
	Part       string        `json:"part"` // one of CourseParts
	From       float64       `json:"from"` // seconds from when the run begins
	To         float64       `json:"to"`
	Executions []CourseItem  `json:"executions"` // that are under way in it, in the order in which they end
	Levels     [][]LevelStep `json:"levels"`     // by buffer, the first at From
}

// CourseItem is an execution of a stage.
type CourseItem struct {
	Stage     int     `json:"stage"`
	Item      int     `json:"item"`      // from 1, in the order in which the stage began them
	Processor int     `json:"processor"` // of the platform
	Start     float64 `json:"start"`     // seconds from when the run begins
	Stop      float64 `json:"stop"`
}

// LevelStep is how many items lie in a buffer from a time on.
type LevelStep struct {
	At    float64 `json:"at"`
	Items int     `json:"items"`
}

// Parts of a run that windows show.
const (
	CourseWhole  = "whole"
	CourseBegin  = "begin"
	CourseMiddle = "middle"
	CourseEnd    = "end"
)

// CourseParts lists the parts.
var CourseParts = []string{CourseWhole, CourseBegin, CourseMiddle, CourseEnd}

// How many slots a course has, and of how many executions a window is about.
const (
	courseSlots  = 120
	courseWindow = 120
)

// Courses plays the pipelines of the program as executions tell, those that ran.
func Courses(e *estimate.Estimator, m *mapping.Resolved) ([]Course, error) {
	runs, err := PipelineRuns(e, m)
	var out []Course
	for i := range runs {
		out = append(out, runs[i].course())
	}
	return out, err
}

func (r *PipelineRun) course() Course {
	c := Course{Pipeline: r.Name, Seconds: r.Seconds, Busy: make([][]float64, len(r.Stages))}
	for k := range c.Busy {
		c.Busy[k] = make([]float64, courseSlots)
	}
	for i := range r.Items {
		x := &r.Items[i]
		if x.Stage == 0 {
			c.Items++
		}
		r.slots(x.Start, x.End, func(slot int, share float64) { c.Busy[x.Stage][slot] += share })
	}
	steps := make([][]LevelStep, len(r.Depths))
	for k, depth := range r.Depths {
		steps[k] = r.levels(k)
		c.Levels = append(c.Levels, r.levelCourse(depth, steps[k]))
	}
	for _, of := range c.Busy {
		rounded(of)
	}
	numbers := r.numbers()
	if len(r.Items) <= courseWindow {
		c.Windows = []CourseWindow{r.window(CourseWhole, 0, r.Seconds, numbers, steps)}
		return c
	}
	wide := r.Seconds * courseWindow / float64(len(r.Items))
	c.Windows = []CourseWindow{
		r.window(CourseBegin, 0, wide, numbers, steps),
		r.window(CourseMiddle, (r.Seconds-wide)/2, (r.Seconds+wide)/2, numbers, steps),
		r.window(CourseEnd, r.Seconds-wide, r.Seconds, numbers, steps),
	}
	return c
}

// slots visits the slots that a stretch of time lies in, with the share of each that it takes.
func (r *PipelineRun) slots(from, to float64, visit func(slot int, share float64)) {
	if r.Seconds <= 0 {
		return
	}
	from, to = from/r.Seconds*courseSlots, to/r.Seconds*courseSlots
	for s := int(from); s < courseSlots && float64(s) < to; s++ {
		visit(s, max(0, min(to, float64(s+1))-max(from, float64(s))))
	}
}

// levels are the steps of a buffer: up where the stage before is done with an item, down where the one behind is.
func (r *PipelineRun) levels(buffer int) []LevelStep {
	out := []LevelStep{{}}
	for _, x := range r.Items {
		by := 0
		switch x.Stage {
		case buffer:
			by = 1
		case buffer + 1:
			by = -1
		default:
			continue
		}
		last := &out[len(out)-1]
		if last.At == x.End {
			last.Items += by
			continue
		}
		out = append(out, LevelStep{x.End, last.Items + by})
	}
	return out
}

func (r *PipelineRun) levelCourse(depth int, steps []LevelStep) LevelCourse {
	c := LevelCourse{Depth: depth, Least: make([]int, courseSlots), Mean: make([]float64, courseSlots), Most: make([]int, courseSlots)}
	seen := make([]bool, courseSlots)
	for i, s := range steps {
		until := r.Seconds
		if i+1 < len(steps) {
			until = steps[i+1].At
		}
		r.slots(s.At, until, func(slot int, share float64) {
			c.Mean[slot] += share * float64(s.Items)
			if !seen[slot] {
				c.Least[slot], c.Most[slot], seen[slot] = s.Items, s.Items, true
			}
			c.Least[slot], c.Most[slot] = min(c.Least[slot], s.Items), max(c.Most[slot], s.Items)
		})
	}
	rounded(c.Mean)
	return c
}

func (r *PipelineRun) window(part string, from, to float64, numbers []int, steps [][]LevelStep) CourseWindow {
	w := CourseWindow{Part: part, From: from, To: to, Executions: []CourseItem{}}
	for i, n := range numbers {
		if x := &r.Items[i]; x.End > from && x.Start < to {
			w.Executions = append(w.Executions, CourseItem{x.Stage, n, x.Processor, x.Start, x.End})
		}
	}
	for _, all := range steps {
		here := []LevelStep{{At: from}}
		for _, s := range all {
			if s.At <= from {
				here[0].Items = s.Items
			} else if s.At <= to {
				here = append(here, s)
			}
		}
		w.Levels = append(w.Levels, here)
	}
	return w
}

// numbers counts the executions of each stage in the order in which they begin, from 1.
func (r *PipelineRun) numbers() []int {
	order, number, count := make([]int, len(r.Items)), make([]int, len(r.Items)), make([]int, len(r.Stages))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Items[a].Start, r.Items[b].Start) })
	for _, i := range order {
		stage := r.Items[i].Stage
		count[stage]++
		number[i] = count[stage]
	}
	return number
}

// rounded leaves as many digits as a drawing shows.
func rounded(of []float64) {
	for i := range of {
		of[i] = math.Round(of[i]*1e4) / 1e4
	}
}
