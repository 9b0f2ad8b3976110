package shim

// This file shows to programs what SHIM files hold and what is wrong with them.

// ShimSystem is a SHIM file. Clocks are 0 where unknown.
type ShimSystem struct {
	Schema         string              `json:"schema" is:"pathspan.model-shim/1"`
	File           string              `json:"file"`
	Name           string              `json:"name"`
	ClockHz        int64               `json:"clock_hz"`
	Components     []ShimComponent     `json:"components"`
	Memories       []Slave             `json:"memories"`
	Caches         []Cache             `json:"caches"`
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

// ShimAccess is what an access of a component to a memory costs; names are ids.
type ShimAccess struct {
	Component string `json:"component"`
	Memory    string `json:"memory"`
	Cache     string `json:"cache"` // whose hits these are, "" for the memory itself
	Access    string `json:"access_type"`
	Latency   Range  `json:"latency_cycles"`
	Pitch     Range  `json:"pitch_cycles"`
}

// ShimCommunication is a way for two components to talk, by ids.
type ShimCommunication struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	From    string `json:"from"`
	To      string `json:"to"`
	Access  string `json:"access_type"`
	Latency Range  `json:"latency_cycles"`
	Pitch   Range  `json:"pitch_cycles"`
}

// Contents are what a system holds, with what was odd in reading its file.
func (s *System) Contents(file string, warnings []string) *ShimSystem {
	out := &ShimSystem{File: file, Name: s.Name, ClockHz: s.ClockHz,
		Warnings: warnings}
	s.Root.each(func(c *ComponentSet) {
		for _, m := range c.Masters {
			out.Components = append(out.Components, ShimComponent{m.Name, m.ID, m.Type, m.Arch, s.ClockOf(&m), m.count()})
		}
		out.Memories, out.Caches = append(out.Memories, c.Slaves...), append(out.Caches, c.Caches...)
	})
	s.eachAccessor(func(_ *SubSpace, b *Binding, a *Accessor) {
		for _, set := range a.Sets {
			for _, x := range set.Access {
				out.Accesses = append(out.Accesses, ShimAccess{a.Master, b.Slave, set.Cache, x.AccessType, x.Latency, x.Pitch})
			}
		}
	})
	for _, c := range s.Communications {
		for _, cn := range c.Connections {
			for _, x := range cn.Access {
				out.Communications = append(out.Communications, ShimCommunication{c.Kind, c.Name, cn.From, cn.To, x.AccessType, x.Latency, x.Pitch})
			}
		}
	}
	return out
}

// ShimFindings is what is wrong with a SHIM file.
type ShimFindings struct {
	Schema   string    `json:"schema" is:"pathspan.model-shim-lint/1"`
	File     string    `json:"file"`
	Findings []Finding `json:"findings"`
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
