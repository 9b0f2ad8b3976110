package asm

// This file lets tests ask what the package itself only computes with.

// Decls returns the functions declared.
func (m *Module) Decls() []*Decl { return m.decls }

// RetType returns the type returned, as spelled.
func (d *Decl) RetType() string { return d.header().retType }

// FnType spells the function's type.
func (d *Decl) FnType() string { return fnType(d.header()) }

// Labels returns all labels the instruction names, those of phis and
// blockaddress included.
func (in *Instr) Labels() []string { return in.names(in.parse().list(ofLabels)) }

// ReplaceUse replaces the uses of local value name by a value given as
// spelled ("%y", "0", "poison"). It reports whether there were any.
func (in *Instr) ReplaceUse(name, value string) bool {
	return in.spliceAll(in.parse().list(ofLocals), func(s string) (string, bool) {
		return value, unspell(s[1:]) == name
	})
}

// Linkage returns the linkage, "external" when none is written.
func (g *Global) Linkage() string {
	_, l, _ := g.parts()
	return l
}
