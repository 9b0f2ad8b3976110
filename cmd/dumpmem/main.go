package main

import (
	"fmt"
	"os"
	"sort"

	"pathspan/ir/flow"
	"pathspan/memory"
	"pathspan/profile"
)

func main() {
	data, _ := os.ReadFile(os.Args[1])
	b, err := profile.Read(data)
	if err != nil {
		panic(err)
	}
	places := memory.PlacesOf(b.Program, flow.Graphs(b.Program))
	d, err := memory.Decode(b.Memory, places)
	if err != nil {
		panic(err)
	}
	name := func(w memory.Who) string {
		if w.Place < 0 {
			return "-"
		}
		p := places.List[w.Place]
		return fmt.Sprintf("%s:%d:%d/%d", b.Program.Funcs[p.Func].Name, p.Loc.Line, p.Into, w.Lane)
	}
	var read, wrote uint64
	byf := map[string][2]uint64{}
	for _, f := range d.Flows {
		read += f.Bytes
		n := b.Program.Funcs[places.List[f.To.Place].Func].Name
		x := byf[n]
		x[0] += f.Bytes
		byf[n] = x
	}
	for _, f := range d.Writes {
		wrote += f.Bytes
		n := b.Program.Funcs[places.List[f.By.Place].Func].Name
		x := byf[n]
		x[1] += f.Bytes
		byf[n] = x
	}
	fmt.Println("read", read, "wrote", wrote, len(b.Memory), "records", len(places.List), "places", len(places.Loops), "loops")
	for n, x := range byf {
		fmt.Println(n, x[0], x[1])
	}
	sort.Slice(d.Flows, func(i, j int) bool { return d.Flows[i].Bytes > d.Flows[j].Bytes })
	for i, f := range d.Flows {
		if i < 12 {
			fmt.Println("flow", name(f.From), "->", name(f.To), f.Bytes, f.Distinct)
		}
	}
	for i, c := range d.Carried {
		if i < 30 {
			l := places.Loops[c.Loop]
			fmt.Println("carried", b.Program.Funcs[l.Func].Name, "header line", b.Program.LocString(b.Program.Funcs[l.Func].Blocks[l.Header].Terminator().Loc), c.Kind, name(c.From), "->", name(c.To), c.Times)
		}
	}
	for _, r := range d.Reuse {
		fmt.Print(r.Lines, ":", r.Times, " ")
	}
	fmt.Println()
}
