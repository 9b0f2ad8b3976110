package cc

// This file makes the command lines of the steps that one compilation is made of.

import (
	"path/filepath"
	"strings"
)

// compileArgs returns the command line for input alone (an index of items, -1 for
// none), without output, dependencies, and without what drop names.
func (c *Command) compileArgs(input int, drop func(word string) bool) []string {
	var out []string
	for i, it := range c.items {
		switch it.kind {
		case inputItem:
			if i != input {
				continue
			}
			if it.typed {
				out = append(out, "-x", it.lang)
			}
			out = append(out, it.words...)
			continue
		case linkerItem, libItem:
			if drop == nil || input < 0 {
				continue
			}
			if it.kind == linkerItem {
				out = append(out, it.given...)
				continue
			}
		case flagItem:
			word := it.words[0]
			switch {
			case it.name == "-o" || it.name == "--output" || hasPrefix(word, "--output="), word == "-c", word == "--compile",
				it.name == "-x", it.name == "--language", isDepend(it), drop != nil && drop(word):
				continue
			}
		}
		out = append(out, it.words...)
	}
	return out
}

// frontEnd reports flags that the step which makes the module must not get: the
// assembler's, and those that ask for something else than a plain module. What -flto
// asks for happens when the program is linked.
func frontEnd(word string) bool {
	return hasPrefix(word, "-Wa,", "-flto", "-fthinlto", "-fopenmp=", "-gsplit-dwarf", "-fembed-bitcode", "-save-temps", "--save-temps",
		"-fwhole-program-vtables", "-fsplit-lto-unit", "-ffat-lto-objects", "-funified-lto") ||
		word == "-fopenmp" || word == "-Xassembler"
}

// backEnd reports flags that the step which makes native code of the module must not get.
func backEnd(word string) bool {
	if word == "-Xassembler" || hasPrefix(word, "-Wa,") {
		return false
	}
	return frontEnd(word) || hasPrefix(word, "-include", "-imacros", "--include", "-Wp,", "-Xpreprocessor", "-MJ", "-fopenmp", "-fmodule",
		"--serialize-diagnostics", "-fplugin", "-emit-llvm", "-v", "-Werror=unused-command-line-argument")
}

// isDepend reports flags about dependency files, which dependArgs gives anew.
func isDepend(it item) bool {
	switch it.words[0] {
	case "-MD", "-MMD", "-MP", "-MG", "-MV":
		return true
	}
	return it.name == "-MF" || it.name == "-MT" || it.name == "-MQ" || hasPrefix(it.words[0], "-Wp,-MD,", "-Wp,-MMD,")
}

// dependArgs returns the flags by which clang writes the dependency file of a
// compilation to an object in a temporary folder as that of the command line.
func (c *Command) dependArgs(it item, target string) []string {
	if !c.depend {
		return nil
	}
	var out []string
	for _, it := range c.items {
		if it.kind == flagItem && isDepend(it) {
			out = append(out, it.words...)
		}
	}
	if c.dependFile == "" {
		of := it.value
		if c.output != "" {
			of = c.output
		}
		file := strings.TrimSuffix(of, filepath.Ext(of)) + ".d"
		if c.output == "" {
			file = filepath.Base(file)
		}
		out = append(out, "-MF", file)
	}
	if !c.target {
		out = append(out, "-MQ", target)
	}
	return out
}

// userFlags returns the flags that a bundle names: those of the compilation but its
// level, which the bundle names apart.
func (c *Command) userFlags() []string {
	var out []string
	for _, it := range c.items {
		if it.kind != flagItem || isDepend(it) || it.name == "-o" || it.name == "-x" || it.words[0] == "-c" || hasPrefix(it.words[0], "--output", "-O") {
			continue
		}
		out = append(out, it.words...)
	}
	return out
}
