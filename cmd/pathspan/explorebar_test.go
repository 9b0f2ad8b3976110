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
	begin := time.Unix(1000, 0)
	p := &progress{w: &w, width: 100, begin: begin, share: -1, now: func() time.Time { return begin.Add(3500 * time.Millisecond) }}
	p.search(explore.Progress{Evaluations: 500, Budget: 1000, Elapsed: time.Millisecond, Best: &explore.Candidate{Metrics: explore.Metrics{Seconds: 0.25}}})
	p.draw()
	if got, want := w.String(), "\r\x1b[K[############............] 3s 500 evaluations, 0.5 million a second, best 0.25 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.search(explore.Progress{Evaluations: 5000, Elapsed: 3 * time.Second})
	p.draw()
	if !strings.HasSuffix(w.String(), "\r\x1b[K3s 5000 evaluations, 0.0017 million a second") {
		t.Errorf("%q", w.String())
	}
	p.pause()
	if !strings.HasSuffix(w.String(), "second\r\x1b[K") {
		t.Errorf("%q is not cleared", w.String())
	}
}
