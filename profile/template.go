package profile

// This file makes templates: what an instrumented program carries so that the file it
// writes when it ends is a complete bundle. Such a file is the second version of the
// container:
//
//	"PSPAN\r\n\x02"
//	size        of the template, from the magic to the seal
//	maxima, 0   length of the list, and of one that versions up to 1 had behind it
//	maxima...   32 bits each, ascending: counters that keep a maximum, not a sum
//	zeros       up to a multiple of 8
//	length      of the body in bytes
//	body        bundlepb.Template, gzip-compressed; zeros up to a multiple of 8
//	seal        the first 8 bytes of the SHA-256 of all before it
//	counts      a raw profile (raw.go)
//
// Numbers are 64-bit and little-endian. The list is what the run-time library needs
// to add up runs; it compares the rest of the template byte by byte.

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"google.golang.org/protobuf/proto"

	"pathspan/build/probe"
	"pathspan/pathprof"
	"pathspan/profile/bundlepb"
)

// templateMagic opens a bundle that a program wrote itself.
const templateMagic = "PSPAN\r\n\x02"

// templateFormat is the version of the schema of templates, oldestTemplate the first that is
// read: before 4, compact modules spelled every label.
const (
	templateFormat = 4
	oldestTemplate = 3
)

// Template returns the template of a program: b without counts, its probes as planned
// by in and as Apply numbered them. The run-time library finds it in the program as
// __pathspan_template, of __pathspan_template_size bytes. Its length is a multiple
// of 8. Equal programs give equal bytes.
func Template(b *Bundle, in *pathprof.Instrumentation, applied *probe.Applied) ([]byte, error) {
	bare := *b
	bare.Funcs, bare.Targets, bare.Executions, bare.Lost, bare.Branches = nil, nil, nil, nil, nil
	if in.Work != nil {
		bare.Executions = &Executions{Kinds: in.Work.Kinds, Weights: in.Work.Weights, Vectors: in.Work.Vectors}
	}
	bare.Provenance.Runs, bare.Provenance.ModuleHash = nil, in.Hash
	layout := in.Layout()
	m := &bundlepb.Template{Bundle: toProto(&bare), ArrayLimit: in.Limits.Array, NodeLimit: in.Limits.Node,
		Threads: in.Planner.Plan.Threads, Layout: layout[:], Targets: toUint32(applied.Targets)}
	m.Bundle.Format = templateFormat
	slim(m)
	for _, s := range applied.CallSites {
		m.SiteFuncs = append(m.SiteFuncs, uint32(s.Func))
		m.SiteBlocks = append(m.SiteBlocks, uint32(s.Block))
		m.SiteNths = append(m.SiteNths, uint32(s.Nth))
	}
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return nil, err
	}
	body, err := pack(raw, 7) // made once, written with every run; 9 takes twice the time for 1.5 % less
	if err != nil {
		return nil, err
	}
	maxima, err := maxima(in)
	if err != nil {
		return nil, err
	}
	word := binary.LittleEndian.AppendUint64
	out := word([]byte(templateMagic), 0)
	out = word(word(out, uint64(len(maxima))), 0)
	for _, i := range maxima {
		out = binary.LittleEndian.AppendUint32(out, i)
	}
	out = word(fill(out), uint64(len(body)))
	out = fill(append(out, body...))
	binary.LittleEndian.PutUint64(out[8:], uint64(len(out)+8))
	seal := sha256.Sum256(out)
	return append(out, seal[:8]...), nil
}

// fill appends zeros up to a multiple of 8.
func fill(b []byte) []byte { return append(b, make([]byte, -len(b)&7)...) }

// maxima lists the counters that keep the largest number of iterations.
func maxima(in *pathprof.Instrumentation) ([]uint32, error) {
	if in.Planner.Plan.Counters > math.MaxUint32 {
		return nil, fmt.Errorf("%d counters are more than a program can write itself; profile it with pathspan profile", in.Planner.Plan.Counters)
	}
	var list []uint32
	for _, layouts := range in.Planner.Layouts {
		for _, l := range layouts {
			if l.Trips >= 0 {
				list = append(list, uint32(l.Trips))
			}
		}
	}
	slices.Sort(list)
	return list, nil
}

// splitTemplate tells the template from the counts behind it and returns the
// template's body.
func splitTemplate(raw []byte) (body, counts []byte, err error) {
	short := errors.New("the bundle is truncated; copy it again or run the program again")
	corrupt := errors.New("the bundle's template is corrupt; copy it again or run the program again")
	word := func(at uint64) uint64 { return binary.LittleEndian.Uint64(raw[at:]) }
	if len(raw) < 32 {
		return nil, nil, short
	}
	size := word(8)
	if size > uint64(len(raw)) {
		return nil, nil, short
	}
	if size < 48 || size%8 != 0 {
		return nil, nil, corrupt
	}
	if seal := sha256.Sum256(raw[:size-8]); !bytes.Equal(seal[:8], raw[size-8:size]) {
		return nil, nil, corrupt
	}
	lists := word(16) + word(24)
	if word(16) > size || word(24) > size || lists > (size-48)/4 {
		return nil, nil, corrupt
	}
	at := 32 + (4*lists+7)/8*8
	if word(at) > size-8-(at+8) {
		return nil, nil, corrupt
	}
	return raw[at+8 : at+8+word(at)], raw[size:], nil
}
