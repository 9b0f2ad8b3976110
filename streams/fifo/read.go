package fifo

// This file reads networks:
//
//	fifos:
//	  data: {depth: 2, width: 32, initial: 0}
//	modules:
//	  source:
//	    iterations: 1000
//	    ii: 1
//	    latency: 3
//	    writes: {data: 2}                       # in the third cycle
//	  sink:
//	    iterations: 500
//	    runs: 2                                 # loops of 500, one behind the other
//	    pause: 10                               # before each
//	    ii: 1
//	    latency: 1
//	    pipeline: flush
//	    reads: {data: {at: 0, tokens: 1, when: 1}}
//
// An access is a cycle, or a mapping, or a list of those.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

// Bounds of what a file may say. MostCycles is of a module that never stalls.
const (
	mostDepth   = 1 << 40
	mostLatency = 1 << 20
	mostCycles  = 1 << 50
	mostPattern = 1 << 20
	mostModules = 1 << 10
	mostFIFOs   = 1 << 12
	mostTokens  = 1 << 60
	mostFlight  = 1 << 22 // iterations of all modules that have started and are not over
)

const defaultWidth = 32

// Read reads a file of that name.
func Read(file string, data []byte) (*Network, error) {
	r := yamlstrict.Parse(file, data)
	top := r.Root().Fields("schema", "fifos", "modules")
	top.Schema("pathspan.network/1", false)
	rd := reader{known: map[string]int{}}
	fifos := top.Need("fifos").Entries()
	if len(fifos) > mostFIFOs {
		fifos[mostFIFOs].Value.Fail("fifos: want %d at most", mostFIFOs)
	}
	for _, e := range fifos {
		f := e.Value.Fields("depth", "width", "initial")
		q := FIFO{Name: e.Key, Depth: int64(f.Need("depth").Int(1, mostDepth)), Width: defaultWidth, Writer: -1, Reader: -1}
		if v := f.Get("width"); v.Has() {
			q.Width = int64(v.Int(1, 1<<20))
		}
		if v := f.Get("initial"); v.Has() {
			if q.Initial = int64(v.Int(0, mostDepth)); q.Initial > q.Depth {
				v.Fail("fifos.%s: %d tokens at the start in a depth of %d: want a depth of %d or more", q.Name, q.Initial, q.Depth, q.Initial)
			}
		}
		rd.known[e.Key] = len(rd.net.FIFOs)
		rd.names = append(rd.names, e.Key)
		rd.at = append(rd.at, e)
		rd.net.FIFOs = append(rd.net.FIFOs, q)
	}
	modules := top.Need("modules").Entries()
	if len(modules) > mostModules {
		modules[mostModules].Value.Fail("modules: want %d at most", mostModules)
	}
	if r.Err() == nil && len(modules) == 0 {
		top.Need("modules").Fail("modules: want one or more")
	}
	for _, e := range modules {
		if r.Err() != nil {
			break
		}
		rd.module(e)
	}
	if r.Err() == nil {
		rd.ends()
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return &rd.net, nil
}

type reader struct {
	net    Network
	flight int64
	known  map[string]int
	names  []string
	at     []yamlstrict.Entry // of FIFOs
}

func (rd *reader) module(e yamlstrict.Entry) {
	f := e.Value.Fields("iterations", "runs", "pause", "ii", "latency", "pipeline", "reads", "writes")
	m := Module{
		Name: e.Key, Runs: 1,
		Iterations: int64(f.Need("iterations").Int(1, mostDepth)),
		II:         int64(f.Need("ii").Int(1, mostLatency)),
		Latency:    int64(f.Need("latency").Int(1, mostLatency)),
	}
	if v := f.Get("runs"); v.Has() {
		m.Runs = int64(v.Int(1, mostDepth))
	}
	if v := f.Get("pause"); v.Has() {
		m.Pause = int64(v.Int(0, mostLatency))
	}
	if v := f.Get("pipeline"); v.Has() {
		m.Flush = v.Word("stall", "flush") == "flush"
	}
	if x := float64(m.Runs) * (float64(m.Pause) + float64(m.II)*float64(m.Iterations) + float64(m.Latency)); x > mostCycles {
		e.Value.Fail("modules.%s: it takes %.3g cycles: want %d at most", m.Name, x, int64(mostCycles))
	}
	if rd.flight += (m.Latency-1)/max(m.II, 1) + 1; rd.flight > mostFlight {
		e.Value.Fail("modules.%s: up to here %d iterations are under way at once: want %d at most, with a larger ii or a smaller latency", m.Name, rd.flight, mostFlight)
	}
	m.Reads = rd.accesses(f.Get("reads"), &m, func(q *FIFO) *int { return &q.Reader }, "reads")
	m.Writes = rd.accesses(f.Get("writes"), &m, func(q *FIFO) *int { return &q.Writer }, "writes")
	rd.net.Modules = append(rd.net.Modules, m)
}

// accesses reads what a module reads or writes, and makes it the only one that does.
func (rd *reader) accesses(v yamlstrict.Value, m *Module, side func(*FIFO) *int, does string) (out []Access) {
	if !v.Has() {
		return nil
	}
	for _, e := range v.Entries() {
		i, ok := rd.known[e.Key]
		if !ok {
			hint := ""
			if near := yamlstrict.Nearest(e.Key, rd.names); near != "" {
				hint = ", but " + near
			}
			e.Value.Fail("modules.%s: it %s %s, and fifos has no such FIFO%s", m.Name, does, e.Key, hint)
			return nil
		}
		q := &rd.net.FIFOs[i]
		if who := side(q); *who >= 0 {
			e.Value.Fail("modules.%s: it %s %s, which %s %s as well: a FIFO has one module at each end", m.Name, does, q.Name, rd.net.Modules[*who].Name, does)
			return nil
		}
		*side(q) = len(rd.net.Modules)
		list := []yamlstrict.Value{e.Value}
		if !e.Value.IsScalar() && !e.Value.IsMapping() {
			if list = e.Value.List(); len(list) == 0 {
				e.Value.Fail("modules.%s: it %s %s in no cycle: want one", m.Name, does, q.Name)
			}
		}
		first := len(out)
		for _, x := range list {
			a := Access{FIFO: i, Tokens: 1}
			if x.IsMapping() {
				f := x.Fields("at", "tokens", "when")
				a.At = int64(f.Need("at").Int(0, mostLatency))
				if t := f.Get("tokens"); t.Has() {
					a.Tokens = int64(t.Int(1, mostDepth))
				}
				if w := f.Get("when"); w.Has() {
					a.When = pattern(w)
				}
			} else {
				a.At = int64(x.Int(0, mostLatency))
			}
			switch {
			case a.At >= m.Latency:
				x.Fail("modules.%s: it %s %s in cycle %d of an iteration of %d: want 0 to %d", m.Name, does, q.Name, a.At, m.Latency, m.Latency-1)
			case a.Tokens > q.Depth:
				x.Fail("modules.%s: it %s %d tokens of %s at once, whose depth is %d: want that or more", m.Name, does, a.Tokens, q.Name, q.Depth)
			case len(out) > first && a.At <= out[len(out)-1].At:
				x.Fail("modules.%s: it %s %s in cycle %d, and before that in the list in cycle %d: want later cycles", m.Name, does, q.Name, a.At, out[len(out)-1].At)
			case len(out) > first && a.At-out[first].At >= m.II:
				x.Fail("modules.%s: with an ii of %d an iteration would %s %s before the one before is through with it: want an ii of %d or more",
					m.Name, m.II, strings.TrimSuffix(does, "s"), q.Name, a.At-out[first].At+1)
			}
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b Access) int { return a.FIFO - b.FIFO })
	return out
}

// pattern reads a text of 0 and 1.
func pattern(v yamlstrict.Value) []bool {
	text := v.Text()
	if text != "" && (strings.Trim(text, "01") != "" || !strings.Contains(text, "1") || len(text) > mostPattern) {
		v.Fail("when: want 0 and 1, a 1 for each iteration in which it does, %d of them at most and not all 0", mostPattern)
	}
	out := make([]bool, len(text))
	for i := range out {
		out[i] = text[i] == '1'
	}
	return out
}

// ends checks that FIFOs have two ends, and that as much comes in as goes out.
func (rd *reader) ends() {
	for i, q := range rd.net.FIFOs {
		fail := func(format string, args ...any) {
			rd.at[i].Value.Fail("%s", fmt.Sprintf("fifos.%s: ", q.Name)+fmt.Sprintf(format, args...))
		}
		switch {
		case q.Writer < 0 && q.Reader < 0:
			fail("no module writes or reads it")
		case q.Writer < 0:
			fail("%s reads it, and no module writes it", rd.net.Modules[q.Reader].Name)
		case q.Reader < 0:
			fail("%s writes it, and no module reads it", rd.net.Modules[q.Writer].Name)
		default:
			w, r, ok := rd.net.moved(i)
			if !ok {
				fail("want %d tokens written and read at most, in all iterations together", int64(mostTokens))
			} else if r > w+q.Initial {
				fail("%s reads %d tokens, of %d that it holds at the start and %d that %s writes", rd.net.Modules[q.Reader].Name, r, q.Initial, w, rd.net.Modules[q.Writer].Name)
			}
		}
	}
}

// moved is how many tokens are written to a FIFO, and read from it, until all modules are over,
// and whether these are not too many.
func (n *Network) moved(fifo int) (written, read int64, ok bool) {
	for _, m := range n.Modules {
		for k, list := range [][]Access{m.Writes, m.Reads} {
			for _, a := range list {
				sum := []*int64{&written, &read}[k]
				switch {
				case a.FIFO != fifo:
				case float64(a.Tokens)*float64(m.Total()) > mostTokens:
					return 0, 0, false
				default:
					if *sum += a.moved(m.Total()); *sum > mostTokens {
						return 0, 0, false
					}
				}
			}
		}
	}
	return written, read, true
}
