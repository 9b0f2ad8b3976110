package visible

// This file makes visible what a decoder made of a file.

import "reflect"

// Strings makes every string visible, names of maps' entries among them, in what v points
// to: structs, lists, maps and interfaces, as decoders of JSON fill them.
func Strings(v any) { walk(reflect.ValueOf(v)) }

func walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem())
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString(Line(v.String()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k < reflect.Array { // numbers
			return
		}
		for i := range v.Len() {
			walk(v.Index(i))
		}
	case reflect.Interface:
		if !v.IsNil() && v.CanSet() {
			v.Set(copied(v.Elem()))
		}
	case reflect.Map:
		if v.IsNil() || !v.CanInterface() {
			return
		}
		for _, k := range v.MapKeys() {
			value := copied(v.MapIndex(k))
			v.SetMapIndex(k, reflect.Value{})
			v.SetMapIndex(copied(k), value)
		}
	}
}

// copied returns a visible copy of what cannot be changed in its place.
func copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	walk(c)
	return c
}
