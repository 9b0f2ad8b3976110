package cc

// This file lists the options of clang whose value may be, or must be, the next word,
// as far as they occur in builds of programs.

import (
	"slices"
	"strings"
)

// separate holds the options whose value is always the next word. Where the value may
// also be attached (-Idir), see joined.
var separate = words(`-arch -target --target -Xclang -Xlinker -Xassembler -Xpreprocessor -Xanalyzer
	-Xopenmp-target -Xarch_host -Xarch_device -mllvm --param -gcc-toolchain --sysroot --output --language
	--define-macro --undefine-macro --include-directory --include --include-with-prefix
	--include-directory-after --library-directory --serialize-diagnostics -dependency-file
	-dependency-dot -ftrapv-handler -working-directory -rpath -framework -weak_framework
	-weak_library -ccc-gcc-name -mthread-model -fmodule-implementation-of -fmodule-name
	-fdebug-compilation-dir -include-pch --config -dumpbase -dumpdir -install_name
	-index-store-path --assert --entry -wrapper`)

// joined holds the options whose value is attached or the next word. The longest that
// fits a word is meant, unless the word is another option of clang (unrelated).
var joined = words(`-o -I -D -U -L -l -x -F -T -u -z -e -A -B -G -isystem -iquote -idirafter -include
	-imacros -isysroot -iprefix -iwithprefix -iwithprefixbefore -isystem-after -iframework
	-iframeworkwithsysroot -ivfsoverlay -cxx-isystem -c-isystem -stdlib++-isystem -MF -MT -MQ -MJ
	-Tbss -Tdata -Ttext`)

// unrelated holds options that begin like one of joined.
var unrelated = words(`-undef -emit-llvm -emit-ast -export-dynamic -objcmt -unwindlib -exported_symbols_list`)

// infoOnly holds options that make clang tell something and compile nothing.
var infoOnly = words(`-### --version -dumpversion -dumpmachine --help --help-hidden -help --autocomplete
	-cc1 -cc1as -E -S -M -MM -fsyntax-only -emit-ast --analyze --precompile -rewrite-objc
	-fdriver-only -verify-pch --migrate -emit-interface-stubs --preprocess --assemble
	-extract-api -fmodule-file-home-is-cwd`)

func words(list string) map[string]bool {
	m := make(map[string]bool)
	word := ""
	for _, c := range list + " " {
		if c == ' ' || c == '\n' || c == '\t' {
			if word != "" {
				m[word] = true
			}
			word = ""
			continue
		}
		word += string(c)
	}
	return m
}

// valueOf splits a word that may be an option with a value: its name, the value
// attached to it, and whether the next word is the value.
func valueOf(word string) (name, value string, next bool) {
	if separate[word] || joined[word] {
		return word, "", true
	}
	if unrelated[word] {
		return word, "", false
	}
	for n := min(len(word)-1, 21); n >= 2; n-- {
		if !joined[word[:n]] {
			continue
		}
		if n > 2 && word[n] == '-' || word[:n] == "-include" && hasPrefix(word, "-include-pch") {
			continue // -isystem-after and the like
		}
		return word[:n], word[n:], false
	}
	return word, "", false
}

func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
