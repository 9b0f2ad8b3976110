package messages_test

// This file tests that schemas are embedded as protoc makes them of the files that people read.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestSchemasAreUpToDate(t *testing.T) {
	if _, err := exec.LookPath("protoc"); err != nil {
		t.Skip("skipped: protoc is not installed; install protobuf-compiler")
	}
	for _, schema := range []string{"profile/bundlepb/bundle", "procmodels/pluginpb/model", "serve/servepb/serve"} {
		made := filepath.Join(t.TempDir(), "made")
		if out, err := exec.Command("protoc", "-I", "..", "-o", made, "../"+schema+".proto").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		want, err := os.ReadFile(made)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile("../" + schema + ".binpb"); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s.binpb is not that of %[1]s.proto; run make generate (%v)", schema, err)
		}
	}
}
