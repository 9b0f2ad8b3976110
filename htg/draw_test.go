package htg

// This file holds drawings of task graphs to the graphs themselves.

import (
	"testing"

	"pathspan/draw"
)

// TestDrawHTG: each task is a node within the boxes of its level and of the sections
// constructs around it, and no other; each precedence is an edge; all can be laid out.
func TestDrawHTG(t *testing.T) {
	nested := 0
	for seed := range int64(60) {
		text, _ := random(seed)
		g, p := build(t, text)
		d := DrawHTG(g, p, nil)
		layout, err := draw.Layout(d)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		index := map[string]int{}
		for i := range d.Nodes {
			index[d.Nodes[i].ID] = i
		}
		edges := map[[2]int]int{}
		for _, e := range d.Edges {
			edges[[2]int{e.From, e.To}]++
		}
		for l, level := range g.Levels {
			for i := range level.Tasks {
				task := &level.Tasks[i]
				at, ok := index["t"+itoa(l)+"_"+itoa(i)]
				if !ok {
					t.Fatalf("seed %d: level %d has no node for %s", seed, l, task.Label)
				}
				for _, s := range task.Succs {
					edges[[2]int{at, index["t"+itoa(l)+"_"+itoa(s)]}]--
				}
				group := d.Nodes[at].Group
				for gr := task.Group; gr >= 0; gr = level.Groups[gr].Parent {
					if d.Groups[group].ID != "sections"+itoa(l)+"_"+itoa(gr) {
						t.Fatalf("seed %d: %s lies in %s", seed, task.Label, d.Groups[group].ID)
					}
					if group = d.Groups[group].Parent; level.Groups[gr].Parent >= 0 {
						nested++
					}
				}
				if d.Groups[group].ID != "level"+itoa(l) || d.Groups[group].Parent != -1 {
					t.Fatalf("seed %d: %s of level %d lies in %s", seed, task.Label, l, d.Groups[group].ID)
				}
			}
		}
		for e, n := range edges {
			if n != 0 {
				t.Fatalf("seed %d: edge %v is drawn %d times too often", seed, e, n)
			}
		}
		for _, e := range layout.Edges {
			if e.Back {
				t.Fatalf("seed %d: an edge of a task graph leads upward", seed)
			}
		}
	}
	if nested == 0 {
		t.Error("no construct lay in another")
	}
}
