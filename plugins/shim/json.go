package shim

// This file shows to programs what SHIM files hold and what is wrong with them.

// ShimSystem is a SHIM file. Clocks are 0 where unknown.
type ShimSystem struct {
	Schema         string              `json:"schema" is:"pathspan.model-shim/1"`
	File           string              `json:"file"`
	Name           string              `json:"name"`
	ClockHz        int64               `json:"clock_hz"`
	Components     []ShimComponent     `json:"components"`
	Memories       []ShimMemory        `json:"memories"`
	Caches         []ShimCache         `json:"caches"`
	Accesses       []ShimAccess        `json:"accesses"`
	Communications []ShimCommunication `json:"communications"`
	Warnings       []string            `json:"warnings"`
}

// ShimComponent is something that computes or transfers.
type ShimComponent struct {
	Name         string `json:"name"`
	ID           string `json:"id"`
	Type         string `json:"type"`
	Architecture string `json:"architecture"`
	ClockHz      int64  `json:"clock_hz"` // the system's where it has none of its own
	Instructions int    `json:"instructions"`
}

// ShimMemory is a memory.
type ShimMemory struct {
	Name  string `json:"name"`
	ID    string `json:"id"`
	Bytes int64  `json:"bytes"`
	RW    string `json:"rw"`
}

// ShimCache is a cache.
type ShimCache struct {
	Name      string `json:"name"`
	ID        string `json:"id"`
	Type      string `json:"type"`
	Bytes     int64  `json:"bytes"`
	Ways      int    `json:"ways"`
	LineBytes int    `json:"line_bytes"`
}

// ShimRange is a figure in cycles.
type ShimRange struct {
	Best    float64 `json:"best"`
	Typical float64 `json:"typical"`
	Worst   float64 `json:"worst"`
}

// ShimAccess is what an access of a component to a memory costs; names are ids.
type ShimAccess struct {
	Component string    `json:"component"`
	Memory    string    `json:"memory"`
	Cache     string    `json:"cache"` // whose hits these are, "" for the memory itself
	Access    string    `json:"access_type"`
	Latency   ShimRange `json:"latency_cycles"`
	Pitch     ShimRange `json:"pitch_cycles"`
}

// ShimCommunication is a way for two components to talk, by ids.
type ShimCommunication struct {
	Kind    string    `json:"kind"`
	Name    string    `json:"name"`
	From    string    `json:"from"`
	To      string    `json:"to"`
	Access  string    `json:"access_type"`
	Latency ShimRange `json:"latency_cycles"`
	Pitch   ShimRange `json:"pitch_cycles"`
}

// Contents are what a system holds, with what was odd in reading its file.
func (s *System) Contents(file string, warnings []string) *ShimSystem {
	out := &ShimSystem{File: file, Name: s.Name, ClockHz: s.ClockHz,
		Warnings: warnings}
	s.Root.each(func(c *ComponentSet) {
		for _, m := range c.Masters {
			out.Components = append(out.Components, ShimComponent{m.Name, m.ID, m.Type, m.Arch, s.ClockOf(&m), m.count()})
		}
		for _, x := range c.Slaves {
			out.Memories = append(out.Memories, ShimMemory{x.Name, x.ID, x.Bytes, x.RW})
		}
		for _, x := range c.Caches {
			out.Caches = append(out.Caches, ShimCache{x.Name, x.ID, x.Type, x.Bytes, x.Ways, x.LineBytes})
		}
	})
	s.eachAccessor(func(_ *SubSpace, b *Binding, a *Accessor) {
		for _, set := range a.Sets {
			for _, x := range set.Access {
				out.Accesses = append(out.Accesses, ShimAccess{a.Master, b.Slave, set.Cache, x.AccessType, ShimRange(x.Latency), ShimRange(x.Pitch)})
			}
		}
	})
	for _, c := range s.Communications {
		for _, cn := range c.Connections {
			for _, x := range cn.Access {
				out.Communications = append(out.Communications, ShimCommunication{c.Kind, c.Name, cn.From, cn.To, x.AccessType, ShimRange(x.Latency), ShimRange(x.Pitch)})
			}
		}
	}
	return out
}

// ShimFinding is something wrong with a SHIM file.
type ShimFinding struct {
	Line int    `json:"line"`
	What string `json:"what"`
	Do   string `json:"to_do"`
}

// ShimFindings is what is wrong with a SHIM file.
type ShimFindings struct {
	Schema   string        `json:"schema" is:"pathspan.model-shim-lint/1"`
	File     string        `json:"file"`
	Findings []ShimFinding `json:"findings"`
}

// ForPrograms are the findings of a file as programs read them.
func ForPrograms(file string, findings []Finding) *ShimFindings {
	out := &ShimFindings{File: file}
	for _, f := range findings {
		out.Findings = append(out.Findings, ShimFinding{f.Line, f.What, f.Do})
	}
	return out
}

// ShimWritten is what was written to a SHIM file.
type ShimWritten struct {
	Schema     string   `json:"schema" is:"pathspan.model-shim-write/1"`
	File       string   `json:"file"`
	Version    string   `json:"version"`
	Components int      `json:"components"`
	Missing    []string `json:"not_in_it"`
	Mixed      bool     `json:"beyond_schema"` // communications of several kinds in SHIM 2.0
}
