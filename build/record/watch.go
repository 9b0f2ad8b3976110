package record

// This file notices sections that do not come to their end while a program is profiled
// or replayed: they run one after another, so one that waits for another waits for ever.

import (
	"encoding/binary"
	"fmt"
	"os"
	"time"

	"pathspan/build/probe"
	"pathspan/ir"
	"pathspan/workers"
)

// How often a program is looked at, and how long a section may run before it is named.
// Tests look more often.
var (
	watchEvery = time.Second
	watchLong  = 5 * time.Second
)

// watch tells the run-time library where to show which section runs, and names sections
// that take long until stop is called. It returns the environment of the program.
func (r *Recorder) watch(p *ir.Program) (env []string, stop func()) {
	if len(p.Regions) == 0 || r.Notice == nil {
		return nil, func() {}
	}
	name := r.path("watch")
	if err := os.WriteFile(name, make([]byte, 24), 0o600); err != nil {
		return nil, func() {} // the run is worth more than the watch
	}
	done := make(chan struct{})
	watching := workers.Start(func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		var last [3]uint64
		since, named := time.Now(), false
		for {
			select {
			case <-done:
				return
			case now := <-tick.C:
				data, err := os.ReadFile(name)
				if err != nil || len(data) < 24 {
					return
				}
				seen := [3]uint64{binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:]), binary.LittleEndian.Uint64(data[16:])}
				if m := probe.MarkOf(seen[2]); m != nil && m.Kind == ir.SectionBegin { // a loop that goes by
					seen[0] = seen[2]
				}
				if seen != last {
					last, since, named = seen, now, false
				}
				if seen[0] != 0 && !named && now.Sub(since) >= watchLong {
					named = true
					if m := probe.MarkOf(seen[0]); m != nil && p.HasSection(m) {
						r.Notice(fmt.Sprintf("%s has been running for %s; sections run one after another here, so one that waits for another never ends (Ctrl-C stops the run)",
							p.SectionString(m), now.Sub(since).Round(time.Second)))
					}
				}
			}
		}
	})
	return []string{"PATHSPAN_WATCH=" + name}, func() { close(done); watching.Wait() }
}
