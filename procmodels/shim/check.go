package shim

// This file checks that a System can be written: ids and references.

import "fmt"

// Check reports the first thing that keeps a System from being a SHIM file: an id
// that is missing or taken, a reference to nothing, an unknown kind of
// communication. What Load returns passes.
func (s *System) Check() error {
	c := &checker{kind: map[string]string{}}
	s.Root.each(func(set *ComponentSet) {
		c.id("ComponentSet", set.Name, set.ID)
		for i := range set.Masters {
			m := &set.Masters[i]
			c.id("MasterComponent", m.Name, m.ID)
			for _, a := range m.AccessTypes {
				c.id("AccessType", a.Name, a.ID)
			}
		}
		for _, x := range set.Slaves {
			c.id("SlaveComponent", x.Name, x.ID)
		}
		for _, x := range set.Caches {
			c.id("Cache", x.Name, x.ID)
		}
	})
	for _, a := range s.AddressSpaces {
		c.id("AddressSpace", a.Name, a.ID)
		for _, sub := range a.SubSpaces {
			c.id("SubSpace", sub.Name, sub.ID)
			for _, b := range sub.Bindings {
				for _, acc := range b.Accessors {
					for _, p := range acc.Sets {
						if p.ID != "" {
							c.id("PerformanceSet", "", p.ID)
						}
					}
				}
			}
		}
	}
	c.references(s)
	return c.err
}

type checker struct {
	kind map[string]string // element by id
	err  error
}

func (c *checker) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("SHIM system: "+format, args...)
	}
}

func (c *checker) id(element, name, id string) {
	if other := c.kind[id]; id == "" || other != "" {
		c.fail("%s %q: id %q is empty or that of another %s; give each element its own", element, name, id, other)
		return
	}
	c.kind[id] = element
}

func (c *checker) ref(from, id, element string) {
	if c.kind[id] != element {
		c.fail("%s: no %s has the id %q", from, element, id)
	}
}

func (c *checker) access(from string, list []Access) {
	for _, a := range list {
		if a.AccessType != "" {
			c.ref(from, a.AccessType, "AccessType")
		}
	}
}

func (c *checker) references(s *System) {
	s.Root.each(func(set *ComponentSet) {
		for _, m := range set.Masters {
			for _, id := range m.Caches {
				c.ref(m.Name, id, "Cache")
			}
		}
		for _, x := range set.Caches {
			for _, id := range x.Caches {
				c.ref(x.Name, id, "Cache")
			}
		}
	})
	last := 0
	for _, x := range s.Communications {
		at := -1
		for i, k := range Kinds() {
			if k == x.Kind {
				at = i
			}
		}
		if at < last {
			c.fail("communication %q: kind %q; want %v, in that order", x.Name, x.Kind, Kinds())
		}
		last = max(at, 0)
		if x.AddressSpace != "" {
			c.ref(x.Name, x.AddressSpace, "AddressSpace")
		}
		if x.SubSpace != "" {
			c.ref(x.Name, x.SubSpace, "SubSpace")
		}
		for _, cn := range x.Connections {
			c.ref(x.Name, cn.From, "MasterComponent")
			c.ref(x.Name, cn.To, "MasterComponent")
			c.access(x.Name, cn.Access)
		}
	}
	for _, a := range s.AddressSpaces {
		for _, sub := range a.SubSpaces {
			for _, b := range sub.Bindings {
				c.ref(sub.Name, b.Slave, "SlaveComponent")
				for _, acc := range b.Accessors {
					c.ref(sub.Name, acc.Master, "MasterComponent")
					for _, p := range acc.Sets {
						if p.Cache != "" {
							c.ref(sub.Name, p.Cache, "Cache")
						}
						c.access(sub.Name, p.Access)
					}
				}
			}
		}
	}
}
