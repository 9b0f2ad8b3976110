package plugin

// This file reads references to plugins: "NAME?key=value&key=value".

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// reference is a reference taken apart.
type reference struct {
	text       string // as the user wrote it, behind "plugin:"
	target     string // a name, or a path when it has a slash
	path       string // the program, once found
	dir        string // what relative paths are relative to; "" for the working folder
	parameters map[string]string
}

// parseReference takes a reference apart. Values may hold %XX for what separates.
func parseReference(text, dir string) (*reference, error) {
	target, query, _ := strings.Cut(text, "?")
	r := &reference{text: text, target: target, dir: dir, parameters: map[string]string{}}
	if target == "" {
		return nil, fmt.Errorf("plugin:%s: which plugin? want plugin:NAME or plugin:/path/to/program", text)
	}
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		// A path's rules, not a form's: features are written +neon.
		name, err := url.PathUnescape(key)
		if err == nil {
			value, err = url.PathUnescape(value)
		}
		if err != nil || !ok || name == "" {
			return nil, fmt.Errorf("plugin:%s: parameter %q: want name=value, several separated by &, with %%26 for & and %%25 for %%", text, part)
		}
		if _, twice := r.parameters[name]; twice {
			return nil, fmt.Errorf("plugin:%s: parameter %q is given twice", text, name)
		}
		r.parameters[name] = value
	}
	return r, nil
}

// errorf makes an error of one line that names the plugin by reference and path.
func (r *reference) errorf(format string, args ...any) error {
	name := "plugin:" + r.text
	if r.path != "" && r.path != r.target {
		name += " (" + r.path + ")"
	}
	return fmt.Errorf("%s: %w", name, fmt.Errorf(format, args...))
}

// isPath says whether a target is a path and not a name.
func isPath(target string) bool {
	return strings.ContainsRune(target, '/') || strings.ContainsRune(target, filepath.Separator)
}
