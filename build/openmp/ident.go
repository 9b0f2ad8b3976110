package openmp

// This file reads source positions from ident_t constants, which clang passes to
// every call of the OpenMP run-time library.

import (
	"regexp"
	"strconv"
	"strings"

	"pathspan/ir/asm"
)

// Flags of an ident_t (openmp/runtime/src/kmp.h).
const (
	flagSections   = 0x400
	flagDistribute = 0x800
)

// position is what an ident_t says.
type position struct {
	file, function string // "" when unknown
	line, col      int
	flags          int
}

func (p position) same(q position) bool {
	return p.file == q.file && p.line == q.line && p.col == q.col && p.line > 0
}

var identFields = regexp.MustCompile(`\{ i32 -?\d+, i32 (\d+), i32 -?\d+, i32 -?\d+, `)

// identAt reads the ident_t that operand value refers to.
func identAt(m *asm.Module, value string) position {
	var p position
	names := asm.GlobalNames(value)
	if len(names) != 1 {
		return p
	}
	g := m.Global(names[0])
	if g == nil {
		return p
	}
	if f := identFields.FindStringSubmatch(g.Value()); f != nil {
		p.flags, _ = strconv.Atoi(f[1])
	}
	for _, ref := range g.Refs() {
		if s := m.Global(ref); s != nil {
			p.read(cString(s.Value()))
			break
		}
	}
	return p
}

// read reads ";file;function;line;column;;". The fields are taken from the end:
// a file name may hold semicolons.
func (p *position) read(s string) {
	f := strings.Split(s, ";")
	if len(f) < 7 || f[0] != "" {
		return
	}
	n := len(f)
	p.line, _ = strconv.Atoi(f[n-4])
	p.col, _ = strconv.Atoi(f[n-3])
	p.function = f[n-5]
	p.file = strings.Join(f[1:n-5], ";")
	if p.line == 0 {
		p.file, p.function = "", ""
	}
}

// cString decodes the initialiser c"..." in value, without the final zero.
func cString(value string) string {
	i := strings.Index(value, ` c"`)
	if i < 0 {
		return ""
	}
	value = value[i+3:]
	j := strings.IndexByte(value, '"')
	if j < 0 {
		return ""
	}
	value = value[:j]
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+2 < len(value) {
			if n, err := strconv.ParseUint(value[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(value[i])
	}
	return strings.TrimSuffix(b.String(), "\x00")
}
