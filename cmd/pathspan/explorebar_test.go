package main

// This file tests what explore shows of its progress.

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"pathspan/explore"
)

func TestProgressBar(t *testing.T) {
	var w bytes.Buffer
	b := &bar{w: &w, terminal: true}
	b.show(explore.Progress{Evaluations: 500, Budget: 1000, Elapsed: time.Millisecond, Best: &explore.Candidate{Metrics: explore.Metrics{Seconds: 0.25}}})
	if got, want := w.String(), "\r\x1b[K[############............] 500 evaluations, 0.5 million a second, best 0.25 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.show(explore.Progress{Evaluations: 5000, Elapsed: 3 * time.Second})
	if !strings.HasSuffix(w.String(), "\r\x1b[K3s 5000 evaluations, 0.0017 million a second") {
		t.Errorf("%q", w.String())
	}
	b.clear()
	if !strings.HasSuffix(w.String(), "second\r\x1b[K") {
		t.Errorf("%q is not cleared", w.String())
	}
	// Elsewhere nothing is shown.
	w.Reset()
	b = newBar(&w)
	b.show(explore.Progress{Evaluations: 1})
	b.clear()
	if w.Len() > 0 {
		t.Errorf("%q where there is no terminal", w.String())
	}
}
