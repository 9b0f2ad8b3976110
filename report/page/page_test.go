package page_test

// This file checks what is written, without a browser.

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pathspan/mapping"
	"pathspan/report/document"
	"pathspan/report/page"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestWriteIsDeterministic(t *testing.T) {
	p := committed(t, "fun0a.pspan")
	pl := mapping.Homogeneous(3, "arm922t")
	first := written(t, p.document(t, pl))
	if second := written(t, p.document(t, pl)); !bytes.Equal(first, second) {
		t.Error("equal documents give different pages")
	}
	const most = 400 << 10
	if len(first) > most {
		t.Errorf("the page of a small program has %d bytes, more than %d", len(first), most)
	}
}

// What would make a browser fetch something.
var fetching = regexp.MustCompile(`(?i)\b(?:src|href|action|srcset|poster)\s*=\s*"([^"]*)"|url\(\s*["']?([^"')]*)|@import|\b(?:https?|wss?|ftp):\/\/[^\s"'<>)]*`)

func TestPageFetchesNothing(t *testing.T) {
	text := string(written(t, committed(t, "fun0a.pspan").document(t, mapping.Homogeneous(2, ""))))
	for _, m := range fetching.FindAllStringSubmatch(text, -1) {
		target := m[1] + m[2]
		if !strings.HasPrefix(target, "#") && target != "data:," && m[0] != "http://www.w3.org/2000/svg" {
			t.Errorf("the page refers to %s", m[0])
		}
	}
}

var headings = regexp.MustCompile(`(?s)<(h[1-6]|summary|caption|th scope="col")[^>]*>(.*?)</`)
var tags = regexp.MustCompile(`<[^>]*>`)

// TestOutline holds headings, and the columns of tables, against a golden file.
func TestOutline(t *testing.T) {
	text := string(written(t, committed(t, "fun0a.pspan").document(t, mapping.Homogeneous(2, ""))))
	text, _, _ = strings.Cut(text, "<script")
	var out strings.Builder
	for _, m := range headings.FindAllStringSubmatch(text, -1) {
		kind, _, _ := strings.Cut(m[1], " ")
		out.WriteString(kind + " " + strings.Join(strings.Fields(tags.ReplaceAllString(m[2], "")), " ") + "\n")
	}
	golden := filepath.Join("testdata", "fun0a.outline")
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the outline is\n%swant\n%s", out.String(), want)
	}
}

// TestSourcesOfLargePrograms keeps what lies near the lines that the page names.
func TestSourcesOfLargePrograms(t *testing.T) {
	d := committed(t, "fun0a.pspan").document(t, mapping.Homogeneous(2, ""))
	if len(d.Sources) == 0 || d.Sources[0].Text == "" {
		t.Fatal("the document has no source text")
	}
	filler := strings.Repeat("int never_named_by_the_page;\n", 40_000)
	d.Sources[0].Text += filler
	out := string(written(t, d))
	if n := strings.Count(out, "never_named_by_the_page"); n == 0 || n > 100 {
		t.Errorf("%d lines of 40,000 that the page does not name are in it, want some", n)
	}
	if !strings.Contains(out, "int main(") && !strings.Contains(out, "main(void)") {
		t.Error("lines that the page names are missing")
	}
}

func TestNoSerialProcessor(t *testing.T) {
	d := &document.Document{}
	if err := page.Write(&bytes.Buffer{}, d); err == nil || !strings.Contains(err.Error(), "serial processor") {
		t.Errorf("a document without processors: %v", err)
	}
}
