package conform

// This file checks that a model can be stopped, and times it.

import (
	"context"
	"fmt"
	"math/rand"
	"time"
)

func (k *kit) cancelled() outcome {
	ctx, cancel := context.WithCancel(k.ctx)
	cancel()
	// A copy, so that nothing that was kept answers in the model's place.
	s := k.ordinary()[0].copy()
	_, err := k.price(ctx, k.model, s)
	switch {
	case k.hung:
		return failed("look at the context now and then, and return its error", "it went on though it was cancelled: %v", err)
	case err == nil:
		return failed("return the context's error when it is cancelled", "it answered as if nothing had happened")
	}
	return passed("%v", err)
}

// speed says how long a model takes; it is never a fault.
func (k *kit) speed() outcome {
	if k.desc.NeedsModule {
		return k.timed(k.ordinary()...)
	}
	rng := rand.New(rand.NewSource(2))
	return k.timed(invented("100,000 instructions", ordinaryProgram(rng, 500, 20, 9)))
}

func (k *kit) timed(list ...*subject) outcome {
	n := 0
	var took time.Duration
	for _, s := range list {
		for _, f := range s.Program.Funcs {
			for _, b := range f.Blocks {
				n += len(b.Instrs)
			}
		}
		began := time.Now()
		if _, err := k.price(k.ctx, k.model, s); err != nil {
			return skipped("%s: %v", s.name, err)
		}
		took += time.Since(began)
	}
	return outcome{Info, fmt.Sprintf("%d instructions in %v", n, took.Round(time.Millisecond)), ""}
}
