package document

// This file writes a document as JSON.

import (
	"io"

	"pathspan/report"
)

// WriteJSON writes the document as one JSON object, indented, which satisfies
// docs/schema/report-1.schema.json.
func (d *Document) WriteJSON(w io.Writer) error {
	return report.JSON(w, d)
}
