package plugin

// This file finds plugins by name and path.

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"pathspan/bounded"
	"pathspan/yamlstrict"
)

// PathVariable lists more folders of plugins, and plugins, as PATH lists folders.
const PathVariable = "PATHSPAN_PLUGINS"

// prefix may stand before the name of a plugin's file.
const prefix = "pathspan-model-"

// Found is a plugin that can be named.
type Found struct {
	Name string // plugin:NAME
	Path string // of the program
}

// List lists the plugins that can be named, by name. Of several with a name it has the
// one that the name stands for.
func List() []Found {
	var all []Found
	seen := map[string]bool{}
	for _, place := range places() {
		for _, path := range programs(place) {
			name := forms(path)[len(forms(path))-1]
			if !seen[name] && isExecutable(path) == nil {
				seen[name] = true
				if first, err := findName(name); err == nil {
					path = first
				}
				all = append(all, Found{name, path})
			}
		}
	}
	slices.SortFunc(all, func(a, b Found) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// places lists where plugins are looked for, in this order: the variable's entries,
// the user's configuration, beside the running program.
func places() []string {
	var all []string
	for _, place := range filepath.SplitList(os.Getenv(PathVariable)) {
		if place != "" {
			all = append(all, place)
		}
	}
	if dir, err := os.UserConfigDir(); err == nil {
		all = append(all, filepath.Join(dir, "pathspan", "plugins"))
	}
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		all = append(all, filepath.Join(filepath.Dir(exe), "plugins"))
	}
	return all
}

// programs lists the files of a place, which may be a file itself, by absolute path.
func programs(place string) []string {
	place, err := filepath.Abs(place)
	if err != nil {
		return nil
	}
	info, err := os.Stat(place)
	if err != nil {
		return nil
	}
	if !info.IsDir() {
		return []string{place}
	}
	entries, err := os.ReadDir(place) // sorted by name
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		path := filepath.Join(place, e.Name())
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			all = append(all, path)
		}
	}
	return all
}

// forms lists the names that a file goes by, the full one first and the shortest last.
func forms(path string) []string {
	base := filepath.Base(path)
	all := []string{base}
	if s := strings.TrimPrefix(base, prefix); s != base && s != "" {
		all = append(all, s)
	}
	for _, ending := range []string{".py", ".exe"} {
		for _, s := range all {
			if short := strings.TrimSuffix(s, ending); short != s && short != "" {
				all = append(all, short)
			}
		}
	}
	return all
}

// findName finds the program that a name stands for: in the first place that has one,
// the file whose name it is most fully.
func findName(name string) (string, error) {
	var known, looked []string
	var denied error
	for _, place := range places() {
		best, bestForm := "", 0
		files := programs(place)
		for _, path := range files {
			all := forms(path)
			i := slices.Index(all, name)
			if err := isExecutable(path); err != nil {
				if i >= 0 && denied == nil {
					denied = err
				}
				continue
			}
			if short := all[len(all)-1]; !slices.Contains(known, short) {
				known = append(known, short)
			}
			if i >= 0 && (best == "" || i < bestForm) {
				best, bestForm = path, i
			}
		}
		if best != "" {
			return best, nil
		}
		if _, err := os.Stat(place); err != nil {
			place += " (missing)"
		}
		looked = append(looked, place)
	}
	if denied != nil {
		return "", denied
	}
	slices.Sort(known)
	hint := "no plugin is there"
	if near := yamlstrict.Nearest(name, known); near != "" {
		hint = fmt.Sprintf("the nearest is %q", near)
	} else if len(known) > 0 {
		hint = "there is " + yamlstrict.List(known)
	}
	return "", fmt.Errorf("no plugin has this name in %s; %s; %s lists more folders, and plugin:./FILE names a program", strings.Join(looked, ", "), hint, PathVariable)
}

// isExecutable says in one line why a file cannot be a plugin.
func isExecutable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", path, bounded.Reason(err))
	case info.IsDir():
		return fmt.Errorf("%s is a folder; name the program in it", path)
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return fmt.Errorf("%s is not executable; chmod +x it if it is a plugin", path)
	}
	return nil
}

// find fills in the path of a reference's program.
func (r *reference) find() error {
	if !isPath(r.target) {
		path, err := findName(r.target)
		if err != nil {
			return r.errorf("%w", err)
		}
		r.path = path
		return nil
	}
	path := filepath.FromSlash(r.target)
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return r.errorf("%w", err)
	}
	if err := isExecutable(path); err != nil {
		return r.errorf("%w", err)
	}
	r.path = path
	return nil
}
