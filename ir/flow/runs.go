package flow

// Runs is where control went.
type Runs struct {
	// Edges is how often each block went to each of its successors, by function and block; nil of
	// functions that did not run. Of several edges between two blocks the first has them all.
	Edges [][][]uint64
	// Entries is how often each function was entered.
	Entries []uint64
	// Regular marks blocks that leave a loop which makes the same few iterations each time.
	Regular [][]bool
}
