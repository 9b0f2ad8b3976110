package measure

// This file measures what our run-time library needs to start sections and to join
// them, as a platform's overheads say it.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pathspan/mapping"
	"pathspan/pathprof/record"
)

// Overheads are what a region of one section a processor costs beside its sections.
type Overheads struct {
	Processors int
	Executions int
	// Create is from the fork to the start of the last section to start, Sync from the
	// end of the last section to end to the end of the region.
	Create, Sync Quartiles
}

// Quartiles of measured times.
type Quartiles struct{ Low, Median, High time.Duration }

// overheadProgram times regions of n equal sections, which work a while each, so that
// all have started before the first ends.
func overheadProgram(n int) string {
	var b strings.Builder
	b.WriteString(`#include <stdio.h>
#include <time.h>
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}
static double first[64], last[64];
static void section(int i)
{
    first[i] = now();
    while (now() - first[i] < 20000)
        ;
    last[i] = now();
}
int main(void)
{
    for (int k = 0; k < ` + fmt.Sprint(overheadRuns) + `; k++) {
        double fork = now();
        #pragma omp parallel sections
        {
`)
	for i := range n {
		fmt.Fprintf(&b, "            #pragma omp section\n            section(%d);\n", i)
	}
	b.WriteString(`        }
        double join = now(), started = 0, ended = 0;
        for (int i = 0; i < ` + fmt.Sprint(n) + `; i++) {
            started = first[i] > started ? first[i] : started;
            ended = last[i] > ended ? last[i] : ended;
        }
        printf("%.0f %.0f\n", started - fork, join - ended);
    }
    return 0;
}
`)
	return b.String()
}

const (
	overheadRuns = 2000
	mostSections = 64
)

// MeasureOverheads builds and runs a program of n sections on n processors.
func MeasureOverheads(ctx context.Context, r *record.Recorder, n int) (*Overheads, error) {
	if n < 2 || n > mostSections {
		return nil, fmt.Errorf("overheads are measured on 2 to %d processors, not %d", mostSections, n)
	}
	source := filepath.Join(r.Dir, "overheads.c")
	if err := os.WriteFile(source, []byte(overheadProgram(n)), 0o644); err != nil {
		return nil, err
	}
	b, err := r.Costed(ctx, record.Options{Sources: []string{source}, Level: "2"})
	if err != nil {
		return nil, err
	}
	exe, err := r.Parallel(ctx, b)
	if err != nil {
		return nil, err
	}
	host, err := ThisHost()
	if err != nil {
		return nil, err
	}
	pl := mapping.Homogeneous(n, "")
	m := Mapping{Resolved: mapping.Default(pl, b.Program)}
	m.CPUs, m.Spin, _ = host.Place(n)
	path := filepath.Join(r.Dir, "overheads.mapping")
	if err := os.WriteFile(path, []byte(m.Text()), 0o644); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_, status, err := r.Timed(ctx, exe, nil, record.Streams{Stdout: &out, Stderr: io.Discard}, "PATHSPAN_MAPPING="+path)
	if err != nil {
		return nil, err
	}
	if status != (record.Status{}) {
		return nil, fmt.Errorf("the program that measures overheads %s", status)
	}
	return readOverheads(&out, n)
}

func readOverheads(r io.Reader, n int) (*Overheads, error) {
	var create, sync []time.Duration
	in := bufio.NewScanner(r)
	for in.Scan() {
		var c, s float64
		if _, err := fmt.Sscan(in.Text(), &c, &s); err != nil {
			return nil, fmt.Errorf("the program that measures overheads printed %.40q", in.Text())
		}
		create, sync = append(create, time.Duration(max(c, 0))), append(sync, time.Duration(max(s, 0)))
	}
	if len(create) == 0 {
		return nil, fmt.Errorf("the program that measures overheads printed nothing")
	}
	return &Overheads{Processors: n, Executions: len(create), Create: quartiles(create), Sync: quartiles(sync)}, in.Err()
}

func quartiles(t []time.Duration) Quartiles {
	slices.Sort(t)
	return Quartiles{quantile(t, 0.25), quantile(t, 0.5), quantile(t, 0.75)}
}
