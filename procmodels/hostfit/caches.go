package hostfit

// This file measures what accesses wait for that the first cache does not have, over as many bytes as fit into one level and not
// into the one before (L. McVoy, C. Staelin, "lmbench", USENIX 1996). There each load says where the next is, so that each waits as long as the
// line takes. Here none waits for another, as in most programs: what goes on meanwhile on a processor that executes out of order
// is no time of theirs. How large caches are the system says.

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"pathspan/bounded"
)

// Cache is a level of caches for data.
type Cache struct {
	Name             string
	Size, Line, Ways int64
	Shared           bool    // by several processors
	Longer           float64 // cycles that an access takes longer which finds its line here and not before; 0 of the first
}

// leastLonger is written of a level that loads do not wait for at all: others go on meanwhile.
const leastLonger = 0.1

// The ladder's loads of each level, and the most bytes of what the system may say of a cache.
const (
	ladderLoads = 2_000_000
	sysText     = 4096
)

// readCaches reads what Linux says of the first processor's; nil where it says nothing.
func readCaches(cpus string) (list []Cache) {
	for i := 0; ; i++ {
		read := func(name string) string {
			text, err := bounded.ReadFile(filepath.Join(cpus, "cpu0/cache", fmt.Sprintf("index%d", i), name), sysText)
			if err != nil {
				return ""
			}
			return strings.TrimSpace(string(text))
		}
		number := func(name string) int64 {
			text, kilo := strings.CutSuffix(read(name), "K")
			n, _ := strconv.ParseInt(text, 10, 64)
			if kilo {
				n *= 1024
			}
			return n
		}
		kind := read("type")
		if kind == "" {
			return list
		}
		c := Cache{Name: "L" + read("level"), Size: number("size"), Line: number("coherency_line_size"), Ways: number("ways_of_associativity"), Shared: strings.ContainsAny(read("shared_cpu_list"), ",-")}
		if kind != "Instruction" && c.Size > 0 && c.Line > 0 {
			list = append(list, c)
		}
	}
}

// ladder measures each level, and main memory behind the last.
func (opt *Options) ladder(ctx context.Context, figures string, perCycle float64) (list []Cache, main float64, err error) {
	list = readCaches(opt.CPUs)
	if len(list) == 0 {
		return nil, 0, nil
	}
	first := 0.0
	for i := range len(list) + 1 {
		var size int64
		switch {
		case i == 0:
			size = list[0].Size / 2
		case i < len(list):
			size = max(2*list[i-1].Size, list[i].Size/4)
		default:
			size = 4 * list[i-1].Size
		}
		load, err := opt.wander(ctx, figures, size)
		if err != nil {
			return nil, 0, err
		}
		load /= perCycle
		switch {
		case i == 0:
			first = load
		case i < len(list):
			list[i].Longer = max(0, load-first)
		default:
			main = max(0, load-first)
		}
	}
	return list, main, nil
}

// wander returns the seconds that a load takes over so many bytes, without what it takes to lay them out.
func (opt *Options) wander(ctx context.Context, figures string, size int64) (float64, error) {
	var with, without timing
	for range opt.Rounds {
		for _, of := range []struct {
			times *timing
			loads int
		}{{&with, ladderLoads}, {&without, 0}} {
			t, err := opt.Timer.Time(ctx, figures, fmt.Sprintf("wander:%d", size), strconv.Itoa(of.loads))
			if err != nil {
				return 0, err
			}
			*of.times = append(*of.times, t)
		}
	}
	return max(0, with.least()-without.least()) / ladderLoads, nil
}

// Platform returns a platform file of so many of this host's processors, which says what accesses wait for; nil where
// the system says nothing of caches, or nothing is waited for behind them. model is the model's file, as
// seen from the platform's.
func (r *Result) Platform(name, model string, processors int) []byte {
	if len(r.Caches) == 0 || r.Main <= 0 {
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Measured on %s by loads that do not wait for each other; sizes are what the system says.\nname: %s\nprocessors:\n  - {name: cpu, model: %q, count: %d}\nmemory:\n  stores: buffered\n  levels:\n", processor(), name, model, processors)
	for i, c := range r.Caches {
		fmt.Fprintf(&b, "    - {name: %s, size: %d, line: %d", c.Name, c.Size, c.Line)
		if c.Ways > 0 {
			fmt.Fprintf(&b, ", ways: %d", c.Ways)
		}
		if i > 0 {
			fmt.Fprintf(&b, ", latency: %.1f", max(leastLonger, c.Longer))
		}
		if c.Shared && processors > 1 {
			b.WriteString(", shared: true")
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "  main: {latency: %.1f}\n", r.Main)
	if r.Elsewhere != [2]float64{} && processors > 1 {
		fmt.Fprintf(&b, "  elsewhere: {read_ns: %.2f, write_ns: %.2f}\n", max(leastLonger, r.Elsewhere[0]), max(leastLonger, r.Elsewhere[1]))
	}
	return b.Bytes()
}
