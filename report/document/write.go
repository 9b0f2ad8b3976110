package document

// This file writes a document as JSON.

import (
	"encoding/json"
	"io"
)

// WriteJSON writes the document as one JSON object, indented, which satisfies
// docs/schema/report-1.schema.json.
func (d *Document) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(d)
}
