package ledger

// This file declares what errors are made of.

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Share is what one cause makes of the errors of a row: by how much they change when that is
// replaced by what replay or the reference knows, all causes before it being replaced already.
// The shares of a row add up to its errors.
type Share struct {
	Of         string  `json:"of"`
	Speedup    float64 `json:"speedup"`    // of Error
	Sequential float64 `json:"sequential"` // of SequentialError
}

// The causes, in the order in which they are replaced.
const (
	OfTechnique  = "technique"   // replay under the same costs instead of the estimate, both without memory
	OfMemory     = "memory"      // what accesses wait, as replay has it, instead of what the estimate has of it, if anything
	OfBlockCosts = "block costs" // all block costs and waits times what makes the sequential cycles the reference's
	OfOverheads  = "overheads"   // all overheads times one factor, by which all programs together come nearest
	OfRest       = "rest"        // the reference instead: block costs to each other, memory that is not replayed, the schedule
)

// ShareCauses lists the causes in order.
func ShareCauses() []string {
	return []string{OfTechnique, OfMemory, OfBlockCosts, OfOverheads, OfRest}
}

// SetShares gives a row its shares. What is missing to the errors is the last ones': of the speed-up the
// rest's, of the sequential time that of block costs, which are appended where they are missing.
func (r *Row) SetShares(shares []Share) {
	r.Shares = nil
	speedup, sequential := r.Error, r.SequentialError
	for _, s := range shares {
		s.Speedup, s.Sequential = digits(s.Speedup), digits(s.Sequential)
		speedup, sequential = speedup-s.Speedup, sequential-s.Sequential
		r.Shares = append(r.Shares, s)
	}
	for i := range r.Shares {
		if r.Shares[i].Of == OfBlockCosts {
			r.Shares[i].Sequential = digits(r.Shares[i].Sequential + sequential)
		}
	}
	r.Shares = append(r.Shares, Share{Of: OfRest, Speedup: digits(speedup)})
}

// ShareOf returns the share of a cause, false where it is not known.
func (r *Row) ShareOf(cause string) (Share, bool) {
	if i := slices.IndexFunc(r.Shares, func(s Share) bool { return s.Of == cause }); i >= 0 {
		return r.Shares[i], true
	}
	return Share{}, false
}

func (r *Row) checkShares() error {
	if r.Shares == nil {
		return nil
	}
	var speedup, sequential float64
	for _, s := range r.Shares {
		if !slices.Contains(ShareCauses(), s.Of) {
			return fmt.Errorf("share of %.40q: want one of %q", s.Of, ShareCauses())
		}
		speedup, sequential = speedup+s.Speedup, sequential+s.Sequential
	}
	if math.Abs(speedup-r.Error) > 1e-8*(1+math.Abs(r.Error)) || math.Abs(sequential-r.SequentialError) > 1e-8*(1+math.Abs(r.SequentialError)) {
		return errors.New("the shares do not add up to the errors")
	}
	return nil
}
