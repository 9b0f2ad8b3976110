package mapping

// This file says what energy a mapping takes.

// Power is what the processors of a platform take, in W.
type Power struct {
	Known bool
	More  []float64 // by processor: active beyond idle
	Idle  float64   // all of them together
}

// Power returns what the processors take.
func (pl *Platform) Power() Power {
	var w Power
	for i := range pl.Processors {
		p := &pl.Processors[i]
		w.Known = w.Known || p.Power > 0 || p.Idle > 0
		w.More, w.Idle = append(w.More, p.Power-p.Idle), w.Idle+p.Idle
	}
	return w
}

// Joules is the energy of a time and of the busy times of processors within it.
func (w *Power) Joules(seconds float64, busy []float64) float64 {
	x := w.Idle * seconds
	for p, b := range busy {
		x += w.More[p] * b
	}
	return x
}
