package mapping

// This file declares the overheads that a platform has beside create and sync: by kind, as
// run-time libraries have them.

// Overhead is what something costs, in cycles of the processor that does it. Nobody knows a
// figure for all platforms, and the paper has none: what is not given is 0.
type Overhead struct {
	Cycles float64
	Given  bool
}

// Overheads are those beside Platform.Create and Platform.Sync.
type Overheads struct {
	Fork, Join Overhead // of a region that several processors execute, on the one that meets it
	Dispatch   Overhead // of each chunk that a thread takes from a loop that is not static
	Lock       Overhead // acquiring and releasing a lock that is free
	Atomic     Overhead // an atomic update of a line that another processor updated last
	Reduction  Overhead // combining what the threads of a team reduced, behind a construct
	Barrier    Overhead // of the threads of a region behind a construct that is not its last
	Task       Overhead // making a task that any processor of the team may execute
	Undeferred Overhead // of a task that its maker executes at once, as an if clause says
	Steal      Overhead // of a task that another processor has in its queue, on the one that takes it
	TeamOfOne  Overhead // of a region that one processor executes, unless it lies in one that several do
}

// OverheadKind is a kind of overhead as files and people name it.
type OverheadKind struct {
	Key, What string
	Of        func(o *Overheads) *Overhead
}

// OverheadKinds lists the kinds in the order in which they are shown.
var OverheadKinds = []OverheadKind{
	{Key: "fork", What: "forking a region, on the processor that meets it", Of: func(o *Overheads) *Overhead { return &o.Fork }},
	{Key: "join", What: "joining a region, on the processor that meets it", Of: func(o *Overheads) *Overhead { return &o.Join }},
	{Key: "dispatch", What: "taking a chunk of a loop that is not static", Of: func(o *Overheads) *Overhead { return &o.Dispatch }},
	{Key: "lock", What: "acquiring and releasing a free lock", Of: func(o *Overheads) *Overhead { return &o.Lock }},
	{Key: "atomic", What: "updating atomically what another processor updated last", Of: func(o *Overheads) *Overhead { return &o.Atomic }},
	{Key: "reduction", What: "combining what threads reduced", Of: func(o *Overheads) *Overhead { return &o.Reduction }},
	{Key: "barrier", What: "a barrier between constructs of a region", Of: func(o *Overheads) *Overhead { return &o.Barrier }},
	{Key: "task", What: "making a task", Of: func(o *Overheads) *Overhead { return &o.Task }},
	{Key: "undeferred", What: "making a task that is executed at once", Of: func(o *Overheads) *Overhead { return &o.Undeferred }},
	{Key: "steal", What: "taking a task that another processor made", Of: func(o *Overheads) *Overhead { return &o.Steal }},
	{Key: "team_of_one", What: "a region that one processor executes", Of: func(o *Overheads) *Overhead { return &o.TeamOfOne }},
}
