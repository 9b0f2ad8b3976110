package cc

// This file reads a compiler's command line.

import (
	"path/filepath"
	"strings"
)

// Action is what a command line asks for.
type Action int

const (
	// PassOn leaves the command line to clang.
	PassOn Action = iota
	// Compile makes an object of each source (-c).
	Compile
	// Link makes a program or a shared object, of sources as well.
	Link
)

// itemKind tells the parts of a command line apart.
type itemKind int

const (
	flagItem   itemKind = iota // an option with its value
	inputItem                  // a file
	libItem                    // -l
	linkerItem                 // one word for the linker, of -Wl, or -Xlinker
)

// item is one part of a command line.
type item struct {
	kind  itemKind
	words []string // as they were given; of -Wl,a,b: -Xlinker and the word
	given []string // of a linker's word: what stands on the command line; nil after the first of -Wl,a,b
	name  string   // of an option
	value string   // of an option; the path of an input; the linker's word
	lang  string   // of an input: c, c++, ... as -x names it, or "" for the linker's
	typed bool     // the input's language was set by -x
}

// Command is a command line that has been read.
type Command struct {
	Action Action
	items  []item

	output     string // of -o, "" without
	level      string // of the last -O: 0, 1, 2, 3, s or z; "" without
	lto        bool   // link-time optimisation is asked for
	refused    string // the flag that does not go together with profiling, or ""
	openmp     bool   // false where -fno-openmp came last
	shared     bool
	static     bool
	asked      bool // -E, -M and the like: no object is wanted
	depend     bool // -MD or -MMD
	dependFile string
	target     bool // -MT or -MQ was given
}

// ParseCommand reads the arguments of clang, or with cxx of clang++. It knows the
// options that decide what is made of what; all others are clang's.
func ParseCommand(args []string, cxx bool) (*Command, error) {
	args, err := expand(args)
	if err != nil {
		return nil, err
	}
	c := &Command{openmp: true}
	lang, onlyFiles, compile := "", false, false
	for i := 0; i < len(args); i++ {
		a := args[i]
		if onlyFiles || len(a) < 2 || a[0] != '-' {
			c.add(item{kind: inputItem, words: []string{a}, value: a, lang: languageOf(a, lang, cxx), typed: lang != ""})
			continue
		}
		if a == "--" {
			onlyFiles = true
			continue
		}
		name, value, next := valueOf(a)
		it := item{words: args[i : i+1], name: name, value: value}
		if next && i+1 < len(args) {
			i++
			it.words, it.value = args[i-1:i+1], args[i]
		}
		switch {
		case name == "-x" || name == "--language":
			lang = it.value
			if lang == "none" {
				lang = ""
			}
		case a == "-c" || a == "--compile":
			compile = true
		case strings.HasPrefix(a, "-Wl,"):
			for k, w := range strings.Split(a[4:], ",") {
				word := linkerWord(w)
				if k == 0 {
					word.given = it.words
				}
				c.add(word)
			}
			continue
		case name == "-Xlinker":
			given := it.words
			it = linkerWord(it.value)
			it.given = given
		case name == "-l":
			it.kind = libItem
		}
		c.note(it)
		c.add(it)
	}
	c.decide(compile)
	return c, nil
}

func (c *Command) add(it item) { c.items = append(c.items, it) }

func linkerWord(w string) item {
	return item{kind: linkerItem, words: []string{"-Xlinker", w}, value: w}
}

// note remembers what an option says.
func (c *Command) note(it item) {
	word := it.words[0]
	switch {
	case it.name == "-o" || it.name == "--output":
		c.output = it.value
	case strings.HasPrefix(word, "--output="):
		c.output = word[9:]
	case infoOnly[word] || hasPrefix(word, "-print-", "--print-", "--autocomplete=", "-emit-"):
		c.asked = true
	case hasPrefix(word, "-O"):
		c.level = levelOf(word[2:])
	case word == "-flto" || hasPrefix(word, "-flto=", "-fthinlto"):
		c.lto = true
	case word == "-fno-lto":
		c.lto = false
	case word == "-fopenmp" || hasPrefix(word, "-fopenmp="):
		c.openmp = true
	case word == "-fno-openmp":
		c.openmp = false
	case word == "-shared":
		c.shared = true
	case word == "-static" || word == "--static" || word == "-static-pie":
		c.static = true
	case word == "-r" || word == "--relocatable":
		c.asked = true // the linker keeps the objects' sections side by side
	case word == "-MD" || word == "-MMD":
		c.depend = true
	case it.name == "-MF":
		c.dependFile = it.value
	case it.name == "-MT" || it.name == "-MQ":
		c.target = true
	case hasPrefix(word, "-Wp,-MD,", "-Wp,-MMD,"):
		c.depend = true
		c.dependFile, _, _ = strings.Cut(word[strings.IndexByte(word[4:], ',')+5:], ",")
		c.target = c.target || strings.Contains(word, ",-MT") || strings.Contains(word, ",-MQ")
	case hasPrefix(word, "-fsanitize=") || word == "-fprofile-generate" || hasPrefix(word, "-fprofile-generate=") ||
		hasPrefix(word, "-fprofile-instr-generate", "-fprofile-sample-generate") || word == "--coverage" || word == "-coverage" || word == "-fprofile-arcs" ||
		word == "-fcs-profile-generate" || word == "-fxray-instrument" || word == "-m32" || word == "-mx32":
		c.refused = word
	case hasPrefix(word, "-fno-sanitize=all"):
		c.refused = ""
	}
}

// decide says what the command line asks for.
func (c *Command) decide(compile bool) {
	files := 0
	for _, it := range c.items {
		switch {
		case it.kind == libItem, it.kind == inputItem:
			files++
		case it.kind == linkerItem && (it.value == "-r" || it.value == "--relocatable"):
			c.asked = true
		}
	}
	switch {
	case c.asked || files == 0:
		c.Action = PassOn
	case !compile:
		c.Action = Link
	case c.sources() > 0:
		c.Action = Compile
	}
	for _, it := range c.items {
		if it.kind == inputItem && hasSuffix(it.lang, "-header") {
			c.Action = PassOn // a precompiled header
		}
	}
}

// flags are the words of clang's options.
func (c *Command) flags() []string {
	var out []string
	for _, it := range c.items {
		if it.kind == flagItem {
			out = append(out, it.words...)
		}
	}
	return out
}

// sources counts the inputs that are compiled.
func (c *Command) sources() int {
	n := 0
	for _, it := range c.items {
		if it.kind == inputItem && it.lang != "" {
			n++
		}
	}
	return n
}

// levelOf gives the level of opt that an -O stands for, as clang understands it.
func levelOf(o string) string {
	switch o {
	case "0", "1", "2", "3", "s", "z":
		return o
	case "", "g":
		return "1"
	}
	return "3" // -Ofast, and -O4 and above
}

// languages gives clang's language of a file by its extension. What is not here is
// the linker's.
var languages = map[string]string{
	".c": "c", ".i": "cpp-output", ".h": "c-header", ".ll": "ir", ".bc": "ir", ".s": "assembler",
	".S": "assembler-with-cpp", ".sx": "assembler-with-cpp", ".asm": "assembler-with-cpp",
	".cc": "c++", ".cp": "c++", ".cpp": "c++", ".cxx": "c++", ".c++": "c++", ".C": "c++", ".CC": "c++", ".CPP": "c++",
	".ii": "c++-cpp-output", ".hh": "c++-header", ".hpp": "c++-header", ".hxx": "c++-header", ".H": "c++-header",
	".m": "objective-c", ".mi": "objective-c-cpp-output", ".mm": "objective-c++", ".M": "objective-c++",
	".mii": "objective-c++-cpp-output", ".cu": "cuda", ".hip": "hip", ".cl": "cl", ".cppm": "c++-module",
	".f": "f95", ".F": "f95-cpp-input", ".f90": "f95", ".F90": "f95-cpp-input",
}

func languageOf(path, typed string, cxx bool) string {
	if typed != "" {
		return typed
	}
	if path == "-" {
		return "c"
	}
	lang := languages[filepath.Ext(path)]
	if cxx {
		switch lang { // clang++ takes C for C++
		case "c":
			return "c++"
		case "c-header":
			return "c++-header"
		case "cpp-output":
			return "c++-cpp-output"
		}
	}
	return lang
}

// carriesIR reports whether sources of a language become modules.
func carriesIR(lang string) bool {
	switch lang {
	case "c", "c++", "cpp-output", "c++-cpp-output", "ir":
		return true
	}
	return false
}

func hasSuffix(s, suffix string) bool { return strings.HasSuffix(s, suffix) }
