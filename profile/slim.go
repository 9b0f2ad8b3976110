package profile

// This file makes templates small: the module is told in its compact form, and the view of
// the program, which but for locations can be built of the module, is left out.

import (
	"bytes"
	"errors"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"pathspan/ir"
	"pathspan/ir/compact"
	"pathspan/profile/bundlepb"
)

// slim leaves out of a template what unslim can put back exactly.
func slim(t *bundlepb.Template) {
	module, full := t.Bundle.Module, t.Bundle.Program
	text, ok := compact.Encode(module)
	if !ok {
		return
	}
	t.CompactModule = text
	t.Bundle.Program = without(full, "funcs", "strings")
	last := uint32(0)
	for _, f := range full.Funcs {
		t.Bundle.Program.Funcs = append(t.Bundle.Program.Funcs, without(f, "blocks"))
		for _, b := range f.Blocks {
			t.Files, t.Cols = append(t.Files, b.Files...), append(t.Cols, b.Cols...)
			for _, line := range b.Lines {
				t.Lines = append(t.Lines, int32(line-last))
				last = line
			}
		}
	}
	err := unslim(t)
	if err != nil || !bytes.Equal(t.Bundle.Module, module) {
		t.Bundle.Module, t.CompactModule = module, nil
	} else {
		t.Bundle.Module = nil
	}
	if t.CompactModule == nil || !proto.Equal(t.Bundle.Program, full) {
		t.Bundle.Program, t.Files, t.Lines, t.Cols = full, nil, nil, nil
		return
	}
	t.Bundle.Program.Strings = nil
	for _, f := range t.Bundle.Program.Funcs {
		f.Blocks = nil
	}
}

// without is a message without some of its fields; it shares the others.
func without[M proto.Message](m M, left ...protoreflect.Name) M {
	out := m.ProtoReflect().New()
	m.ProtoReflect().Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if !slices.Contains(left, f.Name()) {
			out.Set(f, v)
		}
		return true
	})
	return out.Interface().(M)
}

// unslim puts back what slim left out.
func unslim(t *bundlepb.Template) error {
	if len(t.CompactModule) == 0 {
		return nil
	}
	var err error
	if t.Bundle.Module, err = compact.Decode(t.CompactModule); err != nil {
		return err
	}
	p := t.Bundle.Program
	if p == nil {
		return errors.New("it holds no program")
	}
	for _, f := range p.Funcs {
		if len(f.Blocks) > 0 {
			return nil
		}
	}
	view, err := ir.Read(t.Bundle.Module)
	if err != nil {
		return err
	}
	built := programToProto(view)
	other := errors.New("its program is not that of its module")
	if len(built.Funcs) != len(p.Funcs) || len(t.Lines) != len(t.Files) || len(t.Cols) != len(t.Files) {
		return other
	}
	at, last := 0, uint32(0)
	for i, f := range built.Funcs {
		for _, b := range f.Blocks {
			n := len(b.Ops)
			if n > len(t.Files)-at {
				return other
			}
			b.Files, b.Cols = t.Files[at:at+n:at+n], t.Cols[at:at+n:at+n]
			for k := range b.Lines {
				last += uint32(t.Lines[at+k])
				b.Lines[k] = last
			}
			at += n
		}
		p.Funcs[i].Blocks = f.Blocks
	}
	if at != len(t.Files) {
		return other
	}
	p.Strings = built.Strings
	return nil
}
