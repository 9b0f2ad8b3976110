package estimate

// This file tests that functions come in one order, in which figures are added up: rounding hangs on it.

import (
	"reflect"
	"testing"

	"pathspan/pathprof"
)

func TestComponentsAreSteady(t *testing.T) {
	l := parseLiteral(t, `
		func main
		a 1: @f @g @h @i @j @k ->
		func f
		a 1: ->
		func g
		a 1: ->
		func h
		a 1: @k ->
		func i
		a 1: ->
		func j
		a 1: ->
		func k
		a 1: ->`)
	for _, f := range []string{"main", "f", "g", "h", "i", "j", "k"} {
		l.run(f, 0, pathprof.EndFunction, map[string]string{"k": "2: a"}[f]+map[bool]string{true: "1: a"}[f != "k"])
	}
	var first [][]int
	for range 20 {
		a, err := Prepare(l.bundle, "")
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = a.Components()
		} else if !reflect.DeepEqual(first, a.Components()) {
			t.Fatalf("functions come as %v, then as %v", first, a.Components())
		}
	}
}
