package mca

// This file reads llc's assembly: functions, machine blocks, instructions.

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// machineFunc is a function in assembly.
type machineFunc struct {
	name   string
	blocks []*machineBlock // in layout order
}

type machineBlock struct {
	name   string // its IR block's, "" when llc made it for none; llc's own for blocks it added
	units  []unit
	succs  []int // successors that the text shows, by index in the function, ascending
	labels []string
}

// unit is an instruction, or a Thumb IT and the instructions under it, as llvm-mca takes them.
type unit struct {
	text   string // lines for llvm-mca, without symbols of the program where possible
	count  int    // instructions of the assembly
	callee string // symbol called, "" when none
	does   flow
	target string // label of a branch
}

// statements counts what llvm-mca sees as instructions: rep;movsb are two.
func (u unit) statements() int {
	return 1 + strings.Count(u.text, "\n") + strings.Count(u.text, ";")
}

var (
	functionBegins = regexp.MustCompile(`-- Begin function (.+)$`)
	blockLabel     = regexp.MustCompile(`^(\.L?BB\d+_\d+):`)
	localLabel     = regexp.MustCompile(`\.L[A-Za-z]+\d+(_\d+)*\b`)
	itBlock        = regexp.MustCompile(`^it[te]{0,3}$`)
)

// readAssembly reads the functions that are wanted. At the label of a marker a machine
// block ends and one of the marked IR block begins.
func readAssembly(text string, d *dialect, marks []string, want func(string) bool) []*machineFunc {
	r := asmReader{d: d, marks: marks, bare: d.comment + " %bb."}
	for line := range strings.Lines(text) {
		r.line(strings.TrimRight(line, "\r\n"), want)
	}
	for _, f := range r.funcs {
		f.connect()
	}
	return r.funcs
}

type asmReader struct {
	d     *dialect
	marks []string // IR blocks by marker
	bare  string   // how the comment of a block without a label begins
	funcs []*machineFunc
	fn    *machineFunc
	block *machineBlock
	under int // instructions that still belong to an IT
}

func (r *asmReader) line(line string, want func(string) bool) {
	if m := functionBegins.FindStringSubmatch(line); m != nil {
		r.fn, r.block, r.under = nil, nil, 0
		if want(m[1]) {
			r.fn = &machineFunc{name: m[1]}
			r.funcs = append(r.funcs, r.fn)
		}
		return
	}
	if r.fn == nil {
		return
	}
	code, comment, _ := strings.Cut(line, r.d.comment)
	if strings.HasPrefix(line, r.bare) {
		r.begin("", line[len(r.bare):])
		return
	}
	if m := blockLabel.FindStringSubmatch(line); m != nil {
		r.begin(m[1], r.d.comment+comment)
		return
	}
	if number, ok := strings.CutPrefix(strings.TrimSpace(code), markLabel); ok {
		if n, err := strconv.Atoi(strings.TrimSuffix(number, ":")); err == nil && n < len(r.marks) && r.block != nil {
			r.mark(r.marks[n])
		}
		return
	}
	if code = strings.TrimSpace(code); code == "" {
		if r.block != nil && r.block.name == "" && len(r.block.units) == 0 {
			r.block.name = commentName(comment)
		}
		return
	}
	if line[0] != '\t' && line[0] != ' ' || code[0] == '.' || strings.HasSuffix(code, ":") || r.block == nil {
		if strings.HasPrefix(code, ".size") || strings.HasPrefix(code, ".section") {
			r.block = nil // what follows is data
		}
		return
	}
	r.instruction(code)
}

// begin starts a block; rest holds the comment that may name its IR block.
func (r *asmReader) begin(label, rest string) {
	r.block = &machineBlock{}
	if label != "" {
		r.block.labels = []string{label}
	}
	if _, comment, ok := strings.Cut(rest, r.d.comment); ok {
		r.block.name = commentName(comment)
	}
	r.fn.blocks = append(r.fn.blocks, r.block)
}

// mark goes on with another IR block.
func (r *asmReader) mark(name string) {
	if len(r.block.units) > 0 && r.block.name != name {
		r.begin("", "")
	}
	r.block.name = name
}

// commentName reads the IR block's name off a comment, "" when it says something else.
func commentName(comment string) string {
	name, ok := strings.CutPrefix(strings.TrimSpace(comment), "%")
	if !ok {
		return ""
	}
	return bare(name)
}

func (r *asmReader) instruction(code string) {
	mnemonic, operands := code, ""
	if i := strings.IndexAny(code, " \t"); i >= 0 {
		mnemonic, operands = code[:i], strings.TrimSpace(code[i:])
	}
	u := unit{text: "\t" + code, count: 1}
	u.does, u.target = r.d.classify(mnemonic, operands)
	if u.does == call || u.does == tailCall || u.does == branch && !strings.HasPrefix(u.target, ".L") {
		u.callee, u.target = u.target, ""
	}
	switch u.does {
	case call:
		u.text = r.d.asJump(mnemonic, operands)
	case tailCall:
		u.text = "\t" + tailJump(mnemonic) + "\t.L"
	}
	if u.does == branch && u.callee != "" {
		u.text = strings.Replace(u.text, u.callee, ".L", 1)
	}
	u.text = localLabel.ReplaceAllString(u.text, ".L")
	units := &r.block.units
	if r.under > 0 {
		it := &(*units)[len(*units)-1]
		it.text += "\n" + u.text
		it.count++
		if u.callee != "" {
			it.callee = u.callee
		}
		if u.target != "" {
			it.does, it.target = branch, u.target
		}
		r.under--
		return
	}
	if itBlock.MatchString(mnemonic) {
		r.under = len(mnemonic) - 1
	}
	*units = append(*units, u)
}

// tailJump is the mnemonic of the jump that a tail call is.
func tailJump(mnemonic string) string {
	if mnemonic == "tail" {
		return "j"
	}
	return mnemonic
}

// connect finds the successors of each block.
func (f *machineFunc) connect() {
	at := map[string]int{}
	for i, b := range f.blocks {
		for _, l := range b.labels {
			at[l] = i
		}
	}
	for i, b := range f.blocks {
		on := true
		for _, u := range b.units {
			if j, ok := at[u.target]; ok && (u.does == branch || u.does == jump) {
				b.succs = append(b.succs, j)
			}
			on = u.does == plain || u.does == branch || u.does == call
		}
		if on && i+1 < len(f.blocks) {
			b.succs = append(b.succs, i+1)
		}
		slices.Sort(b.succs)
		b.succs = slices.Compact(b.succs)
	}
}

// key is the text of the block as llvm-mca gets it.
func (b *machineBlock) key() string {
	lines := make([]string, len(b.units))
	for i, u := range b.units {
		lines[i] = u.text
	}
	return strings.Join(lines, "\n")
}

// calls lists the symbols that the block calls.
func (b *machineBlock) calls() []string {
	var names []string
	for _, u := range b.units {
		if u.callee != "" {
			names = append(names, u.callee)
		}
	}
	return names
}
