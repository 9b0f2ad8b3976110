package fifo

// This file describes a network. Read makes one of a file, and checks what is said here.

// Network is modules and the FIFOs between them. Each FIFO has one module that writes it and one
// that reads it. What a program makes up is checked by reading what YAML writes of it.
type Network struct {
	Modules []Module
	FIFOs   []FIFO
}

// FIFO is a queue.
type FIFO struct {
	Name           string
	Depth          int64 // tokens that it holds at most
	Width          int64 // bits of a token
	Initial        int64 // tokens that it holds before the first cycle
	Writer, Reader int   // modules
}

// Module is a pipelined loop that is entered Runs times.
type Module struct {
	Name       string
	Iterations int64 // of each run
	Runs       int64
	Pause      int64 // cycles before each run
	II         int64 // cycles from the start of an iteration to that of the next
	Latency    int64 // cycles of an iteration
	// Flush says what happens to an iteration that is about to start and finds nothing in a FIFO
	// that it reads in its first cycle: earlier iterations go on, and it tries again II cycles
	// later. Else the whole module waits.
	Flush         bool
	Reads, Writes []Access
}

// Access reads or writes tokens of a FIFO in a cycle of each iteration, those for which When,
// from its begin over and over, says so; of all where it is empty.
type Access struct {
	FIFO   int
	At     int64 // cycle, 0 for the first of an iteration
	Tokens int64 // all in the same cycle
	When   []bool
}

func (a *Access) in(iteration int64) bool {
	return len(a.When) == 0 || a.When[iteration%int64(len(a.When))]
}

// moved is how many tokens an access moves in so many iterations.
func (a *Access) moved(iterations int64) int64 {
	if len(a.When) == 0 {
		return iterations * a.Tokens
	}
	var n, rest int64
	for i, is := range a.When {
		if is {
			n++
			if int64(i) < iterations%int64(len(a.When)) {
				rest++
			}
		}
	}
	return (iterations/int64(len(a.When))*n + rest) * a.Tokens
}

// Total is how many iterations all runs have together.
func (m *Module) Total() int64 { return m.Iterations * m.Runs }

// Alone is how many cycles a module takes that never stalls: of each run a pause, and
// II*(iterations-1)+latency (equation 3.5).
func (m *Module) Alone() int64 {
	return m.Runs * (m.Pause + m.II*(m.Iterations-1) + m.Latency)
}
