package account

// This file declares timelines: how the sections of a sections construct lie on the
// processors, row by row and on average.

// Timeline shows one sections construct, over all its executions outside of sections.
type Timeline struct {
	Region    int    `json:"region"`    // index into Program.Regions
	Construct int    `json:"construct"` // index into Region.Constructs
	Function  string `json:"function"`  // that holds it, as the source names it
	Name      string `json:"name"`      // of the region
	File      string `json:"file"`
	Line      int    `json:"line"`
	// Executions is how often it runs outside of all sections, per execution of the root.
	Executions float64 `json:"executions"`
	// Seconds is the mean time of an execution from fork to join.
	Seconds float64 `json:"seconds"`
	// Bars are the means over all executions, each row weighted by how often it runs. A
	// mean start or stop is not one of any execution: sections that never wait for each
	// other may seem to, and a processor's bars may leave gaps.
	Bars []Bar         `json:"bars"`
	Rows []TimelineRow `json:"rows"` // those with the most time first
	// OtherRows counts the rows that are not in Rows, OtherShare is their share of the
	// construct's time.
	OtherRows  int     `json:"other_rows"`
	OtherShare float64 `json:"other_share"`
}

// TimelineRow is one way in which a construct is executed.
type TimelineRow struct {
	Count float64 `json:"count"` // executions per execution of the root
	Share float64 `json:"share"` // of the construct's time
	// Text tells what each section takes on its processor, with all that is inside it.
	Text string `json:"text"`
	// Seconds is the time from fork to join, of one execution.
	Seconds float64 `json:"seconds"`
	// Bars are what the processors do, one thing at a time. In rows of more than a few
	// hundred bars, those shorter than a thousandth of the row belong to the one before.
	Bars []Bar `json:"bars"`
}

// Bar is a stretch of time on a processor. Bars of kind "section" are work of a section,
// with the loops and the called functions in it. "create" and "sync" are the overheads
// before and after, charged once for each processor that a construct uses. Constructs that
// are executed inside sections have bars of their own, where the row says exactly what is
// executed inside; where it says so on average they belong to the section's bar, with the
// wait for them.
type Bar struct {
	Kind      string  `json:"kind"`            // one of BarKinds
	Region    int     `json:"region"`          // that of the timeline, or one inside
	Construct int     `json:"construct"`       // index into Region.Constructs
	Section   int     `json:"section"`         // index into Construct.Sections; the first or last on the processor for overheads
	Name      string  `json:"name"`            // of the section, or of the lock; of the task of a stage
	Stage     int     `json:"stage,omitempty"` // of its pipeline, from 1, where the section's work is that of a stage
	File      string  `json:"file"`            // of the region, or of the stage
	Line      int     `json:"line"`            // of the section or stage, 0 when unknown
	Processor int     `json:"processor"`
	Start     float64 `json:"start"` // seconds from the fork
	Stop      float64 `json:"stop"`
}

// Kinds of bars.
const (
	BarSection = "section"
	BarCreate  = "create"
	BarSync    = "sync"
	// Those of the platform's other overheads.
	BarFork      = "fork"
	BarJoin      = "join"
	BarCombine   = "combine"
	BarDispatch  = "dispatch"
	BarTeamOfOne = "team-of-one"
	BarMake      = "make-task"
	BarSteal     = "take-task"
	BarFetch     = "fetch"   // data that another processor has
	BarContend   = "contend" // main memory that others keep busy
	// Taking and releasing a lock, and waiting for one; both are named after it.
	BarLock = "lock"
	BarWait = "wait"
)

// BarKinds lists the kinds, sections first.
var BarKinds = []string{BarSection, BarCreate, BarSync, BarFork, BarJoin, BarCombine, BarDispatch, BarTeamOfOne, BarMake, BarSteal, BarFetch, BarContend, BarLock, BarWait}
