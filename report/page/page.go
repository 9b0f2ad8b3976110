// Package page writes a report as one HTML file that needs nothing else: no network, no
// fonts, no other file.
//
//	d, err := document.Build(ctx, document.Input{Bundle: b, Name: "app.pspan", Platform: pl})
//	err = page.Write(w, d)
//
// What the page says is in tables that html/template writes, so that it can be read and
// printed without scripts. The scripts draw charts, show source lines and compute the
// estimates anew for other overheads and clocks. They are plain JavaScript in small
// files, which become one; a content security policy names its hash, so that nothing
// else in the page can run or load anything.
//
// Styles are in css/, scripts in js/, templates in html/, a file for each idea; the looks of
// techniques come from their registry.
package page

// This file puts the page together.

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"pathspan/estimate"
	"pathspan/report/document"
)

//go:embed html/*.html
var templates embed.FS

//go:embed css/*.css
var styles embed.FS

//go:embed js/*.js
var scripts embed.FS

//go:embed formula.js
var formulaScript string

// styleOrder and scriptOrder list the files in the order in which they are put together.
var (
	styleOrder  = []string{"base", "controls", "answer", "charts", "graph", "source", "paths", "sliders", "print"}
	scriptOrder = []string{"format", "dom", "source", "rove", "curve", "gantt", "course", "graph", "sliders", "start"}
)

// parsed is for those who write a page: all other commands would wait for it as they start.
var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html").Funcs(functions).ParseFS(templates, "html/*.html"))
})

// Write writes the page. Equal documents give equal bytes.
func Write(w io.Writer, d *document.Document) error {
	v, err := newView(d)
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	var out bytes.Buffer
	if err := parsed().Execute(&out, v); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// joined returns files of a folder, one after the other.
func joined(files embed.FS, folder, suffix string, names []string) (string, error) {
	var all strings.Builder
	for _, n := range names {
		text, err := files.ReadFile(folder + "/" + n + suffix)
		if err != nil {
			return "", err
		}
		all.Write(text)
	}
	return all.String(), nil
}

// techniqueStyle gives the lines of techniques their colours.
func techniqueStyle() string {
	var light, dark strings.Builder
	for _, t := range estimate.Techniques() {
		if s := t.Entry().Style; s != nil {
			fmt.Fprintf(&light, ".series-%s { --ink: %s; }\n", t, s.Light)
			fmt.Fprintf(&dark, "  .series-%s { --ink: %s; }\n", t, s.Dark)
		}
	}
	return light.String() + "@media (prefers-color-scheme: dark) {\n" + dark.String() + "}\n"
}

// pageScript returns the whole script and its hash for the policy. It is one function,
// so that its names are its own.
func pageScript() (text, hash string, err error) {
	all, err := joined(scripts, "js", ".js", scriptOrder)
	if err != nil {
		return "", "", err
	}
	text = "(() => {\n\"use strict\";\n" + formulaScript + all + "})();\n"
	sum := sha256.Sum256([]byte(text))
	return text, "sha256-" + base64.StdEncoding.EncodeToString(sum[:]), nil
}
