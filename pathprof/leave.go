package pathprof

// This file finds out how activations can be left other than by returning: the program
// ends in a callee, longjmp takes control back to a function further out, an exception
// passes through. The paths under way end there, and the plan has them recorded.

import (
	"slices"
	"strings"

	"pathspan/build/probe"
	"pathspan/ir"
	"pathspan/ir/flow"
)

// departures says how the activations of a program can be left.
type departures struct {
	stacks  bool   // threads or contexts of the program have stacks of their own
	resumes bool   // calls of setjmp may return again
	catches bool   // some function catches exceptions that others let through
	leaves  []bool // by function: a call of it may end the program or jump out of it
}

func findDepartures(p *ir.Program, threads bool) *departures {
	d := &departures{stacks: threads || switchesContexts(p)}
	callers := make([][]int, len(p.Funcs))
	var ends []int // functions that call what ends the program
	var open []int // functions that call what may call back any function
	for i, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, c := range b.Calls() {
				d.resumes = d.resumes || c.ReturnsTwice && c.Name != "vfork"
				// The function that clang makes for noexcept ends the program.
				d.catches = d.catches || c.Name == "__cxa_begin_catch" && f.Name != "__clang_call_terminate"
				if c.Callee >= 0 {
					callers[c.Callee] = append(callers[c.Callee], i)
				}
				for _, g := range c.FuncArgs {
					callers[g] = append(callers[g], i)
				}
				if c.Callee < 0 && c.NoReturn && !throws(c.Name) || raises[c.Name] {
					ends = append(ends, i)
				}
				if callsBack(c) {
					open = append(open, i)
				}
			}
		}
	}
	if len(ends) > 0 && d.resumes {
		ends = append(ends, open...)
	}
	d.leaves = flow.Reached(len(p.Funcs), ends, func(f int, visit func(int)) {
		for _, c := range callers[f] {
			visit(c)
		}
	})
	return d
}

// leaving says where the activations of one function can be left.
type leaving struct {
	publish []int      // blocks inside whose calls control may leave for good, by a jump or the program's end
	lets    []throwing // calls that let exceptions through
	again   []int      // blocks whose last call may return a second time
	caught  bool       // control may come back by an exception
}

// throwing are the calls of a block through which an exception leaves the function.
type throwing struct {
	block int
	calls []int // as probe.Unwind tells them
}

func (d *departures) of(f *ir.Func) *leaving {
	l := &leaving{}
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			l.caught = l.caught || b.Instrs[i].Op == "landingpad"
		}
		if calls := d.lets(f, b); len(calls) > 0 {
			l.lets = append(l.lets, throwing{b.Index, calls})
		}
		if d.stacks {
			continue // records of several would lie among each other
		}
		if d.publishes(f, b) {
			l.publish = append(l.publish, b.Index)
		}
		if returnsTwice(b) {
			l.again = append(l.again, b.Index)
		}
	}
	return l
}

// returnsTwice reports whether the last call of the block, which nothing but a jump
// follows (probe.SplitReturnsTwice), may return a second time.
func returnsTwice(b *ir.Block) bool {
	if len(b.Succs) != 1 {
		return false
	}
	for _, c := range b.Calls() {
		if c.ReturnsTwice {
			return true
		}
	}
	return false
}

// publishes reports whether control may leave block b of function f inside one of its
// calls for good.
func (d *departures) publishes(f *ir.Func, b *ir.Block) bool {
	if b.Terminator().Op == "unreachable" {
		return false // with its last call the path ends
	}
	for _, c := range b.Calls() {
		if d.mayLeave(f, c) {
			return true
		}
	}
	return false
}

func (d *departures) mayLeave(f *ir.Func, c *ir.Call) bool {
	switch {
	case strings.HasPrefix(c.Name, "llvm."), c.ReturnsTwice:
		return false
	case c.Callee >= 0:
		return d.leaves[c.Callee] || f.Name == "main"
	case c.Indirect, raises[c.Name]:
		return true
	}
	return slices.ContainsFunc(c.FuncArgs, func(g int) bool { return d.leaves[g] }) || d.resumes && callsBack(c)
}

// callsThatEnd lists the calls in some blocks of a function in which the program may end.
func (d *departures) callsThatEnd(f *ir.Func, blocks []bool) []probe.InstrAt {
	some := slices.Contains(d.leaves, true)
	var out []probe.InstrAt
	for bi, b := range f.Blocks {
		if !blocks[bi] {
			continue
		}
		for i, c := range b.Calls() {
			switch {
			case c.Callee >= 0 && d.leaves[c.Callee], c.Callee < 0 && c.NoReturn && !throws(c.Name), raises[c.Name],
				c.Indirect && some, slices.ContainsFunc(c.FuncArgs, func(g int) bool { return d.leaves[g] }):
				out = append(out, probe.InstrAt{Block: bi, Instr: i})
			}
		}
	}
	return out
}

// CallsLeft lists, for the blocks of every function, the calls in whose callees control
// may stay behind while others of the block's calls would come after: a path that ends
// there must not tell of those. Calls are counted from 0, intrinsics left out. It is nil
// for a program that neither catches exceptions nor calls setjmp; what ends a program
// ends only once.
func CallsLeft(p *ir.Program, threads bool) [][][]int {
	d := findDepartures(p, threads)
	if !d.resumes && !d.catches {
		return nil
	}
	out := make([][][]int, len(p.Funcs))
	for i, f := range p.Funcs {
		out[i] = make([][]int, len(f.Blocks))
		for j, b := range f.Blocks {
			left, nth := d.lets(f, b), 0
			for _, c := range b.Calls() {
				if strings.HasPrefix(c.Name, "llvm.") {
					continue
				}
				if slices.Contains(left, nth) || d.resumes && d.mayLeave(f, c) {
					out[i][j] = append(out[i][j], nth)
				}
				nth++
			}
			if n := len(out[i][j]); n > 0 && out[i][j][n-1] == nth-1 {
				out[i][j] = out[i][j][:n-1]
			}
		}
	}
	return out
}

// lets lists the calls of a block through which an exception leaves the function.
func (d *departures) lets(f *ir.Func, b *ir.Block) []int {
	if !d.catches || f.NoUnwind {
		return nil
	}
	var calls []int
	nth := 0
	for i, c := range b.Calls() {
		if strings.HasPrefix(c.Name, "llvm.") {
			continue
		}
		if b.Instrs[i].Op == "call" && !c.NoUnwind && c.Name != "asm" {
			calls = append(calls, nth)
		}
		nth++
	}
	if n := len(calls); n > 0 && b.Terminator().Op == "unreachable" && calls[n-1] == nth-1 {
		calls = calls[:n-1] // the path ended before it
	}
	return calls
}

// switchesContexts reports whether the program switches between stacks.
func switchesContexts(p *ir.Program) bool {
	return refersTo(p, func(name string) bool { return name == "swapcontext" || name == "setcontext" })
}

// raises holds the library's functions that can end the program by a signal.
var raises = map[string]bool{"raise": true, "kill": true, "killpg": true, "pthread_kill": true, "sigqueue": true}

// throws tells the functions of C++'s library that leave by an exception, and only so.
func throws(name string) bool {
	return strings.HasPrefix(name, "__cxa_") || name == "_Unwind_Resume" ||
		strings.HasPrefix(name, "_ZSt") && strings.Contains(name, "__throw_")
}

// callsBack reports a call of a function outside the module that may call functions of
// the module that were made known to it before, such as a library that is told what to
// do on errors. The C and C++ libraries call what they are given, and nothing else;
// what this takes to be another library's costs a record around the call.
func callsBack(c *ir.Call) bool {
	if c.Callee >= 0 || c.Indirect || c.Name == "asm" || ofC[c.Name] {
		return false
	}
	for _, prefix := range []string{"llvm.", "__", "_ZNSt", "_ZNKSt", "_ZNSo", "_ZNSi", "_ZSt", "_Zn", "_Zd"} {
		if strings.HasPrefix(c.Name, prefix) {
			return false
		}
	}
	return true
}

// ofC holds functions of ISO C and POSIX that call no function of the program, by
// header: string.h, stdlib.h, stdio.h, ctype.h, math.h, time.h, unistd.h and others.
var ofC = set(`
memcpy memmove memset memcmp memchr mempcpy strlen strnlen strcpy strncpy stpcpy strcat strncat strcmp strncmp
strcasecmp strncasecmp strchr strrchr strstr strpbrk strspn strcspn strtok strtok_r strdup strndup strerror strcoll
malloc calloc realloc free aligned_alloc posix_memalign memalign atoi atol atoll atof strtol strtoul strtoll strtoull
strtod strtof strtold abs labs llabs rand srand rand_r random srandom drand48 getenv setenv unsetenv system mkstemp realpath
printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf dprintf asprintf vasprintf puts fputs putchar putc
fputc getchar getc fgetc fgets ungetc scanf fscanf sscanf vsscanf fopen fdopen freopen fclose fread fwrite fflush fseek
ftell fseeko ftello rewind feof ferror clearerr fileno perror remove rename tmpfile setvbuf setbuf getline getdelim popen pclose
isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper
sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt hypot floor ceil
round trunc fmod fabs fmin fmax ldexp frexp modf rint nearbyint lround lrint copysign sinf cosf tanf atan2f expf logf
powf sqrtf floorf ceilf roundf truncf fmodf fabsf fminf fmaxf ldexpl sqrtl powl floorl ceill
time clock difftime mktime gmtime gmtime_r localtime localtime_r strftime asctime ctime nanosleep clock_gettime gettimeofday
open openat close read write pread pwrite lseek stat fstat lstat access unlink mkdir rmdir chdir getcwd isatty dup dup2
pipe sleep usleep getpid getppid getuid geteuid fcntl ioctl select poll mmap munmap mprotect opendir readdir closedir
sigaction signal sigprocmask sigemptyset sigfillset sigaddset sigdelset alarm setlocale localeconv`)

func set(names string) map[string]bool {
	m := make(map[string]bool)
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}
