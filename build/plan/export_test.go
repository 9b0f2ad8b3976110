package plan

// Copies returns the copies that unit k sees, once it is marked.
func (m *Marking) Copies(k int) []Copy { return m.copies[k] }
