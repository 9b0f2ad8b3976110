package plugin

// This file looks for plugins in folders made for it.

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// plant makes files that look like plugins, in three places of which the first is a file.
func plant(t *testing.T) (root string) {
	root = t.TempDir()
	for name, mode := range map[string]os.FileMode{
		"alone/single.py":                         0o755,
		"first/pathspan-model-core":               0o755,
		"first/both":                              0o755,
		"first/both.py":                           0o755,
		"first/notes.txt":                         0o644,
		"first/sleepy":                            0o644,
		"first/folder/inner":                      0o755,
		"config/pathspan/plugins/core":            0o755,
		"config/pathspan/plugins/later.py":        0o755,
		"config/pathspan/plugins/.hidden":         0o755,
		"platform/own/model":                      0o755,
		"config/pathspan/plugins/pathspan-model-": 0o755,
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(PathVariable, filepath.Join(root, "alone", "single.py")+string(os.PathListSeparator)+filepath.Join(root, "first"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(root, "config"))
	t.Setenv("HOME", root)
	if dir, err := os.UserConfigDir(); err != nil || dir != filepath.Join(root, "config") {
		t.Skipf("skipped: the user's configuration is in %s whatever XDG_CONFIG_HOME says", dir)
	}
	return root
}

func TestFind(t *testing.T) {
	root := plant(t)
	for target, want := range map[string]string{
		"single":              "alone/single.py",
		"single.py":           "alone/single.py",
		"core":                "first/pathspan-model-core",
		"pathspan-model-core": "first/pathspan-model-core",
		"both":                "first/both",
		"both.py":             "first/both.py",
		"later":               "config/pathspan/plugins/later.py",
		"own/model":           "platform/own/model",
		"./own/model":         "platform/own/model",
	} {
		r, err := parseReference(target+"?cpu=a%26b&x=+neon", filepath.Join(root, "platform"))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.find(); err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		if r.path != filepath.Join(root, want) {
			t.Errorf("%s: found %s, want %s", target, r.path, want)
		}
		if want := map[string]string{"cpu": "a&b", "x": "+neon"}; !reflect.DeepEqual(r.parameters, want) {
			t.Errorf("parameters %v, want %v", r.parameters, want)
		}
	}
}

func TestNotFound(t *testing.T) {
	root := plant(t)
	for target, want := range map[string][]string{
		"cor":       {`plugin:cor: no plugin has this name in `, filepath.Join(root, "first"), filepath.Join(root, "config", "pathspan", "plugins"), "(missing)", `the nearest is "core"`},
		"unlike":    {"there is both, core, later"},
		"inner":     {"no plugin has this name"}, // folders are not searched
		"sleepy":    {"sleepy is not executable; chmod +x it"},
		"own/other": {"plugin:own/other: " + filepath.Join(root, "platform/own/other") + ": no such file"},
		"own/":      {"is a folder; name the program in it"},
		"":          {"which plugin?"},
	} {
		r, err := parseReference(target, filepath.Join(root, "platform"))
		if err == nil {
			err = r.find()
		}
		wantLine(t, err, want...)
	}
}

func TestList(t *testing.T) {
	root := plant(t)
	var got []Found
	for _, f := range List() {
		if rel, err := filepath.Rel(root, f.Path); err == nil {
			f.Path = filepath.ToSlash(rel)
		}
		got = append(got, f)
	}
	want := []Found{
		{"both", "first/both"}, {"core", "first/pathspan-model-core"},
		{"later", "config/pathspan/plugins/later.py"}, {"pathspan-model-", "config/pathspan/plugins/pathspan-model-"}, {"single", "alone/single.py"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

func FuzzParseReference(f *testing.F) {
	for _, s := range []string{"x", "/a/b?c=d", "x?a=%2", "x?=", "?", "x?a=b&a=c", "x?+=%00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := parseReference(s, "")
		if (r == nil) == (err == nil) {
			t.Fatalf("reference %v, error %v", r, err)
		}
		if err != nil {
			return
		}
		// Its parts make the same reference.
		escape := strings.NewReplacer("%", "%25", "&", "%26", "=", "%3D")
		text := r.target + "?"
		for _, name := range slices.Sorted(maps.Keys(r.parameters)) {
			text += escape.Replace(name) + "=" + escape.Replace(r.parameters[name]) + "&"
		}
		again, err := parseReference(text, "")
		if err != nil || again.target != r.target || !maps.Equal(again.parameters, r.parameters) {
			t.Errorf("%q has parts %v, which as %q are %+v, %v", s, r.parameters, text, again, err)
		}
	})
}
