package serve

// This file writes answers as JSON.

import (
	"encoding/json"
	"math"
	"strconv"
)

// answerText writes answers. It remembers the texts of figures that are the same for
// many candidates: sequential times, two of each technique.
type answerText struct {
	known []known
}

type known struct {
	value float64
	text  []byte
}

// answer appends the answer to the worker's candidate.
func (w *worker) answer(to []byte, f *fault) []byte {
	to = append(to, `{"id":`...)
	if len(w.c.id) == 0 {
		to = append(to, "null"...)
	} else {
		to = append(to, w.c.id...)
	}
	if f != nil {
		to = append(to, `,"error":{"field":`...)
		to = appendString(to, f.field)
		to = append(to, `,"message":`...)
		to = appendString(to, f.message)
		return append(to, "}}"...)
	}
	to = append(to, `,"results":[`...)
	for i := range w.out {
		r := &w.out[i]
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, `{"technique":"`...)
		to = append(to, r.Technique...)
		to = append(to, `","speedup":`...)
		to = appendFloat(to, r.Speedup)
		to = append(to, `,"parallel_cycles":`...)
		to = appendFloat(to, r.ParallelCycles)
		to = append(to, `,"sequential_cycles":`...)
		to = w.text.remembered(to, int(r.technique)*2, r.SequentialCycles)
		to = append(to, `,"parallel_seconds":`...)
		to = appendFloat(to, r.ParallelSeconds)
		to = append(to, `,"sequential_seconds":`...)
		to = w.text.remembered(to, int(r.technique)*2+1, r.SequentialSeconds)
		to = append(to, '}')
	}
	return append(to, "]}"...)
}

func (a *answerText) remembered(to []byte, slot int, value float64) []byte {
	k := &a.known[slot]
	if k.text == nil || k.value != value {
		k.value, k.text = value, appendFloat(k.text[:0], value)
	}
	return append(to, k.text...)
}

// appendFloat writes the shortest number that reads back as x, as encoding/json does.
func appendFloat(to []byte, x float64) []byte {
	format := byte('f')
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(to, x, format, -1, 64)
}

func appendString(to []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil { // strings always have JSON
		panic(err)
	}
	return append(to, text...)
}
