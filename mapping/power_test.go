package mapping

// This file tests power and memory of platform files.

import (
	"strings"
	"testing"
)

func TestPowerAndMemory(t *testing.T) {
	pl, err := parsePlatform("p.yaml", []byte(`processors:
  - {name: a, power: 0.16}
  - {name: b, power: {active: 0.8, idle: 0.1}, memory: 65536}
  - {name: c, count: 2, power: {active: 1}}
`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Processor{{Power: 0.16}, {Power: 0.8, Idle: 0.1, Memory: 65536}, {Power: 1}, {Power: 1}} {
		if p := pl.Processors[i]; p.Power != want.Power || p.Idle != want.Idle || p.Memory != want.Memory {
			t.Errorf("processor %s: %v W, %v W idle, %v bytes", p.Name, p.Power, p.Idle, p.Memory)
		}
	}
	for text, want := range map[string]string{
		"power: {idle: 1}":               "active",
		"power: -1":                      "power",
		"power: {active: 1, idel: 2}":    `"idle"`,
		"power: {active: x}":             "active",
		"power: {active: 1, idle: 2}":    "takes 2 W idle and 1 W active",
		"memory: 0":                      "memory",
		"memory: 1.5":                    "memory",
		"power: [1, 2]":                  "power",
		"power: {active: 1, idle: -0.5}": "idle",
	} {
		_, err := parsePlatform("p.yaml", []byte("processors:\n  - {name: a, "+text+"}\n"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "p.yaml:2:") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
