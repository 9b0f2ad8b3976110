package document_test

// This file holds documents against their JSON Schema.

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiledSchema reads the committed schema.
func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("../../docs/schema/report-2.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validated holds a document's JSON against the schema.
func validated(t testing.TB, s *jsonschema.Schema, data []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Error(err)
	}
}
