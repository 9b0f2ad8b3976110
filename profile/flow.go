package profile

// This file keeps in bundles what a run told of the flow of data.

import (
	"errors"
	"math"

	"pathspan/profile/bundlepb"
	"pathspan/streams"
)

func flowToProto(t *streams.Trace) *bundlepb.Flow {
	if t == nil {
		return nil
	}
	m, files := &bundlepb.Flow{Executions: t.Code(), Omitted: t.Omitted, Sized: t.Sized()}, newInterner()
	for i := range t.Statements {
		s := &t.Statements[i]
		m.Funcs, m.Callers = append(m.Funcs, uint32(s.Func)), append(m.Callers, uint32(s.Caller))
		m.Files = append(m.Files, files.id(s.File))
		m.Lines, m.Cols = append(m.Lines, uint32(s.Line)), append(m.Cols, uint32(s.Col))
	}
	for _, x := range t.Overwrites {
		m.Overwrites = append(m.Overwrites, uint64(x.From), uint64(x.To), x.Back)
	}
	m.Names = files.list
	return m
}

func flowFromProto(m *bundlepb.Flow) (*streams.Trace, error) {
	if m == nil {
		return nil, nil
	}
	t := &streams.Trace{Omitted: m.Omitted}
	n := len(m.Funcs)
	if len(m.Callers) != n || len(m.Files) != n || len(m.Lines) != n || len(m.Cols) != n {
		return nil, errors.New("lists of statements differ in length")
	}
	files := names(m.Names)
	for i := range n {
		if int(m.Files[i]) >= len(files) || m.Lines[i] > math.MaxInt32 || m.Cols[i] > math.MaxInt32 {
			return nil, errors.New("a statement is nowhere")
		}
		t.Statements = append(t.Statements, streams.Statement{Func: int(m.Funcs[i]), Caller: int(m.Callers[i]), File: files[m.Files[i]], Line: int(m.Lines[i]), Col: int(m.Cols[i])})
	}
	if len(m.Overwrites)%3 != 0 {
		return nil, errors.New("what statements write over is cut")
	}
	for i := 0; i < len(m.Overwrites); i += 3 {
		if m.Overwrites[i] >= uint64(n) || m.Overwrites[i+1] >= uint64(n) {
			return nil, errors.New("a statement that there is not writes over another")
		}
		t.Overwrites = append(t.Overwrites, streams.Overwrite{From: int(m.Overwrites[i]), To: int(m.Overwrites[i+1]), Back: m.Overwrites[i+2]})
	}
	return t, t.Decode(m.Executions, m.Sized)
}
