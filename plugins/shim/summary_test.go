package shim

import (
	"bytes"
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	sys, _, err := Load("testdata/twocores10.xml")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := sys.Summary(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/twocores10.summary", b.String())
}

// A published system of many cores is told in few lines: what costs alike is together.
func TestSummaryOfPublished(t *testing.T) {
	sys, _, err := Load(publicFile(t, "shim20_sample2.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := sys.Summary(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n > 120 || !strings.Contains(b.String(), "communication fifo_00: FIFO, 64 KiB") {
		t.Errorf("%d lines:\n%s", n, b.String())
	}
}
