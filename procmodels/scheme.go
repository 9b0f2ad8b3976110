package procmodels

// This file lets packages of models bring their own kind of reference: "shim:FILE".

import (
	"fmt"
	"strings"
	"sync"
)

// OpenScheme opens the model that the rest of a reference, behind "name:", stands
// for. Paths in it are relative to dir. Errors are one line each.
type OpenScheme func(rest, dir string) (Model, error)

var schemes = struct {
	sync.RWMutex
	open map[string]OpenScheme
}{open: map[string]OpenScheme{}}

// RegisterScheme makes Open hand references that begin with "name:" to open. The
// package of a kind of models calls it from its init, so that importing the package
// is enough; a second registration of a name is a mistake in the program and panics.
func RegisterScheme(name string, open OpenScheme) {
	schemes.Lock()
	defer schemes.Unlock()
	if _, ok := schemes.open[name]; ok {
		panic(fmt.Sprintf("procmodels.RegisterScheme: %q is registered already", name))
	}
	schemes.open[name] = open
}

// schemeOf finds the scheme that a reference begins with.
func schemeOf(ref string) (open OpenScheme, rest string, ok bool) {
	name, rest, ok := strings.Cut(ref, ":")
	if !ok {
		return nil, "", false
	}
	schemes.RLock()
	defer schemes.RUnlock()
	open, ok = schemes.open[name]
	return open, rest, ok
}
