// Package forge changes inputs as a fuzzer's bytes say, within their structure: messages
// field by field, texts of modules line by line. Bytes that a fuzzer changes itself
// rarely get past the first check of a reader; what comes from here does.
//
//	forge.Message(m, data)           // each few bytes change a field or a list of m
//	text = forge.Lines(text, data)   // each few bytes change a line or a word
//
// Equal bytes make equal changes. No data, no change.
package forge

// This file changes protobuf messages.

import (
	"math"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// mostChanges bounds what one input changes: what is changed all over is refused at once.
const mostChanges = 8

// change is how many bytes a change takes.
const change = 5

// slot is a place in a message: a field, or an element of a list.
type slot struct {
	in    protoreflect.Message
	field protoreflect.FieldDescriptor
	index int // in a list, -1 for the field as a whole
}

// kind tells fields apart, and lists as a whole from their elements.
func (s *slot) kind() string {
	if s.index < 0 {
		return string(s.field.FullName())
	}
	return string(s.field.FullName()) + "[]"
}

// Message changes m as data says.
func Message(m proto.Message, data []byte) {
	for n := 0; n < mostChanges && len(data) >= change; n++ {
		slots := collect(nil, m.ProtoReflect())
		if len(slots) == 0 {
			return
		}
		// A field first, so that the few regions are met as often as the many instructions.
		var fields [][]int
		known := map[string]int{}
		for i := range slots {
			k, ok := known[slots[i].kind()]
			if !ok {
				k = len(fields)
				known[slots[i].kind()] = k
				fields = append(fields, nil)
			}
			fields[k] = append(fields[k], i)
		}
		of := fields[int(data[0])%len(fields)]
		slots[of[(int(data[1])<<8|int(data[2]))%len(of)]].change(data[3], data[4], slots)
		data = data[change:]
	}
}

// collect lists all places, those of a message before those within it.
func collect(to []slot, m protoreflect.Message) []slot {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		switch {
		case f.IsMap():
		case f.IsList():
			to = append(to, slot{m, f, -1})
			list := m.Get(f).List()
			for k := range list.Len() {
				if f.Message() == nil {
					to = append(to, slot{m, f, k})
				} else {
					to = collect(to, list.Get(k).Message())
				}
			}
		case f.Message() != nil:
			to = append(to, slot{m, f, -1})
			if m.Has(f) {
				to = collect(to, m.Get(f).Message())
			}
		default:
			to = append(to, slot{m, f, -1})
		}
	}
	return to
}

func (s *slot) change(how, by byte, all []slot) {
	switch {
	case s.field.IsList() && s.index < 0:
		s.reorder(how, by)
	case s.field.Message() != nil:
		s.in.Clear(s.field)
	case s.index >= 0:
		list := s.in.Mutable(s.field).List()
		if s.index < list.Len() {
			list.Set(s.index, other(list.Get(s.index), s.field, how, by, all))
		}
	default:
		s.in.Set(s.field, other(s.in.Get(s.field), s.field, how, by, all))
	}
}

// reorder changes a list as a whole.
func (s *slot) reorder(how, by byte) {
	list := s.in.Mutable(s.field).List()
	n := list.Len()
	at := 0
	if n > 0 {
		at = int(by) % n
	}
	clone := func(v protoreflect.Value) protoreflect.Value {
		if s.field.Message() != nil {
			return protoreflect.ValueOfMessage(proto.Clone(v.Message().Interface()).ProtoReflect())
		}
		return v
	}
	switch how % 5 {
	case 0: // one less
		if n > 0 {
			for i := at; i+1 < n; i++ {
				list.Set(i, list.Get(i+1))
			}
			list.Truncate(n - 1)
		}
	case 1: // one twice
		if n > 0 {
			list.Append(clone(list.Get(at)))
		}
	case 2: // two change places
		if n > 1 {
			x, y := clone(list.Get(at)), clone(list.Get((at+1)%n))
			list.Set(at, y)
			list.Set((at+1)%n, x)
		}
	case 3: // nothing behind
		list.Truncate(at)
	case 4: // a new one
		list.Append(list.NewElement())
	}
}

// other gives another value of a field.
func other(v protoreflect.Value, f protoreflect.FieldDescriptor, how, by byte, all []slot) protoreflect.Value {
	far := []int64{0, 1, -1, math.MaxInt32, math.MinInt32, math.MaxUint32, math.MaxInt64, math.MinInt64, 1 << 20, 1 << 53}
	step := func(old int64) int64 {
		switch how % 4 {
		case 0:
			return old + int64(int8(by))
		case 1:
			return int64(by)
		case 2:
			return far[int(by)%len(far)]
		}
		return old ^ 1<<(by%64)
	}
	switch f.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(!v.Bool())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind:
		return protoreflect.ValueOfInt32(int32(step(v.Int())))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind:
		return protoreflect.ValueOfInt64(step(v.Int()))
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(uint32(step(int64(v.Uint()))))
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(uint64(step(int64(v.Uint()))))
	case protoreflect.DoubleKind:
		odd := []float64{0, -1, 1e-300, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), v.Float() * float64(by), v.Float() / 3}
		return protoreflect.ValueOfFloat64(odd[int(by)%len(odd)])
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(string(text([]byte(v.String()), how, by, all)))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(text(v.Bytes(), how, by, all))
	}
	return v
}

// text gives another text: one that stands elsewhere, among others.
func text(old []byte, how, by byte, all []slot) []byte {
	switch how % 4 {
	case 0:
		return nil
	case 1:
		return append(append([]byte{}, old...), by)
	case 2:
		return old[:len(old)*int(by)/256]
	}
	for i := range all {
		s := &all[(i+int(by)*7)%len(all)]
		if s.field.Kind() == protoreflect.BytesKind && !s.field.IsList() && s.in.IsValid() {
			return s.in.Get(s.field).Bytes()
		}
	}
	return old
}
