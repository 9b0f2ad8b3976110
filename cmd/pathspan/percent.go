package main

// This file reads limits in per cent.

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// percentFlag reads the value of --fail-above, 3% or 3, as a share.
func percentFlag(name, text string) (float64, error) {
	limit, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !(limit >= 0) || math.IsInf(limit, 1) {
		return 0, fmt.Errorf("--%s %q: want per cent of 0 or more, such as 1%%", name, text)
	}
	return limit / 100, nil
}
