package messages_test

// This file tests that schemas are embedded as protoc makes them of the files that people read,
// and that structs are held to them.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"pathspan/messages"
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

// pairs is the schema of a message with another of its own and a oneof.
func pairs(t testing.TB) (*descriptorpb.FileDescriptorProto, []byte) {
	file := &descriptorpb.FileDescriptorProto{}
	if err := prototext.Unmarshal([]byte(`name: "pairs.proto" syntax: "proto3" message_type {
		name: "Pair" oneof_decl { name: "either" }
		field { name: "a" number: 1 type: TYPE_SINT32 label: LABEL_OPTIONAL }
		field { name: "b" number: 2 type: TYPE_UINT64 label: LABEL_REPEATED }
		field { name: "c" number: 3 type: TYPE_MESSAGE type_name: ".Pair" label: LABEL_REPEATED }
		field { name: "d" number: 4 type: TYPE_BYTES label: LABEL_OPTIONAL oneof_index: 0 }
		field { name: "e" number: 5 type: TYPE_DOUBLE label: LABEL_OPTIONAL oneof_index: 0 } }
		message_type { name: "Less" field { name: "a" number: 1 type: TYPE_BOOL label: LABEL_OPTIONAL } }
		message_type { name: "More" field { name: "a" number: 1 type: TYPE_BOOL label: LABEL_OPTIONAL } }`), file); err != nil {
		t.Fatal(err)
	}
	set, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{file}})
	if err != nil {
		t.Fatal(err)
	}
	return file, set
}

var file *messages.File

type (
	Pair struct {
		A      int32    `protobuf:"1"`
		B      []uint64 `protobuf:"2"`
		C      []*Pair  `protobuf:"3"`
		Either either   `protobuf_oneof:"either"`
	}
	either interface{ isEither() }
	D      struct {
		D []byte `protobuf:"4"`
	}
	E struct {
		E float64 `protobuf:"5"`
	}
	Less struct{} // lacks a field
	More struct {
		A bool `protobuf:"1"`
		B bool `protobuf:"2"`
	}
	None struct{}
)

func (*D) isEither() {}
func (*E) isEither() {}

func (m *Pair) ProtoReflect() protoreflect.Message { return file.Reflect(m) }

// TestStructsAreMessages holds the bytes of structs to those of the library's messages that
// have no struct.
func TestStructsAreMessages(t *testing.T) {
	described, schema := pairs(t)
	file = messages.New(schema, (*D)(nil), (*E)(nil))
	desc, err := protodesc.NewFile(described, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*Pair{{}, {A: -3, B: []uint64{1, 1 << 40}, Either: &D{[]byte("x")}}, {C: []*Pair{{}, {A: 1, C: []*Pair{{B: []uint64{7}}}}}, Either: &E{0.5}}} {
		ours, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		want, back := dynamicpb.NewMessage(desc.Messages().ByName("Pair")), &Pair{}
		if err := proto.Unmarshal(ours, want); err != nil || len(want.GetUnknown()) > 0 {
			t.Fatalf("%x: %v, unknown %x", ours, err, want.GetUnknown())
		}
		theirs, err := proto.MarshalOptions{Deterministic: true}.Marshal(want)
		if err != nil || !bytes.Equal(ours, theirs) {
			t.Errorf("%+v is %x, want %x (%v)", m, ours, theirs, err)
		}
		if err := proto.Unmarshal(theirs, back); err != nil || !proto.Equal(back, m) {
			t.Errorf("%x is read as %+v, want %+v (%v)", theirs, back, m, err)
		}
	}
	for _, bad := range []struct {
		message any
		why     string
	}{{&Less{}, "has 0 fields, in the schema 1"}, {&More{}, "has 2 fields, in the schema 1"}, {&None{}, "no message None"}} {
		func() {
			defer func() {
				if why, _ := recover().(string); !strings.Contains(why, bad.why) {
					t.Errorf("%T: %q, want %q", bad.message, why, bad.why)
				}
			}()
			file.Reflect(bad.message)
		}()
	}
}
