// Package waves writes waveforms, in the value change dump of IEEE 1364 that GTKWave reads.
//
//	w := waves.New(out, "a unit of time is a cycle")
//	w.Scope("network")
//	level := w.Number("level", 32)
//	w.Up()
//	w.Set(0, level, 2)
//	w.Set(7, level, 3)
//	err := w.End(10)
//
// It reads none.
package waves
