package memory

// This file says which functions give memory to the program and take it back.

// Making is a function that makes objects.
type Making struct {
	Size  []int // arguments whose product is the size in bytes
	From  int   // argument that points to what is moved, -1 for none
	Into  int   // argument that points to where the result goes, -1: it is returned
	Takes int   // argument that points to what is freed, -1 for none
}

var (
	ofSize    = Making{[]int{0}, -1, -1, -1}
	ofAligned = Making{[]int{1}, -1, -1, -1}
	takes     = Making{nil, -1, -1, 0}
)

var heap = map[string]Making{
	"malloc": ofSize, "valloc": ofSize, "calloc": {[]int{0, 1}, -1, -1, -1}, "aligned_alloc": ofAligned, "memalign": ofAligned,
	"realloc": {[]int{1}, 0, -1, -1}, "reallocarray": {[]int{1, 2}, 0, -1, -1}, "posix_memalign": {[]int{2}, -1, 0, -1},
	"mmap": ofAligned, "mmap64": ofAligned,
	"_Znwm": ofSize, "_Znam": ofSize, "_ZnwmRKSt9nothrow_t": ofSize, "_ZnamRKSt9nothrow_t": ofSize,
	"_ZnwmSt11align_val_t": ofSize, "_ZnamSt11align_val_t": ofSize,
	"free": takes, "_ZdlPv": takes, "_ZdaPv": takes, "_ZdlPvm": takes, "_ZdaPvm": takes,
	"_ZdlPvSt11align_val_t": takes, "_ZdaPvSt11align_val_t": takes, "_ZdlPvmSt11align_val_t": takes,
}

// Makes returns what a function does to the heap.
func Makes(name string) (Making, bool) {
	m, ok := heap[name]
	return m, ok
}
