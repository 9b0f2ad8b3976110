package memory

// This file says what functions of the C library do to the program's memory.

import "strings"

// Size says how many bytes an effect is about.
type Size struct {
	Kind  SizeKind
	Arg   int // index of an argument, -1 for none
	Times int // of Bytes and Result: index of the argument that multiplies it; of others: of what bounds it; -1 for none
	Other int // of Common: the argument it is compared with; of Until: what is looked for; of Fixed: bytes; of Pointers: how many
	Unit  int // bytes of a character, 1 or 4
}

// SizeKind says where a size comes from. The run-time library has the same (library.c).
type SizeKind uint8

// The kinds of sizes.
const (
	Text     SizeKind = iota // the string that argument Arg points to, with its zero
	Common                   // as much of it as is like another, and what differs
	Folded                   // likewise, where letters are alike in either case
	Until                    // as much as there is up to a character, and that
	Bytes                    // argument Arg
	Result                   // what the call returns, where that is not negative
	Fixed                    // Other
	Pointers                 // Other times the size of a pointer
	List                     // a va_list
)

// Effect is an access of a function to what one of its arguments points to.
type Effect struct {
	Pointer int  // index of the argument
	Deref   bool // which points to the pointer
	End     bool // to the zero of the string there
	Writes  bool
	After   bool // it is known behind the call only
	Atomic  bool
	Size    Size
}

func reads(pointer int, s Size) Effect  { return Effect{Pointer: pointer, Size: s} }
func writes(pointer int, s Size) Effect { return Effect{Pointer: pointer, Writes: true, Size: s} }
func after(e Effect) Effect             { e.After = true; return e }
func atEnd(e Effect) Effect             { e.End = true; return e }
func deref(e Effect) Effect             { e.Deref = true; return e }
func bytesOf(arg int) Size              { return Size{Bytes, arg, -1, 0, 1} }
func product(arg, times int) Size       { return Size{Bytes, arg, times, 0, 1} }
func fixed(n int) Size                  { return Size{Fixed, -1, -1, n, 1} }
func pointers(n int) Size               { return Size{Pointers, -1, -1, n, 1} }
func list() Size                        { return Size{List, -1, -1, 0, 1} }
func result(times int) Size             { return Size{Result, -1, times, 0, 1} }
func stringAt(arg int) Size             { return Size{Text, arg, -1, 0, 1} }
func upTo(arg, most int) Size           { return Size{Text, arg, most, 0, 1} }
func common(arg, other, most int) Size  { return Size{Common, arg, most, other, 1} }
func folded(arg, other, most int) Size  { return Size{Folded, arg, most, other, 1} }
func until(arg, what, most int) Size    { return Size{Until, arg, most, what, 1} }

// state of so many bytes is what a generator of random numbers goes on from.
func state(pointer, bytes int) []Effect {
	return []Effect{reads(pointer, fixed(bytes)), writes(pointer, fixed(bytes))}
}

func wide(s Size) Size { s.Unit = 4; return s }

// strings of arguments that are read.
func text(args ...int) (out []Effect) {
	for _, a := range args {
		out = append(out, reads(a, stringAt(a)))
	}
	return out
}

var (
	copies    = []Effect{reads(1, bytesOf(2)), writes(0, bytesOf(2))}
	sets      = []Effect{writes(0, bytesOf(2))}
	strcpy    = []Effect{reads(1, stringAt(1)), writes(0, stringAt(1))}
	strncpy   = []Effect{reads(1, upTo(1, 2)), writes(0, bytesOf(2))}
	strcat    = []Effect{reads(0, stringAt(0)), reads(1, stringAt(1)), atEnd(writes(0, stringAt(1)))}
	strncat   = []Effect{reads(0, stringAt(0)), reads(1, upTo(1, 2)), atEnd(writes(0, upTo(1, 2)))}
	sprinted  = []Effect{after(writes(0, stringAt(0)))}
	snprinted = []Effect{after(writes(0, upTo(0, 1)))}
	compares  = []Effect{reads(0, bytesOf(2)), reads(1, bytesOf(2))}
	strtol    = []Effect{reads(0, stringAt(0))}
	reading   = []Effect{after(writes(1, result(-1)))}
	lines     = []Effect{after(deref(writes(0, stringAt(0))))}
	nothing   = []Effect{}
)

// library are the functions that pathspan knows. Those of LLVM are told by what their names
// begin with. Nothing is done by those that let the program point to what is the library's own.
var library = map[string][]Effect{
	"memcpy": copies, "memmove": copies, "mempcpy": copies, "__memcpy_chk": copies, "__memmove_chk": copies, "__mempcpy_chk": copies,
	"memccpy": {reads(1, until(1, 2, 3)), writes(0, until(1, 2, 3))}, "bcopy": {reads(0, bytesOf(2)), writes(1, bytesOf(2))},
	"memset": sets, "__memset_chk": sets, "bzero": {writes(0, bytesOf(1))}, "explicit_bzero": {writes(0, bytesOf(1))},
	"memcmp": compares, "bcmp": compares, "memchr": {reads(0, until(0, 1, 2))}, "memrchr": {reads(0, bytesOf(2))}, "rawmemchr": {reads(0, until(0, 1, -1))},
	"memmem": {reads(0, bytesOf(1)), reads(2, bytesOf(3))},
	"strlen": text(0), "strnlen": {reads(0, upTo(0, 1))}, "strdup": text(0), "strndup": {reads(0, upTo(0, 1))},
	"strcpy": strcpy, "stpcpy": strcpy, "__strcpy_chk": strcpy, "__stpcpy_chk": strcpy,
	"strncpy": strncpy, "stpncpy": strncpy, "__strncpy_chk": strncpy, "__stpncpy_chk": strncpy,
	"strcat": strcat, "__strcat_chk": strcat, "strncat": strncat, "__strncat_chk": strncat,
	"strcmp": {reads(0, common(0, 1, -1)), reads(1, common(0, 1, -1))}, "strncmp": {reads(0, common(0, 1, 2)), reads(1, common(0, 1, 2))},
	"strcasecmp": {reads(0, folded(0, 1, -1)), reads(1, folded(0, 1, -1))}, "strncasecmp": {reads(0, folded(0, 1, 2)), reads(1, folded(0, 1, 2))},
	"strcoll": text(0, 1), "strchr": {reads(0, until(0, 1, -1))}, "strchrnul": {reads(0, until(0, 1, -1))}, "index": {reads(0, until(0, 1, -1))},
	"strrchr": text(0), "rindex": text(0), "strstr": text(0, 1), "strcasestr": text(0, 1),
	"strspn": text(0, 1), "strcspn": text(0, 1), "strpbrk": text(0, 1),
	"strtol": strtol, "strtoll": strtol, "strtoul": strtol, "strtoull": strtol, "strtod": strtol, "strtof": strtol, "strtold": strtol,
	"__isoc23_strtol": strtol, "__isoc23_strtoll": strtol, "__isoc23_strtoul": strtol, "__isoc23_strtoull": strtol,
	"atoi": strtol, "atol": strtol, "atoll": strtol, "atof": strtol,

	"wcslen": {reads(0, wide(stringAt(0)))}, "wcscpy": {reads(1, wide(stringAt(1))), writes(0, wide(stringAt(1)))},
	"wcscmp":  {reads(0, wide(common(0, 1, -1))), reads(1, wide(common(0, 1, -1)))},
	"wcsncmp": {reads(0, wide(common(0, 1, 2))), reads(1, wide(common(0, 1, 2)))},
	"wcschr":  {reads(0, wide(until(0, 1, -1)))}, "wcscat": {reads(0, wide(stringAt(0))), reads(1, wide(stringAt(1))), atEnd(writes(0, wide(stringAt(1))))},
	"wmemcpy": {reads(1, wide(bytesOf(2))), writes(0, wide(bytesOf(2)))}, "wmemmove": {reads(1, wide(bytesOf(2))), writes(0, wide(bytesOf(2)))},
	"wmemset": {writes(0, wide(bytesOf(2)))}, "wmemcmp": {reads(0, wide(bytesOf(2))), reads(1, wide(bytesOf(2)))},
	"mbstowcs": {reads(1, stringAt(1))}, "wcstombs": {reads(1, wide(stringAt(1)))},

	"fread": {after(writes(0, result(1)))}, "fread_unlocked": {after(writes(0, result(1)))}, "__fread_chk": {after(writes(0, result(2)))},
	"fwrite": {reads(0, product(1, 2))}, "fwrite_unlocked": {reads(0, product(1, 2))},
	"read": reading, "pread": reading, "pread64": reading, "recv": reading, "__read_chk": reading,
	"write": {reads(1, bytesOf(2))}, "pwrite": {reads(1, bytesOf(2))}, "pwrite64": {reads(1, bytesOf(2))}, "send": {reads(1, bytesOf(2))},
	"fgets": lineInto, "fgets_unlocked": lineInto, "__fgets_chk": lineInto, "gets": lineInto,
	"getline": lines, "getdelim": lines, "__getdelim": lines,
	"puts": text(0), "fputs": text(0), "fputs_unlocked": text(0), "perror": text(0),
	"sprintf": sprinted, "vsprintf": sprinted, "__sprintf_chk": sprinted, "__vsprintf_chk": sprinted,
	"snprintf": snprinted, "vsnprintf": snprinted, "__snprintf_chk": snprinted, "__vsnprintf_chk": snprinted,
	"printf": nothing, "fprintf": nothing, "dprintf": nothing, "__printf_chk": nothing, "__fprintf_chk": nothing, "__dprintf_chk": nothing,
	"scanf": nothing, "fscanf": nothing, "sscanf": text(0), "__isoc99_scanf": nothing, "__isoc99_fscanf": nothing, "__isoc99_sscanf": text(0),
	"__isoc23_scanf": nothing, "__isoc23_fscanf": nothing, "__isoc23_sscanf": text(0),

	"qsort": {reads(0, product(1, 2)), after(writes(0, product(1, 2)))}, "bsearch": nothing,
	"fopen": text(0, 1), "fopen64": text(0, 1), "freopen": text(0, 1), "fdopen": text(1), "open": text(0), "open64": text(0), "creat": text(0), "access": text(0),
	"remove": text(0), "unlink": text(0), "rename": text(0, 1), "mkdir": text(0), "getenv": text(0), "setenv": text(0, 1), "putenv": text(0), "system": text(0),
	"fclose": nothing, "fflush": nothing, "feof": nothing, "ferror": nothing, "fseek": nothing, "fseeko": nothing, "ftell": nothing, "ftello": nothing,
	"rewind": nothing, "fgetc": nothing, "getc": nothing, "ungetc": nothing, "fputc": nothing, "putc": nothing, "_IO_getc": nothing, "_IO_putc": nothing,
	"fileno": nothing, "setvbuf": nothing, "setbuf": nothing, "clearerr": nothing, "flockfile": nothing, "funlockfile": nothing, "getc_unlocked": nothing, "putc_unlocked": nothing,
	"__uflow": nothing, "__overflow": nothing, "madvise": nothing, "mprotect": nothing, "malloc_usable_size": nothing,
	"time": into(0, pointers(1)), "gettimeofday": into(0, pointers(2)), "clock_gettime": into(1, pointers(2)),
	"rand_r": state(0, 4), "erand48": state(0, 6), "nrand48": state(0, 6), "jrand48": state(0, 6),
	"gmtime_r": {reads(0, pointers(1)), after(writes(1, fixed(56)))}, "localtime_r": {reads(0, pointers(1)), after(writes(1, fixed(56)))}, "nanosleep": {reads(0, pointers(2))},
	"frexp": into(1, fixed(4)), "modf": into(1, fixed(8)), "frexpf": into(1, fixed(4)), "modff": into(1, fixed(4)),
	"sincos": {after(writes(1, fixed(8))), after(writes(2, fixed(8)))}, "sincosf": {after(writes(1, fixed(4))), after(writes(2, fixed(4)))},
	"longjmp": nothing, "siglongjmp": nothing, "_setjmp": nothing, "setjmp": nothing, "__sigsetjmp": nothing, "__longjmp_chk": nothing,
	"atexit": nothing, "signal": nothing, "__cxa_atexit": nothing, "__assert_fail": nothing, "abort": nothing,
	"__cxa_begin_catch": nothing, "__cxa_end_catch": nothing, "__cxa_throw": nothing, "__cxa_free_exception": nothing, "_Unwind_Resume": nothing,
	"__cxa_guard_acquire": nothing, "__cxa_guard_release": nothing, "__clang_call_terminate": nothing, "__errno_location": nothing,

	"__atomic_load": {atomically(reads(1, bytesOf(0))), writes(2, bytesOf(0))}, "__atomic_store": {reads(2, bytesOf(0)), atomically(writes(1, bytesOf(0)))},
	"__atomic_exchange":         {atomically(reads(1, bytesOf(0))), reads(2, bytesOf(0)), atomically(writes(1, bytesOf(0))), writes(3, bytesOf(0))},
	"__atomic_compare_exchange": {atomically(reads(1, bytesOf(0))), reads(2, bytesOf(0)), reads(3, bytesOf(0)), atomically(writes(1, bytesOf(0))), writes(2, bytesOf(0))},
}

// lineInto is what is read into a buffer, where there is something to read.
var lineInto = []Effect{after(writes(0, stringAt(0)))}

func into(arg int, s Size) []Effect { return []Effect{after(writes(arg, s))} }

func atomically(e Effect) Effect { e.Atomic = true; return e }

// Format is a function that reads or writes what a format says.
type Format struct {
	Arg, First int  // arguments: the format, and the first that it is about
	Scans      bool // writes where they point to, rather than reads strings
}

var formats = map[string]Format{
	"printf": {0, 1, false}, "fprintf": {1, 2, false}, "dprintf": {1, 2, false}, "sprintf": {1, 2, false}, "snprintf": {2, 3, false},
	"__printf_chk": {1, 2, false}, "__fprintf_chk": {2, 3, false}, "__dprintf_chk": {2, 3, false}, "__sprintf_chk": {3, 4, false}, "__snprintf_chk": {4, 5, false},
	"scanf": {0, 1, true}, "fscanf": {1, 2, true}, "sscanf": {1, 2, true}, "__isoc99_scanf": {0, 1, true}, "__isoc99_fscanf": {1, 2, true}, "__isoc99_sscanf": {1, 2, true},
	"__isoc23_scanf": {0, 1, true}, "__isoc23_fscanf": {1, 2, true}, "__isoc23_sscanf": {1, 2, true},
}

// FormatOf returns how a function takes a format.
func FormatOf(name string) (Format, bool) {
	f, ok := formats[name]
	return f, ok
}

// prefixes are functions of LLVM, whose types are in their names, and of OpenMP, which touch
// nothing but their library's memory.
var prefixes = []struct {
	prefix  string
	effects []Effect
}{
	{"llvm.memcpy.", copies}, {"llvm.memmove.", copies}, {"llvm.memset.", sets},
	{"llvm.va_start", into(0, list())}, {"llvm.va_copy", []Effect{reads(1, list()), writes(0, list())}},
	{"llvm.", nothing}, {"__kmpc_", nothing}, {"omp_", nothing}, {"__pathspan_", nothing},
}

// Effects returns what a function does to memory, and whether that is known.
func Effects(name string) ([]Effect, bool) {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p.prefix) {
			return p.effects, true
		}
	}
	e, ok := library[name]
	return e, ok
}
