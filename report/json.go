package report

// This file writes JSON the way all reports do.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// JSON writes what v points to as one JSON object, indented. Fields with a tag "is" are that,
// as schemas are, and lists without entries are empty rather than null. Nothing is written
// where a figure is none.
func JSON(w io.Writer, v any) error {
	complete(reflect.ValueOf(v))
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	var none *json.UnsupportedValueError
	if errors.As(err, &none) {
		return fmt.Errorf("a figure of the result is %s, which is no number: clocks, costs or counts are too far apart to compute with", none.Str)
	}
	return err
}

// complete makes the lists of v and sets what tags say.
func complete(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			complete(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			if is := v.Type().Field(i).Tag.Get("is"); is != "" && f.CanSet() {
				f.SetString(is)
			}
			complete(f)
		}
	case reflect.Slice:
		if v.IsNil() && v.CanSet() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		if v.Type().Elem().Kind() < reflect.Array { // numbers
			return
		}
		for i := range v.Len() {
			complete(v.Index(i))
		}
	}
}
