package conform

// This file asks the same question again: twice, of a model opened anew, and several
// times at once.

import (
	"slices"
	"sync"

	"pathspan/procmodels"
	"pathspan/workers"
)

const noAnswer = "it gives no sound answer; see the checks above"

// again compares a later answer with the first one, in every bit and every word.
func again(s *subject, first, later *procmodels.Costs) string {
	if err := later.Check(s.Program); err != nil {
		return err.Error()
	}
	if d := differ(s, first, later, 0, itself); d != "" {
		return d
	}
	switch {
	case !slices.Equal(first.Reasons, later.Reasons):
		return "the reasons of defaults stand in another order"
	case !slices.Equal(first.Factors, later.Factors):
		return "the factors stand in another order"
	case !slices.Equal(first.Warnings, later.Warnings):
		return "the warnings are others"
	}
	return ""
}

func (k *kit) deterministic() outcome {
	const do = "let figures depend on the program and the parameters alone: no clock, no random numbers, no order of a map"
	for _, s := range k.ordinary() {
		first, err := k.sound(s)
		if err != nil {
			return skipped(noAnswer)
		}
		// A copy, so that what a model or its host keeps by address does not answer.
		second, err := k.price(k.ctx, k.model, s.copy())
		if err != nil {
			return failed(do, "asked again, it fails: %v", err)
		}
		if d := again(s, first, second); d != "" {
			return failed(do, "asked again: %s", d)
		}
	}
	other, err := k.openModel()
	if err != nil {
		return failed(do, "opened again, it fails: %v", err)
	}
	defer k.close(other)
	for _, s := range k.ordinary() {
		first, _ := k.sound(s)
		second, err := k.price(k.ctx, other, s.copy())
		if err != nil {
			return failed(do, "opened anew, it fails: %v", err)
		}
		if d := again(s, first, second); d != "" {
			return failed(do, "opened anew: %s", d)
		}
	}
	return passed("the same to the last bit")
}

func (k *kit) concurrent() outcome {
	const do = "make Costs safe for concurrent use: keep what belongs to one program out of the model"
	const askers = 4
	list := k.ordinary()
	if len(list) > 2 {
		list = list[:2] // of the modules; pricing them can take long
	}
	type reply struct {
		costs *procmodels.Costs
		err   error
	}
	replies := make([]reply, askers*len(list))
	for _, s := range list {
		if _, err := k.sound(s); err != nil {
			return skipped(noAnswer)
		}
	}
	var wg workers.Group
	var mu sync.Mutex
	for i := range replies {
		wg.Go(func() {
			mu.Lock()
			own := *k // price notes there that the model failed or hung
			mu.Unlock()
			costs, err := own.price(k.ctx, k.model, list[i%len(list)].copy())
			mu.Lock()
			k.hung, k.failed = k.hung || own.hung, k.failed || own.failed
			mu.Unlock()
			replies[i] = reply{costs, err}
		})
	}
	wg.Wait()
	for i, r := range replies {
		s := list[i%len(list)]
		if r.err != nil {
			return failed(do, "%s: %v", s.name, r.err)
		}
		first, _ := k.sound(s)
		if d := again(s, first, r.costs); d != "" {
			return failed(do, "%s", d)
		}
	}
	return passed("%d at once", len(replies))
}
