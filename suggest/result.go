package suggest

// This file declares what is found.

// Answer is what would pay on a platform.
type Answer struct {
	SequentialSeconds float64 `json:"sequential_seconds"` // on the serial processor
	// PresentSeconds is the time with the regions that the program has: what suggestions are
	// measured on.
	PresentSeconds float64      `json:"present_seconds"`
	Suggestions    []Suggestion `json:"suggestions"`  // in the order in which they save most together
	Rejected       []Rejected   `json:"not_worth_it"` // those with most time first
	More           int          `json:"more"`         // suggestions behind those that were asked for
	Small          int          `json:"small"`        // prospects of less than a thousandth of the time
}

// Suggestion is something that would pay.
type Suggestion struct {
	Kind     Kind    `json:"kind"`
	Place    Place   `json:"place"`
	Share    float64 `json:"share"`    // part of the present time that lies in it
	Entries  float64 `json:"entries"`  // how often it is met in one execution of the program, outside of itself
	Trips    float64 `json:"trips"`    // of a loop: iterations of an entry; of tasks: calls in an outermost one; else 0
	Schedule string  `json:"schedule"` // of a loop; "" for OpenMP's static one
	Collapse int     `json:"collapse"` // loops, each in the one before, that are shared as one; 0 for one alone
	Pragma   string  `json:"pragma"`
	// Iteration is how long an iteration takes; null for what is no loop.
	Iteration *Iteration `json:"iteration"`
	// Dependences are what iterations leave to each other, and sections to those behind them; null
	// where that was not recorded, and of tasks.
	Dependences *Dependences `json:"dependences"`
	Parts       []Part       `json:"parts"` // of sections, in their order; of tasks, the calls
	// SavesSeconds is what the program saves with it alone, iterations taken to be alike;
	// AtLeastSeconds what it saves with iterations in their worst order, 0 where it may lose.
	SavesSeconds   float64 `json:"saves_seconds"`
	AtLeastSeconds float64 `json:"saves_at_least_seconds"`
	Bound          bool    `json:"bound"`            // what it saves is a bound: how long its longest chain is, nobody knows
	Speedup        float64 `json:"speedup"`          // with it alone, of the sequential program
	AddsSeconds    float64 `json:"adds_seconds"`     // what it saves behind those above it
	Together       float64 `json:"speedup_together"` // with those above it, of the sequential program
	// TogetherAtLeast is that with all iterations in their worst order, and without tasks.
	TogetherAtLeast float64 `json:"speedup_together_at_least"`
	// OverheadShare is the part of its parallel time that creating and synchronising takes.
	OverheadShare float64  `json:"overhead_share"`
	External      []string `json:"calls_outside"` // functions that it calls and that were not profiled
	Regions       []string `json:"regions"`       // of the program, inside of it, which would run on one processor
	Obstacles     []string `json:"in_the_way"`    // what keeps it from more, and what to check
	// Instead is what would pay if it cannot run in parallel, those that save most first.
	Instead []Instead `json:"instead"`
	Library bool      `json:"library"` // it stands in a header that is not the user's
	Plan    string    `json:"plan"`    // its entries in a plan; "" for what is in a library
}

// Instead is a suggestion in place of another.
type Instead struct {
	Kind         Kind    `json:"kind"`
	Place        Place   `json:"place"`
	SavesSeconds float64 `json:"saves_seconds"` // alone
}

// Iteration is how long iterations of a loop take.
type Iteration struct {
	Seconds   float64 `json:"seconds"`
	Largest   float64 `json:"largest"`   // what none takes longer than, in averages
	Deviation float64 `json:"deviation"` // standard deviation of what paths tell apart, in averages
	Known     bool    `json:"known"`     // paths tell the time of each; else only the largest bounds them
}

// Part is a section of a suggestion, or a call that would be a task.
type Part struct {
	Place   Place   `json:"place"`
	Seconds float64 `json:"seconds"` // of one execution
}

// Rejected is what would not pay.
type Rejected struct {
	Kind  Kind    `json:"kind"`
	Place Place   `json:"place"`
	Share float64 `json:"share"` // part of the present time that lies in it
	Trips float64 `json:"trips"` // of a loop: iterations of an entry
	Why   string  `json:"why"`
}
