package export

// This file writes a task graph as a homogeneous synchronous dataflow graph in the XML of
// SDF3 (S. Stuijk, M. Geilen, T. Basten, "SDF3: SDF For Free", ACSD 2006).

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"slices"

	"pathspan/estimate"
)

// sdfTimeMax is above the largest time that SDF3 reads: times are unsigned numbers of 32
// bits, and the largest means infinity.
const sdfTimeMax = math.MaxUint32

// sdfUnits are the units of time, the finest that fits is taken.
var sdfUnits = []struct {
	name    string
	seconds float64
}{{"nanoseconds", 1e-9}, {"microseconds", 1e-6}, {"milliseconds", 1e-3}, {"seconds", 1}}

type sdf3File struct {
	XMLName xml.Name `xml:"sdf3"`
	Type    string   `xml:"type,attr"`
	Version string   `xml:"version,attr"`
	XSI     string   `xml:"xmlns:xsi,attr"`
	Schema  string   `xml:"xsi:noNamespaceSchemaLocation,attr"`
	Graph   struct {
		Name       string        `xml:"name,attr"`
		SDF        sdf           `xml:"sdf"`
		Properties []sdfActorExt `xml:"sdfProperties>actorProperties"`
		Channels   []sdfChanExt  `xml:"sdfProperties>channelProperties"`
	} `xml:"applicationGraph"`
	unit string // of times
}

type sdf struct {
	Name     string       `xml:"name,attr"`
	Type     string       `xml:"type,attr"`
	Actors   []sdfActor   `xml:"actor"`
	Channels []sdfChannel `xml:"channel"`
}

type sdfActor struct {
	Name  string    `xml:"name,attr"`
	Type  string    `xml:"type,attr"`
	Ports []sdfPort `xml:"port"`
}

type sdfPort struct {
	Name string `xml:"name,attr"`
	Type string `xml:"type,attr"`
	Rate int    `xml:"rate,attr"`
}

type sdfChannel struct {
	Name    string `xml:"name,attr"`
	Source  string `xml:"srcActor,attr"`
	Out     string `xml:"srcPort,attr"`
	Target  string `xml:"dstActor,attr"`
	In      string `xml:"dstPort,attr"`
	Initial int    `xml:"initialTokens,attr,omitempty"`
}

type sdfActorExt struct {
	Actor      string         `xml:"actor,attr"`
	Processors []sdfProcessor `xml:"processor"`
}

// sdfChanExt tells how many bits a token has.
type sdfChanExt struct {
	Channel string `xml:"channel,attr"`
	Token   struct {
		Bits int64 `xml:"sz,attr"`
	} `xml:"tokenSize"`
}

// sdfProcessor is a kind of processor that an actor can run on. SDF3 takes any that has
// the attribute default for the default, whatever its value.
type sdfProcessor struct {
	Type    string `xml:"type,attr"`
	Default string `xml:"default,attr,omitempty"`
	Time    struct {
		Time int64 `xml:"time,attr"`
	} `xml:"executionTime"`
}

// SDF3 returns the task graph as a dataflow graph: an actor a task, a channel an edge, all
// rates 1. A channel with one token leads from the exit back to the entry, so that
// executions follow each other and the graph is strongly connected, as analyses of its
// throughput want it. Times are whole numbers of the unit that a comment names.
func SDF3(s *Subject, g *TaskGraph) ([]byte, error) {
	file, err := newSDF3(g.Name, "taskGraph", g.Types, len(g.Tasks), func(i int) (string, []float64, int) {
		t := &g.Tasks[i]
		return t.ID, t.ByType, g.typeOf(s, t.Processor)
	})
	if err != nil {
		return nil, err
	}
	for i := range g.Tasks {
		for _, next := range g.Tasks[i].Succs {
			channel := file.connect(i, next, 0)
			if bytes, ok := g.Bytes[estimate.Edge{From: i, To: next}]; ok {
				file.sized(channel, 8*int64(bytes))
			}
		}
	}
	file.connect(len(g.Tasks)-1, 0, 1)
	return file.encode(g.describe(s))
}

// newSDF3 makes a file of so many actors: each has a name, seconds by type of processor, and the
// index of its own type, -1 for none.
func newSDF3(name, kind string, types []ProcessorType, actors int, actor func(i int) (name string, byType []float64, own int)) (*sdf3File, error) {
	longest := 0.0
	for i := range actors {
		_, byType, _ := actor(i)
		longest = max(longest, slices.Max(byType))
	}
	file := &sdf3File{Type: "sdf", Version: "1.0", XSI: "http://www.w3.org/2001/XMLSchema-instance", Schema: "http://www.es.ele.tue.nl/sdf3/xsd/sdf3-sdf.xsd"}
	unit := sdfUnits[0]
	for _, u := range sdfUnits {
		if unit = u; longest/u.seconds < sdfTimeMax-1 {
			break
		}
	}
	if longest/unit.seconds >= sdfTimeMax-1 {
		return nil, fmt.Errorf("sdf3: a task takes %g s, more than SDF3 can hold", longest)
	}
	file.unit = unit.name
	file.Graph.Name, file.Graph.SDF.Name, file.Graph.SDF.Type = name, name, kind
	for i := range actors {
		id, byType, own := actor(i)
		file.Graph.SDF.Actors = append(file.Graph.SDF.Actors, sdfActor{Name: id, Type: id})
		ext := sdfActorExt{Actor: id}
		for k, x := range byType {
			p := sdfProcessor{Type: types[k].Name}
			p.Time.Time = int64(math.Round(x / unit.seconds))
			if k == own {
				p.Default = "true"
			}
			ext.Processors = append(ext.Processors, p)
		}
		file.Graph.Properties = append(file.Graph.Properties, ext)
	}
	return file, nil
}

func (f *sdf3File) connect(from, to, tokens int) string { return f.Graph.SDF.connect(from, to, tokens) }

// sized says how many bits a token of a channel has.
func (f *sdf3File) sized(channel string, bits int64) {
	ext := sdfChanExt{Channel: channel}
	ext.Token.Bits = bits
	f.Graph.Channels = append(f.Graph.Channels, ext)
}

// encode writes the file, behind a comment that says what it is of.
func (f *sdf3File) encode(of string) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(xml.Header)
	out.WriteString("<!-- " + comment(of) + " -->\n<!-- execution times in " + f.unit + " -->\n")
	enc := xml.NewEncoder(&out)
	enc.Indent("", "  ")
	if err := enc.Encode(f); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// connect adds a channel and its ports, and returns its name.
func (n *sdf) connect(from, to, tokens int) string {
	name := fmt.Sprintf("ch%d", len(n.Channels))
	a, b := &n.Actors[from], &n.Actors[to]
	out, in := fmt.Sprintf("out%d", len(a.Ports)), fmt.Sprintf("in%d", len(b.Ports))
	if from == to {
		in = fmt.Sprintf("in%d", len(b.Ports)+1)
	}
	a.Ports = append(a.Ports, sdfPort{out, "out", 1})
	b.Ports = append(b.Ports, sdfPort{in, "in", 1})
	n.Channels = append(n.Channels, sdfChannel{name, a.Name, out, b.Name, in, tokens})
	return name
}

// comment makes a text fit for an XML comment, which must not hold two hyphens in a row
// nor end in one.
func comment(s string) string {
	var out []byte
	for i := range len(s) {
		if s[i] == '-' && len(out) > 0 && out[len(out)-1] == '-' {
			out = append(out, ' ')
		}
		out = append(out, s[i])
	}
	return string(out)
}
