package htg

// This file names tasks.

import (
	"cmp"
	"strconv"

	"pathspan/ir"
)

func itoa(i int) string { return strconv.Itoa(i) }

func count(n uint64) string { return strconv.FormatUint(n, 10) }

// letter counts a to z, then aa, ab and on.
func letter(i int) string {
	var s []byte
	for i++; i > 0; i = (i - 1) / 26 {
		s = append([]byte{byte('a' + (i-1)%26)}, s...)
	}
	return string(s)
}

// namer hands out the names and numbers of one function.
type namer struct {
	f    *ir.Func
	next int            // number of the next unit
	used map[string]int // how often a name was asked for
}

func newNamer(f *ir.Func) *namer { return &namer{f: f, used: map[string]int{}} }

// unit returns the number of the next stretch or section of a level.
func (n *namer) unit() string {
	n.next++
	return itoa(n.next - 1)
}

func (n *namer) unique(name string) string {
	n.used[name]++
	if k := n.used[name]; k > 1 {
		return n.unique(name + "#" + itoa(k))
	}
	return name
}

// name names the own tasks of a section.
func (s *series) name(section string) {
	for i, t := range s.own {
		suffix := ""
		if len(s.own) > 1 {
			suffix = letter(i)
		}
		task := &s.b.graph.Tasks[t]
		task.Name = s.b.names.unique(section + suffix)
		task.Label = "Task" + s.prefix + suffix
	}
}

// nameStretch names the tasks of one stretch of a level.
func (s *series) nameStretch(tasks []int) {
	unit := s.b.names.unit()
	for i, t := range tasks {
		task := &s.b.graph.Tasks[t]
		task.Label = "Task" + unit
		if len(tasks) > 1 {
			task.Label += letter(i)
		}
		name := s.b.f.Source
		if name == "" {
			name = s.b.f.Name
		}
		if line := s.b.line(task); line > 0 {
			name += ":" + itoa(line)
		}
		task.Name = s.b.names.unique(name)
	}
}

// line returns the first source line of a task that holds more than jumps and marks,
// else its first source line, 0 when it has none.
func (b *levelBuilder) line(t *Task) int {
	blocks := t.Blocks
	if t.Loop >= 0 {
		blocks = b.c.Loops[t.Loop].Blocks
	}
	first := 0
	for _, i := range blocks {
		if l := blockLoc(b.f.Blocks[i]).Line; l > 0 {
			return l
		}
		for k := range b.f.Blocks[i].Instrs {
			first = cmp.Or(first, max(0, b.f.Blocks[i].Instrs[k].Loc.Line))
		}
	}
	return first
}
