package procmodels

// This file lets packages of models bring their own kind of reference, "shim:FILE", and
// their own kind of YAML file, which its key schema tells.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"pathspan/yamlstrict"
)

// OpenScheme opens the model that the rest of a reference, behind "name:", stands
// for. Paths in it are relative to dir. Errors are one line each.
type OpenScheme func(rest, dir string) (Model, error)

// ReadSchema reads a model from a file whose schema is known. What is wrong it reports
// through the reader, which names file and line; its result is not used then.
type ReadSchema func(*yamlstrict.Reader) Model

var (
	schemes = registry[scheme]{by: map[string]scheme{}}
	readers = registry[ReadSchema]{by: map[string]ReadSchema{}}
)

func init() {
	RegisterSchema(weightsSchema, func(r *yamlstrict.Reader) Model { return readWeights(r) })
	RegisterSchema(linesSchema, func(r *yamlstrict.Reader) Model { return readLines(r) })
}

// RegisterScheme makes Open hand references that begin with "name:" to open. The
// package of a kind of models calls it from its init, so that importing the package
// is enough; a second registration of a name is a mistake in the program and panics.
// shipped are the references that come with pathspan, without "name:"; Open suggests them.
func RegisterScheme(name string, open OpenScheme, shipped ...string) {
	schemes.add("RegisterScheme", name, scheme{open, shipped})
}

type scheme struct {
	open    OpenScheme
	shipped []string
}

// RegisterSchema makes Open hand files with this schema, "pathspan.fitted/1" say, to
// read, as RegisterScheme does with references.
func RegisterSchema(schema string, read ReadSchema) { readers.add("RegisterSchema", schema, read) }

// registry holds what packages brought, by name.
type registry[T any] struct {
	sync.RWMutex
	by map[string]T
}

func (r *registry[T]) add(by, name string, what T) {
	r.Lock()
	defer r.Unlock()
	if _, ok := r.by[name]; ok {
		panic(fmt.Sprintf("procmodels.%s: %q is registered already", by, name))
	}
	r.by[name] = what
}

func (r *registry[T]) of(name string) (T, bool) {
	r.RLock()
	defer r.RUnlock()
	what, ok := r.by[name]
	return what, ok
}

func (r *registry[T]) names() []string {
	r.RLock()
	defer r.RUnlock()
	return slices.Sorted(maps.Keys(r.by))
}

// schemeOf finds the scheme that a reference begins with.
func schemeOf(ref string) (open OpenScheme, rest string, ok bool) {
	name, rest, ok := strings.Cut(ref, ":")
	if !ok {
		return nil, "", false
	}
	s, ok := schemes.of(name)
	return s.open, rest, ok
}
