package mapping

// This file reads mapping files.

import (
	"fmt"

	"pathspan/bounded"
	"pathspan/yamlstrict"
)

const mappingSchema = "pathspan.mapping/1"

// Mapping is a mapping file as written: names, not yet held against a platform and
// a program (Resolve does).
type Mapping struct {
	File    string
	Serial  Word         // processor of everything outside sections; Text is "" when not given
	Regions []RegionFile // in the order of the file
	Tasks   []TaskFile   // likewise
	Depths  []DepthFile  // likewise
	Designs []DesignFile // likewise
}

// RegionFile is the mapping of one region as written.
type RegionFile struct {
	Name       Word
	Processors []ProcessorList // in the order of the file
	Loops      []LoopFile      // likewise
	Team       []Word          // the processors of its tasks; nil where the file does not say
}

// ProcessorList names the sections that a processor runs, in the order in which it
// runs them: each is its 1-based number within the region or its full name.
type ProcessorList struct {
	Name     Word
	Sections []Word
}

// Word is a word of a file and where it stands.
type Word struct {
	Text string
	Pos  yamlstrict.Pos
}

// LoadMapping reads a mapping file. Errors are one line each and name file and line.
//
//	schema: pathspan.mapping/1       # may be left out
//	serial: alpha                    # default: the first processor
//	regions:
//	  fun0.c:fun_0#1:                # or with its line, fun0.c:fun_0#1
//	    alpha: [1, 3]                # section 1, then section 3
//	    beta: [fun0.c:fun_0#1/2]
//	  fir.c:fir#1:
//	    loops:
//	      1: {schedule: "dynamic,4", processors: [alpha, beta]}
//	      2: {schedule: static, shares: [2, 1]}
//	  sort.c:sort#1:                 # tasks of a region, and below the tasks of a place
//	    tasks: [alpha, beta]         # their threads execute the tasks that the region makes
//	tasks:
//	  sort.c:halves/task1: [beta]    # of the team, these alone execute the tasks of a place
//	  filter: [alpha, beta]          # and those of a stage of a pipeline, by its name in the plan
//	depths:
//	  filter: 4                      # the buffer behind a stage of a pipeline holds so many items
//	  app.c:main/pipeline2: 8        # all buffers of a pipeline, else of the loop at FILE:LINE
//	designs:
//	  fpga:                          # makes loops otherwise than its model's file has it
//	    lu.c:7: {unroll: 4, partition: 2}
func LoadMapping(path string) (*Mapping, error) {
	data, err := bounded.ReadFile(path, bounded.Text)
	if err != nil {
		return nil, fmt.Errorf("mapping: %w", err)
	}
	return parseMapping(path, data)
}

// processorsOf lists the processors that execute tasks.
func processorsOf(e yamlstrict.Entry) []Word {
	var out []Word
	all := e.Value.List()
	if len(all) == 0 {
		e.Value.Fail("%s is empty: list the processors of its tasks, or leave it out", e.Key)
	}
	for _, v := range all {
		out = append(out, Word{v.Text(), v.Pos()})
	}
	return out
}

func parseMapping(path string, data []byte) (*Mapping, error) {
	r := yamlstrict.Parse(path, data)
	top := r.Root().Fields("schema", "serial", "regions", TasksKey, DepthsKey, DesignsKey)
	top.Schema(mappingSchema, false)
	m := &Mapping{File: path}
	if v := top.Get("serial"); v.Has() {
		m.Serial = Word{v.Text(), v.Pos()}
	}
	for _, region := range top.Get("regions").Entries() {
		rf := RegionFile{Name: Word{region.Key, region.At}}
		for _, processor := range region.Value.Entries() {
			if processor.Key == LoopsKey {
				for _, loop := range processor.Value.Entries() {
					rf.Loops = append(rf.Loops, readLoop(loop))
				}
				continue
			}
			if processor.Key == TasksKey {
				rf.Team = processorsOf(processor)
				continue
			}
			list := ProcessorList{Name: Word{processor.Key, processor.At}}
			for _, section := range processor.Value.List() {
				list.Sections = append(list.Sections, Word{section.Text(), section.Pos()})
			}
			rf.Processors = append(rf.Processors, list)
		}
		m.Regions = append(m.Regions, rf)
	}
	for _, task := range top.Get(TasksKey).Entries() {
		m.Tasks = append(m.Tasks, TaskFile{Word{task.Key, task.At}, processorsOf(task)})
	}
	for _, depth := range top.Get(DepthsKey).Entries() {
		m.Depths = append(m.Depths, DepthFile{Word{depth.Key, depth.At}, depth.Value.Int(1, MostDepth)})
	}
	for _, design := range top.Get(DesignsKey).Entries() {
		m.Designs = append(m.Designs, readDesign(design))
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return m, nil
}
