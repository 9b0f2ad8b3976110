package asm

// This file parses the header of a definition or declaration and edits it.

import (
	"fmt"
	"strings"
)

// Param is a parameter of a function.
type Param struct {
	Type  string
	Attrs string // as spelled, "" when none
	Name  string // bare; the number when unnamed

	numbered bool
	at       span // the name in the header, empty where one would stand
}

// header is a parsed header; spans are into its text.
type header struct {
	linkage  span // empty, after the keyword, when there is none
	name     span
	visible  span // visibility and DLL storage, empty when none
	retType  string
	retAttrs string
	params   []Param
	variadic bool
	attrs    span // function attributes, between the parameters' ) and the clauses
	groups   []int
	comdat   span
	pers     span  // "personality" and its constant, empty when none
	clauses  int32 // where the clauses end and attachments begin
	dbg      span  // the !12 of !dbg, empty when none
	dbgID    int
	end      int32 // where attachments end: the body's brace or the line's end
	ok       bool
}

var linkages = map[string]bool{"private": true, "internal": true, "available_externally": true,
	"linkonce": true, "weak": true, "common": true, "appending": true, "extern_weak": true,
	"linkonce_odr": true, "weak_odr": true, "external": true}

// visibilities are the words between linkage and return type that local
// linkage does not go with, and those that stand among them.
var visibilities = map[string]bool{"hidden": true, "protected": true, "default": true,
	"dllexport": true, "dllimport": true, "dso_local": true, "dso_preemptable": true}

// isClause reports whether w opens a clause behind the function attributes.
func isClause(w string) bool {
	switch w {
	case "section", "partition", "comdat", "align", "gc", "prefix", "prologue", "personality":
		return true
	}
	return false
}

// parseHeader parses "define ... {" or "declare ...". What it does not
// understand leaves ok false and the rest empty.
func parseHeader(text string) *header {
	h := &header{dbgID: -1}
	p := instrParser{tokens: lex(text), info: &instrInfo{}}
	defer p.release()
	p.i = 1
	for p.metaID(p.i+1) >= 0 && p.t[p.i].kind == tMeta { // declare !dbg !5 ...
		if p.text(p.i) == "!dbg" {
			h.dbg, h.dbgID = p.span(p.i+1), p.metaID(p.i+1)
		}
		p.i += 2
	}
	h.linkage = span{p.t[p.i-1].e, p.t[p.i-1].e}
	if p.t[p.i].kind == tWord && linkages[p.text(p.i)] {
		h.linkage = p.span(p.i)
		p.i++
	}
	for ; visibilities[p.text(p.i)]; p.i++ {
		if w := p.text(p.i); w != "default" && w[:3] != "dso" {
			h.visible = p.span(p.i)
		}
	}
	s := p.i
	if !p.skipAttrs(p.startsType) {
		return h
	}
	h.retAttrs = p.slice(s, p.i)
	if !p.typ() || p.t[p.i].kind != tGlobal {
		return h
	}
	h.retType = p.last
	h.name = p.span(p.i)
	p.i++
	if !p.punct(p.i, '(') || !p.params(h) {
		return h
	}
	s = p.i
	for p.t[p.i].kind != tEOF && !p.punct(p.i, '{') && p.t[p.i].kind != tMeta && !(p.t[p.i].kind == tWord && isClause(p.text(p.i))) {
		if id := decimal(strings.TrimPrefix(p.text(p.i), "#")); p.t[p.i].kind == tAttr && id >= 0 {
			h.groups = append(h.groups, id)
		}
		if p.punct(p.i, '(') {
			c := p.closing(p.i)
			if c < 0 {
				return h
			}
			p.i = c
		}
		p.i++
	}
	h.attrs = span{p.t[s-1].e, p.t[p.i-1].e}
	h.ok = true
	last := p.i - 1
	h.clauses = p.t[last].e
	for attached := false; p.t[p.i].kind != tEOF; p.i++ {
		body := p.punct(p.i, '{') && p.t[p.i+1].kind == tEOF
		attached = attached || p.t[p.i].kind == tMeta
		if !attached && !body {
			h.clauses = p.t[p.i].e
			if p.is(p.i, "personality") {
				h.pers.s = p.t[p.i].s
			}
			if h.pers.s > 0 { // the last of the clauses
				h.pers.e = h.clauses
			}
		}
		switch {
		case body:
		case p.is(p.i, "comdat"):
			h.comdat = p.span(p.i)
			if p.punct(p.i+1, '(') {
				if c := p.closing(p.i + 1); c > 0 {
					h.comdat.e = p.t[c].e
				}
			}
			last = p.i
		case p.t[p.i].kind == tMeta && p.text(p.i) == "!dbg" && p.metaID(p.i+1) >= 0:
			h.dbg, h.dbgID = p.span(p.i+1), p.metaID(p.i+1)
			last = p.i
		default:
			last = p.i
		}
	}
	h.end = p.t[last].e
	return h
}

// params parses the parameter list at p.i.
func (p *instrParser) params(h *header) bool {
	end := p.closing(p.i)
	if end < 0 {
		return false
	}
	n := 0
	for p.i++; p.i < end; {
		if p.is(p.i, "...") {
			h.variadic = true
			p.i++
			continue
		}
		if !p.typ() {
			return false
		}
		pr := Param{Type: p.last}
		s := p.i
		for p.i < end && !p.punct(p.i, ',') && p.t[p.i].kind != tLocal {
			if p.punct(p.i, '(') {
				c := p.closing(p.i)
				if c < 0 {
					return false
				}
				p.i = c
			}
			p.i++
		}
		pr.Attrs = p.slice(s, p.i)
		if p.t[p.i].kind == tLocal {
			pr.Name, pr.at = p.name(p.i), p.span(p.i)
			pr.numbered = isNumber(p.src[p.t[p.i].s+1 : p.t[p.i].e])
			if d := decimal(pr.Name); pr.numbered && d >= 0 {
				n = d + 1
			}
			p.i++
		} else {
			pr.Name, pr.numbered = fmt.Sprint(n), true
			pr.at = span{p.t[p.i-1].e, p.t[p.i-1].e}
			n++
		}
		h.params = append(h.params, pr)
		if p.i < end && !p.comma() {
			return false
		}
	}
	p.i = end + 1
	return true
}

func (f *Func) header() *header {
	if f.hdr == nil {
		f.hdr = parseHeader(f.head)
	}
	return f.hdr
}

// Header returns the text from define to the opening brace.
func (f *Func) Header() string {
	return strings.TrimSpace(f.head)
}

// RetType returns the type returned, as spelled.
func (f *Func) RetType() string { return f.header().retType }

// Params returns the parameters.
func (f *Func) Params() []Param { return f.header().params }

// Variadic reports whether the parameters end with "...".
func (f *Func) Variadic() bool { return f.header().variadic }

// FnType spells the function's type: "i32 (i8*, ...)".
func (f *Func) FnType() string { return fnType(f.header()) }

func fnType(h *header) string {
	return h.retType + " " + h.paramList(func(p Param) string { return p.Type })
}

// paramList spells the parameters in parentheses.
func (h *header) paramList(spell func(Param) string) string {
	var all []string
	for _, p := range h.params {
		all = append(all, spell(p))
	}
	if h.variadic {
		all = append(all, "...")
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// Linkage returns the linkage, "external" when none is written.
func (f *Func) Linkage() string { return linkageOf(f.head, f.header()) }

func linkageOf(text string, h *header) string {
	if l := text[h.linkage.s:h.linkage.e]; l != "" {
		return l
	}
	return "external"
}

// splice replaces a span of the header.
func (f *Func) splice(sp span, text string) {
	f.head = f.head[:sp.s] + text + f.head[sp.e:]
	f.hdr = nil
}

// SetLinkage sets the linkage: "internal", "weak", ... and "external" or "".
// Local linkage drops visibility and DLL storage, which LLVM would refuse.
func (f *Func) SetLinkage(linkage string) error {
	if linkage != "" && !linkages[linkage] {
		return fmt.Errorf("set linkage of @%s: %q is no linkage", f.name, linkage)
	}
	h := f.header()
	if !h.ok {
		return fmt.Errorf("set linkage of @%s: header not understood: %.60q", f.name, f.Header())
	}
	if linkage == "internal" || linkage == "private" {
		if h.visible.e > h.visible.s {
			f.splice(span{h.visible.s - 1, h.visible.e}, "")
		}
	}
	h = f.header()
	switch {
	case linkage == "" || linkage == "external":
		if h.linkage.e > h.linkage.s {
			f.splice(span{h.linkage.s - 1, h.linkage.e}, "")
		}
	case h.linkage.e > h.linkage.s:
		f.splice(h.linkage, linkage)
	default:
		f.splice(h.linkage, " "+linkage)
	}
	return nil
}

// RemoveComdat takes the function out of its comdat.
func (f *Func) RemoveComdat() {
	if h := f.header(); h.comdat.e > h.comdat.s {
		f.splice(span{h.comdat.s - 1, h.comdat.e}, "")
	}
}

// Dbg returns the metadata number of the function's subprogram, or -1.
func (f *Func) Dbg() int { return f.header().dbgID }

// SetDbg sets the function's subprogram; -1 removes it.
func (f *Func) SetDbg(id int) {
	h := f.header()
	switch {
	case h.dbg.e > h.dbg.s && id < 0:
		i := strings.LastIndex(f.head[:h.dbg.s], "!dbg")
		f.splice(span{int32(i) - 1, h.dbg.e}, "")
	case h.dbg.e > h.dbg.s:
		f.splice(h.dbg, fmt.Sprintf("!%d", id))
	case id >= 0 && h.ok:
		f.splice(span{h.end, h.end}, fmt.Sprintf(" !dbg !%d", id))
	}
}
