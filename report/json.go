package report

// This file writes JSON the way all reports do.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// JSON writes one JSON object, indented. Nothing is written where a figure is none.
func JSON(w io.Writer, v any) error { return writeJSON(w, v) }

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	var none *json.UnsupportedValueError
	if errors.As(err, &none) {
		return fmt.Errorf("a figure of the result is %s, which is no number: clocks, costs or counts are too far apart to compute with", none.Str)
	}
	return err
}
