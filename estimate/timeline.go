package estimate

// This file declares timelines: how the sections of a sections construct lie on the
// processors, path by path and on average.

// Timeline shows one sections construct in one place of the program, over all its
// executions. A construct that inlining or unrolling copied has a timeline for each copy.
type Timeline struct {
	Region    int    `json:"region"`    // index into Program.Regions
	Construct int    `json:"construct"` // index into Region.Constructs
	Function  string `json:"function"`  // that holds it, as the source names it
	Level     int    `json:"level"`     // of the function; its loop, or 0 for its body
	Name      string `json:"name"`      // of the region
	File      string `json:"file"`
	Line      int    `json:"line"`
	// Executions is how often it runs per execution of the root.
	Executions float64 `json:"executions"`
	// Seconds is the mean time of an execution from fork to join.
	Seconds float64 `json:"seconds"`
	// Bars are the means over all executions, each path weighted by how often it runs. A
	// mean start or stop is not one of any execution: sections that never wait for each
	// other may seem to, and a processor's bars may leave gaps.
	Bars  []Bar          `json:"bars"`
	Paths []TimelinePath `json:"paths"` // those with the most time first
	// OtherPaths counts the paths that are not in Paths, OtherShare is their share of the
	// construct's time.
	OtherPaths int     `json:"other_paths"`
	OtherShare float64 `json:"other_share"`
}

// TimelinePath is one path through a construct.
type TimelinePath struct {
	ID    uint64  `json:"id,string"`
	Level int     `json:"level"` // whose path it is: the construct's, or one around it whose paths run through the last traversal of the construct's loop
	Path  int     `json:"path"`  // index into the paths of the level's profile
	Count float64 `json:"count"` // executions of the construct on it, per execution of the root
	Share float64 `json:"share"` // of the construct's time
	Text  string  `json:"text"`  // blocks, in order; in a report source lines
	// Seconds is the time from fork to join, of one execution.
	Seconds float64 `json:"seconds"`
	Bars    []Bar   `json:"bars"`
}

// Bar is a stretch of time on a processor. Bars of kind "section" span the tasks of a
// section, with the loops and the called functions in it and, where it holds a nested
// region, the wait for that region. "create" and "sync" are the overheads before and
// after, charged once for each processor that the construct uses.
type Bar struct {
	Kind      string  `json:"kind"`    // section, create or sync
	Section   int     `json:"section"` // index into Construct.Sections
	Name      string  `json:"name"`    // of the section
	Line      int     `json:"line"`    // of the section, 0 when unknown
	Processor int     `json:"processor"`
	Start     float64 `json:"start"` // seconds from the fork
	Stop      float64 `json:"stop"`
}

// Kinds of bars.
const (
	BarSection = "section"
	BarCreate  = "create"
	BarSync    = "sync"
)
