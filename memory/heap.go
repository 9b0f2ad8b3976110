package memory

// This file says which functions give memory to the program and take it back.

import "strings"

// Making is a function that makes objects.
type Making struct {
	Size  []int // arguments whose product is the size in bytes; none where it takes some back alone
	From  int   // argument that points to what is moved, -1 for none
	Into  int   // argument that points to where the result goes, -1: it is returned
	Takes int   // argument that points to what is freed, -1 for none
	Part  int   // argument that says how much of it, -1: all
	Text  bool  // what it makes is the string that it returns
}

var (
	ofSize    = Making{[]int{0}, -1, -1, -1, -1, false}
	ofAligned = Making{[]int{1}, -1, -1, -1, -1, false}
	ofText    = Making{nil, -1, -1, -1, -1, true}
	takes     = Making{nil, -1, -1, 0, -1, false}
)

var heap = map[string]Making{
	"malloc": ofSize, "valloc": ofSize, "calloc": {[]int{0, 1}, -1, -1, -1, -1, false}, "aligned_alloc": ofAligned, "memalign": ofAligned,
	"realloc": {[]int{1}, 0, -1, -1, -1, false}, "reallocarray": {[]int{1, 2}, 0, -1, -1, -1, false}, "posix_memalign": {[]int{2}, -1, 0, -1, -1, false},
	"mmap": ofAligned, "mmap64": ofAligned, "munmap": {nil, -1, -1, 0, 1, false}, "strdup": ofText, "strndup": ofText,
	"__kmpc_alloc": ofAligned, "__kmpc_free": {nil, -1, -1, 1, -1, false},
	"_Znwm": ofSize, "_Znam": ofSize, "_ZnwmRKSt9nothrow_t": ofSize, "_ZnamRKSt9nothrow_t": ofSize,
	"_ZnwmSt11align_val_t": ofSize, "_ZnamSt11align_val_t": ofSize, "_ZnwmSt11align_val_tRKSt9nothrow_t": ofSize, "_ZnamSt11align_val_tRKSt9nothrow_t": ofSize,
	"free": takes, "cfree": takes, "_ZdlPv": takes, "_ZdaPv": takes, "_ZdlPvm": takes, "_ZdaPvm": takes, "_ZdlPvRKSt9nothrow_t": takes, "_ZdaPvRKSt9nothrow_t": takes,
	"_ZdlPvSt11align_val_t": takes, "_ZdaPvSt11align_val_t": takes, "_ZdlPvmSt11align_val_t": takes, "_ZdaPvmSt11align_val_t": takes,
	"__cxa_allocate_exception": ofSize,
}

// Makes returns what a function does to the heap. C++ names what it passes, and a size is unsigned long (m) where addresses have
// 64 bits, unsigned int (j) where they have 32.
func Makes(name string) (Making, bool) {
	for _, of := range []string{"_Znw", "_Zna", "_ZdlPv", "_ZdaPv"} {
		if rest, ok := strings.CutPrefix(name, of+"j"); ok {
			name = of + "m" + rest
		}
	}
	m, ok := heap[name]
	return m, ok
}
