package mapping

// This file reads platform files.

import (
	"fmt"
	"path/filepath"
	"strings"

	"pathspan/bounded"
	"pathspan/mapping/hierarchy"
	"pathspan/yamlstrict"
)

const (
	platformSchema = "pathspan.platform/1"
	// maxProcessors bounds a platform after expansion of counts.
	maxProcessors = 4096
	// bytes of a processor's memory; beyond it numbers are no longer exact
	maxMemory = 1 << 53
)

// LoadPlatform reads a platform file. Errors are one line each and name file and
// line. Models are not opened; a file name in model is relative to the platform's
// folder.
//
//	schema: pathspan.platform/1      # may be left out
//	name: board
//	processors:
//	  - {name: alpha, model: arm922t, clock_mhz: 200, power: 0.16}
//	  - {name: dsp, model: dsp.yaml, count: 4}           # dsp0 to dsp3
//	  - {name: big, power: {active: 0.8, idle: 0.1}, memory: 65536}
//	  - {name: fpga, model: lu.yaml, capacity: {DSP: 1380}}  # for loops that are made in hardware
//	  - {name: asic, capacity: {SRAM: 64}, fifo: {SRAM: 8192}} # buffers of pipelines take one for each 8,192 bits
//	overheads: {create: 50, sync: 10, dispatch: 20}      # cycles; see OverheadKinds
//	memory: {levels: [...], main: {latency_ns: 80}}      # see package hierarchy, as for interconnect
//
// Only name is needed of a processor; see the Default constants for the rest. A number
// for power is what the processor takes while busy; it then takes none while idle.
func LoadPlatform(path string) (*Platform, error) {
	data, err := bounded.ReadFile(path, bounded.Text)
	if err != nil {
		return nil, fmt.Errorf("platform: %w", err)
	}
	return parsePlatform(path, data)
}

func parsePlatform(path string, data []byte) (*Platform, error) {
	r := yamlstrict.Parse(path, data)
	top := r.Root().Fields("schema", "name", "processors", "overheads", "memory", "interconnect")
	top.Schema(platformSchema, false)
	base := filepath.Base(path)
	pl := &Platform{Name: strings.TrimSuffix(base, filepath.Ext(base))}
	if v := top.Get("name"); v.Has() {
		pl.Name = v.Text()
	}
	pl.readProcessors(top.Need("processors"), filepath.Dir(path))
	pl.readOverheads(top.Get("overheads"))
	var names []string
	for i := range pl.Processors {
		names = append(names, pl.Processors[i].Name)
	}
	m, between := top.Get("memory"), top.Get("interconnect")
	if m.Has() {
		pl.Hierarchy = hierarchy.Read(m, names)
	}
	switch {
	case between.Has():
		hierarchy.ReadInterconnect(between, pl.Hierarchy, names)
	case pl.Hierarchy != nil && len(pl.Hierarchy.Local) > 0:
		m.Fail("local memories are reached through interconnect, which is not there: give its bus or links")
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return pl, nil
}

func (pl *Platform) readProcessors(list yamlstrict.Value, dir string) {
	lines := map[string]int{}
	for _, v := range list.List() {
		f := v.Fields("name", "model", "clock_mhz", "count", "power", "memory", "capacity", "fifo")
		p := Processor{Name: f.Need("name").Text(), Model: DefaultModel, Dir: dir}
		if m := f.Get("model"); m.Has() {
			p.Model, p.Given = m.Text(), m.Pos()
		}
		if c := f.Get("clock_mhz"); c.Has() {
			p.ClockMHz = c.Number(MinClockMHz, MaxClockMHz)
		}
		p.readPower(f.Get("power"))
		if m := f.Get("memory"); m.Has() {
			p.Memory = float64(m.Int(1, maxMemory))
		}
		for _, e := range f.Get("capacity").Entries() {
			p.Capacity = append(p.Capacity, Capacity{e.Key, e.Value.Positive(), e.At})
		}
		for i, e := range f.Get("fifo").Entries() {
			if i > 0 {
				v.Fail("fifo of processor %s: buffers are made of one resource: give one", p.Name)
				return
			}
			p.FIFO = &FIFO{e.Key, e.Value.Positive(), e.At}
		}
		count := 1
		if c := f.Get("count"); c.Has() {
			count = c.Int(1, maxProcessors)
		}
		for _, name := range expand(p.Name, count) {
			if first, dup := lines[name]; dup {
				v.Fail("processor %q is there twice: first on line %d", name, first)
				return
			}
			if name == LoopsKey || name == TasksKey {
				v.Fail("processor %q: mapping files have %s under that word: give it another name", name, map[string]string{LoopsKey: "worksharing loops", TasksKey: "the processors of tasks"}[name])
				return
			}
			lines[name] = v.Pos().Line
			p.Name = name
			pl.Processors = append(pl.Processors, p)
		}
		if len(pl.Processors) > maxProcessors {
			v.Fail("more than %d processors", maxProcessors)
			return
		}
	}
	if len(pl.Processors) == 0 && list.Has() {
		list.Fail("processors is empty: want at least one")
	}
}

func (p *Processor) readPower(v yamlstrict.Value) {
	if !v.Has() || v.IsScalar() {
		p.Power = v.Number(0, MaxPower)
		return
	}
	f := v.Fields("active", "idle")
	p.Power = f.Need("active").Number(0, MaxPower)
	if p.Idle = f.Get("idle").Number(0, MaxPower); p.Idle > p.Power {
		v.Fail("processor %s takes %g W idle and %g W active: want no more idle than active", p.Name, p.Idle, p.Power)
	}
}

// expand gives the names of count equal processors: numbered from 0 if several.
func expand(name string, count int) []string {
	if count == 1 {
		return []string{name}
	}
	names := make([]string, count)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", name, i)
	}
	return names
}

func (pl *Platform) readOverheads(v yamlstrict.Value) {
	pl.Create, pl.Sync = DefaultCreate, DefaultSync
	f := v.Fields("create", "sync", "fork", "join", "dispatch", "lock", "atomic", "reduction", "barrier", "task", "undeferred", "steal", "team_of_one")
	create, sync := f.Get("create"), f.Get("sync")
	if create.Has() {
		pl.Create = create.Number(0, MaxOverhead)
	}
	if sync.Has() {
		pl.Sync = sync.Number(0, MaxOverhead)
	}
	pl.CreateDefaulted, pl.SyncDefaulted = !create.Has(), !sync.Has()
	for _, k := range OverheadKinds {
		if x := f.Get(k.Key); x.Has() {
			*k.Of(&pl.Other) = Overhead{x.Number(0, MaxOverhead), true}
		}
	}
}
