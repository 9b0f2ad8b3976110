package profile

// This file writes flows of data into messages and reads them back.

import (
	"reflect"
	"testing"

	"pathspan/profile/bundlepb"
	"pathspan/streams"
)

func TestFlowMessages(t *testing.T) {
	for _, sized := range []bool{false, true} {
		flowMessages(t, sized)
	}
}

func flowMessages(t *testing.T, sized bool) {
	a := &streams.Trace{Omitted: 3, Statements: []streams.Statement{{Func: 1, File: "a.c", Line: 2, Col: 3}, {Func: 2, Caller: 1, File: "b.c", Line: 9}}}
	for i, does := range []streams.Does{0, streams.Writes, streams.Enters} {
		var from []int32
		if i == 2 {
			from = []int32{0, 1}
		}
		var err error
		if sized {
			err = a.AddSized(i%2, does, from, []uint32{8, 1 << 31}[:len(from)])
		} else {
			err = a.Add(i%2, does, from...)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	a.Overwrites = []streams.Overwrite{{From: 0, To: 1, Back: 6}}
	b, err := flowFromProto(flowToProto(a))
	if err != nil || !reflect.DeepEqual(flowToProto(a), flowToProto(b)) || !reflect.DeepEqual(a.Statements, b.Statements) || b.Len() != 3 || b.Omitted != 3 || !reflect.DeepEqual(a.Bytes(2), b.Bytes(2)) || !reflect.DeepEqual(a.Overwrites, b.Overwrites) {
		t.Errorf("%+v became %+v (%v)", a, b, err)
	}
	for what, forge := range map[string]func(m *bundlepb.Flow){
		"lists of other lengths":  func(m *bundlepb.Flow) { m.Lines = m.Lines[1:] },
		"a file that is not":      func(m *bundlepb.Flow) { m.Files[0] = 9 },
		"a line below 0":          func(m *bundlepb.Flow) { m.Lines[0] = 1 << 31 },
		"another statement":       func(m *bundlepb.Flow) { m.Executions = []byte{2 << 3, 0} },
		"what is overwritten cut": func(m *bundlepb.Flow) { m.Overwrites = m.Overwrites[1:] },
		"nobody who overwrites":   func(m *bundlepb.Flow) { m.Overwrites[1] = 2 },
		"a late producer":         func(m *bundlepb.Flow) { m.Executions = []byte{0, 1, 1} },
	} {
		m := flowToProto(a)
		forge(m)
		if _, err := flowFromProto(m); err == nil {
			t.Errorf("%s was read", what)
		}
	}
	if b.Check(3) != nil || b.Check(2) == nil {
		t.Error("functions that there are not, or that there are")
	}
}
