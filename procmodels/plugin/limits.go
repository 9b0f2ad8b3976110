package plugin

// This file says how long a plugin may be silent, how long it may speak, and how much it
// may say.

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// TimeoutVariable sets how long a plugin may be silent, at its start and between
// messages: "90s", "10m", or a number of seconds.
const TimeoutVariable = "PATHSPAN_PLUGIN_TIMEOUT"

// limits are how long a plugin may take.
type limits struct {
	start   time.Duration // until it has printed where it listens
	silence time.Duration // between messages of an exchange
	speech  time.Duration // for a whole exchange
}

// silences is how many a whole exchange may take: a plugin that always says something,
// however little, is no better than one that says nothing.
const silences = 12

// descriptionLimit bounds what a plugin says of itself, in bytes.
const descriptionLimit = 1 << 20

// defaultLimits leave room for interpreters that load slowly, and for models that
// compile a program before they answer.
var defaultLimits = limits{start: 30 * time.Second, silence: 5 * time.Minute, speech: silences * 5 * time.Minute}

func limitsFromEnvironment() (limits, error) {
	text := os.Getenv(TimeoutVariable)
	if text == "" {
		return defaultLimits, nil
	}
	d, err := time.ParseDuration(text)
	if seconds, serr := strconv.ParseFloat(text, 64); serr == nil {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d <= 0 {
		return limits{}, fmt.Errorf("%s=%s: want how long a plugin may be silent, such as 90s or 10m", TimeoutVariable, text)
	}
	return limits{start: d, silence: d, speech: silences * d}, nil
}
