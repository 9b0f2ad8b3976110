package fifo

// This file writes networks as Read reads them.

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// YAML is a file that Read makes the same network of.
func (n *Network) YAML() []byte {
	var b bytes.Buffer
	fmt.Fprint(&b, "schema: pathspan.network/1\nfifos:")
	if len(n.FIFOs) == 0 {
		fmt.Fprint(&b, " {}")
	}
	fmt.Fprintln(&b)
	for _, q := range n.FIFOs {
		fmt.Fprintf(&b, "  %s: {depth: %d", key(q.Name), q.Depth)
		if q.Width != defaultWidth {
			fmt.Fprintf(&b, ", width: %d", q.Width)
		}
		if q.Initial != 0 {
			fmt.Fprintf(&b, ", initial: %d", q.Initial)
		}
		fmt.Fprintln(&b, "}")
	}
	fmt.Fprintln(&b, "modules:")
	for i := range n.Modules {
		m := &n.Modules[i]
		fmt.Fprintf(&b, "  %s:\n    iterations: %d\n", key(m.Name), m.Iterations)
		if m.Runs != 1 {
			fmt.Fprintf(&b, "    runs: %d\n", m.Runs)
		}
		if m.Pause != 0 {
			fmt.Fprintf(&b, "    pause: %d\n", m.Pause)
		}
		fmt.Fprintf(&b, "    ii: %d\n    latency: %d\n", m.II, m.Latency)
		if m.Flush {
			fmt.Fprintln(&b, "    pipeline: flush")
		}
		n.writeAccesses(&b, "reads", m.Reads)
		n.writeAccesses(&b, "writes", m.Writes)
	}
	return b.Bytes()
}

// writeAccesses writes accesses, which are together by FIFO.
func (n *Network) writeAccesses(b *bytes.Buffer, does string, list []Access) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "    %s:\n", does)
	for i := 0; i < len(list); {
		first := i
		for i < len(list) && list[i].FIFO == list[first].FIFO {
			i++
		}
		var texts []string
		for _, a := range list[first:i] {
			texts = append(texts, a.yaml())
		}
		text := texts[0]
		if len(texts) > 1 {
			text = "[" + strings.Join(texts, ", ") + "]"
		}
		fmt.Fprintf(b, "      %s: %s\n", key(n.FIFOs[list[first].FIFO].Name), text)
	}
}

func (a *Access) yaml() string {
	if a.Tokens == 1 && len(a.When) == 0 {
		return fmt.Sprint(a.At)
	}
	text := fmt.Sprintf("{at: %d", a.At)
	if a.Tokens != 1 {
		text += fmt.Sprintf(", tokens: %d", a.Tokens)
	}
	if len(a.When) > 0 {
		text += `, when: "`
		for _, is := range a.When {
			if is {
				text += "1"
			} else {
				text += "0"
			}
		}
		text += `"`
	}
	return text + "}"
}

var plain = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// key is a name as a key of YAML.
func key(name string) string {
	if plain.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}
