package main

// This file holds pipelines over time, as reports have them, to the waveforms of the same run.

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

// wave is a signal: its values, each from a time on.
type wave struct {
	at    []float64 // ns
	value []float64
}

// wavesOf reads waveforms, by name, and when they end.
func wavesOf(t *testing.T, text string) (all map[string]*wave, end float64) {
	t.Helper()
	all, names := map[string]*wave{}, map[string]string{}
	for line := range strings.Lines(text) {
		w := strings.Fields(line)
		switch {
		case w[0] == "$var":
			names[w[3]], all[w[4]] = w[4], &wave{}
		case line[0] == '#':
			end, _ = strconv.ParseFloat(w[0][1:], 64)
		case line[0] == 'b' && len(w) == 2:
			n, err := strconv.ParseInt(w[0][1:], 2, 64)
			if err != nil {
				t.Fatal(line)
			}
			x := all[names[w[1]]]
			x.at, x.value = append(x.at, end), append(x.value, float64(n))
		}
	}
	return all, end
}

// over is what a wave is from one time to another: the least, the most, and the mean. What is shorter than a margin
// on either side is not held against least and most.
func (w *wave) over(from, to, end, margin float64) (least, mean, most float64) {
	least = math.Inf(1)
	for i, v := range w.value {
		until := end
		if i+1 < len(w.at) {
			until = w.at[i+1]
		}
		here := min(to, until) - max(from, w.at[i])
		if here <= 0 {
			continue
		}
		mean += v * here / (to - from)
		if min(to, until) > from+margin && max(from, w.at[i]) < to-margin {
			least, most = min(least, v), max(most, v)
		}
	}
	return least, mean, most
}

func TestCoursesAreTheWaveforms(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	for name, args := range map[string][]string{"radio": {"40"}, "jpeg": {"2", "96"}, "video": {"6"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, err := filepath.Abs("../../testdata/pipelines/" + name + ".c")
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "app.pspan")
			succeed(t, append([]string{"profile", "-q", "-o", file, "--plan", planBeside(source), source, "--"}, args...)...)
			var report struct {
				Pipelines []struct {
					pipelined
					Executions float64
					Course     struct {
						Seconds float64
						Items   int
						Busy    [][]float64
						Levels  []struct {
							Depth       int
							Least, Most []float64
							Mean        []float64
						}
						Windows []struct {
							Part       string
							From, To   float64
							Executions []struct {
								Stage, Item, Processor int
								Start, Stop            float64
							}
							Levels [][]struct {
								At    float64
								Items float64
							}
						}
					}
				}
			}
			if err := json.Unmarshal([]byte(succeed(t, "report", "-p", "3", "--format", "json", "-o", "-", file)), &report); err != nil || len(report.Pipelines) != 1 {
				t.Fatal(report, err)
			}
			p := &report.Pipelines[0]
			c := &p.Course
			waves, end := wavesOf(t, succeed(t, "export", "--format", "vcd", "-p", "3", file))
			if !near(end*1e-9, c.Seconds, 1e-6) || len(c.Busy) != len(p.Stages) || len(c.Levels) != len(p.Depths) {
				t.Fatalf("%g ns of %g s, %d stages, %d buffers", end, c.Seconds, len(c.Busy), len(c.Levels))
			}
			slots := len(c.Busy[0])
			wide := end / float64(slots)
			slack := 4*2/wide + 1e-4 // waveforms are in whole ns, drawings of four digits
			for k, s := range p.Stages {
				for i, got := range c.Busy[k] {
					if _, want, _ := waves[s.Name].over(float64(i)*wide, float64(i+1)*wide, end, 0); math.Abs(got-want) > slack {
						t.Errorf("%s works for %g in slot %d, want %g", s.Name, got, i, want)
					}
				}
			}
			for k := range c.Levels {
				l, w := &c.Levels[k], waves["behind_"+p.Stages[k].Name]
				if l.Depth != p.Depths[k] {
					t.Errorf("depth %d of %d", l.Depth, p.Depths[k])
				}
				most, sum := 0.0, 0.0
				for i := range l.Mean {
					from, to := float64(i)*wide, float64(i+1)*wide
					least, mean, highest := w.over(from, to, end, 2)
					outer, _, outmost := w.over(from-2, to+2, end, 0) // what is on the verge may be in or out
					if math.Abs(l.Mean[i]-mean) > slack*float64(l.Depth) || l.Least[i] > least || l.Most[i] < highest || l.Least[i] < outer || l.Most[i] > outmost {
						t.Errorf("buffer %d slot %d: %g %g %g, want %g %g %g", k, i, l.Least[i], l.Mean[i], l.Most[i], least, mean, highest)
					}
					most, sum = max(most, l.Most[i]), sum+l.Mean[i]
				}
				if p.Executions == 1 && (int(most) != p.Levels[k].Most || math.Abs(sum/float64(slots)-p.Levels[k].Mean) > 1e-3) {
					t.Errorf("buffer %d holds %g on average and %g at most, and the pipeline says %+v", k, sum/float64(slots), most, p.Levels[k])
				}
			}
			for _, win := range c.Windows {
				from, to := win.From*1e9, win.To*1e9
				for k, s := range p.Stages {
					worked, last := 0.0, 0
					for _, e := range win.Executions {
						if e.Stage == k {
							worked += min(win.To, e.Stop) - max(win.From, e.Start)
							if !s.Stateless && last > 0 && e.Item != last+1 {
								t.Errorf("%s of %s has item %d behind %d", win.Part, s.Name, e.Item, last)
							}
							last = e.Item
						}
					}
					if _, want, _ := waves[s.Name].over(from, to, end, 0); math.Abs(worked/(win.To-win.From)-want) > 200/(to-from) {
						t.Errorf("%s: %s works for %g, want %g", win.Part, s.Name, worked/(win.To-win.From), want)
					}
				}
				for k, steps := range win.Levels {
					sum := 0.0
					for i, s := range steps {
						until := win.To
						if i+1 < len(steps) {
							until = steps[i+1].At
						}
						sum += s.Items * (until - s.At)
					}
					if _, want, _ := waves["behind_"+p.Stages[k].Name].over(from, to, end, 0); math.Abs(sum/(win.To-win.From)-want) > 200*float64(p.Depths[k])/(to-from) {
						t.Errorf("%s: buffer %d holds %g, want %g", win.Part, k, sum/(win.To-win.From), want)
					}
				}
			}
			if parts := len(c.Windows); parts != 3 && len(c.Windows[0].Executions) > 120 {
				t.Errorf("%d windows", parts)
			}
			if text := succeed(t, "estimate", "-p", "3", file); !strings.Contains(text, ": threads execute tasks beside each other there, and paths take each to run where it is made\n") {
				t.Errorf("it does not say why paths differ: %s", text)
			}
			md := succeed(t, "report", "-p", "3", "--format", "md", "-o", "-", file)
			if !strings.Contains(md, "buffer of "+strconv.Itoa(p.Depths[0])+" |") && !strings.Contains(md, "buffer of "+strconv.Itoa(p.Depths[0])+"  ") {
				t.Errorf("the text does not draw it: %s", md)
			}
		})
	}
}
