package procmodels

// This file lets packages of models bring their own kind of YAML file: its key schema
// says which package reads it.

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"pathspan/yamlstrict"
)

// ReadSchema reads a model from a file whose schema is known. What is wrong it reports
// through the reader, which names file and line; its result is not used then.
type ReadSchema func(*yamlstrict.Reader) Model

// schemaReaders finds the reader of a schema.
type schemaReaders struct {
	sync.RWMutex
	read map[string]ReadSchema
}

var readers = schemaReaders{read: map[string]ReadSchema{}}

func init() {
	RegisterSchema(weightsSchema, func(r *yamlstrict.Reader) Model { return readWeights(r) })
	RegisterSchema(linesSchema, func(r *yamlstrict.Reader) Model { return readLines(r) })
}

// RegisterSchema makes Open hand files with this schema, "pathspan.fitted/1" say, to
// read. The package of a kind of models calls it from its init; a second registration
// is a mistake in the program and panics.
func RegisterSchema(schema string, read ReadSchema) {
	readers.Lock()
	defer readers.Unlock()
	if readers.read[schema] != nil {
		panic(fmt.Sprintf("procmodels.RegisterSchema: %q is registered already", schema))
	}
	readers.read[schema] = read
}

func (s *schemaReaders) of(schema string) ReadSchema {
	s.RLock()
	defer s.RUnlock()
	return s.read[schema]
}

func (s *schemaReaders) names() []string {
	s.RLock()
	defer s.RUnlock()
	return slices.Sorted(maps.Keys(s.read))
}
