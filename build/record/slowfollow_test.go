package record

// This file reads a program's events more slowly than the program lives.

import (
	"io"
	"os"
	"testing"
	"time"
)

// TestEventsThatAreThereAreRead: how long a busy machine takes to read what a program has
// written before it ended is no fault.
func TestEventsThatAreThereAreRead(t *testing.T) {
	events, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer events.Close()
	if _, err := theirs.Write(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	a := &arrivals{File: events}
	a.ended.Store(true)
	events.SetReadDeadline(time.Now().Add(-afterEnd)) // long over
	if all, err := io.ReadAll(a); err != nil || len(all) != 3 {
		t.Errorf("%d bytes, %v", len(all), err)
	}
}
