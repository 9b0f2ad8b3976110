package shim

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each file of testdata/lint has faults; its golden neighbour holds the findings.
func TestLintGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/lint/*.xml")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		var b strings.Builder
		findings := Lint(file)
		for _, f := range findings {
			if f.Line < 1 || f.What == "" || f.Do == "" || strings.Contains(f.String(), "\n") {
				t.Errorf("%s: finding %+v", file, f)
			}
			b.WriteString(f.String() + "\n")
		}
		b.WriteString("\n")
		lines := 0
		for _, g := range GroupFindings(findings) {
			b.WriteString(g.String() + "\n")
			lines += 1 + len(g.More)
		}
		if lines != len(findings) {
			t.Errorf("%s: %d findings, %d in groups", file, len(findings), lines)
		}
		golden(t, strings.TrimSuffix(file, ".xml")+".golden", b.String())
	}
}

func TestLintClean(t *testing.T) {
	if f := Lint("testdata/twocores10.xml"); len(f) != 0 {
		t.Error(f)
	}
	// Written from the former, which may mix what 2.0 may not.
	f := Lint("testdata/twocores20.xml")
	if len(f) != 1 || !strings.Contains(f[0].What, "allows one kind of communication") {
		t.Error(f)
	}
}

// The traps of the published files, one substring each.
func TestLintPublished(t *testing.T) {
	for name, wants := range map[string][]string{
		"shim10_i5_3550.xml": {
			`:6: MasterComponent "Core_0_0_0": all 58 pitches are 10`, `"GPU_0_0_4": all 58 latencies are 10`,
			`Instruction "lshr": best is -0.00501`, `write "extractvalue"`, `opcode "ptrtoint"`,
		},
		"shim20_sample1.xml": {
			"no clock is given for 1 of 1", `"Core_0_0_0": all 58 latencies are 10`, "is a path of an editor",
			`Instruction "ret" lacks operation, inputBitWidth and outputBitWidth`, `Cache "UnifiedCache_0_0_0" lacks id`,
		},
		"shim20_sample2.xml": {"FrequencyVoltageSet has no FrequencyDomain and no OperatingPointSet"},
	} {
		t.Run(name, func(t *testing.T) {
			findings := Lint(publicFile(t, name))
			for _, want := range wants {
				if !slices.ContainsFunc(findings, func(f Finding) bool { return strings.Contains(f.String(), want) }) {
					t.Errorf("no finding has %q", want)
				}
			}
			if g := GroupFindings(findings); len(g) > 20 {
				t.Errorf("%d groups", len(g))
			}
		})
	}
}

// Input beyond every bound is an error of one line, soon.
func TestBounds(t *testing.T) {
	deep := strings.Repeat("<ComponentSet>", maxDepth+1)
	wide := "<a>" + strings.Repeat("<b/>", maxElements) + "</a>"
	for name, text := range map[string]string{
		"depth": deep, "elements": wide,
		"text":     "<a>" + strings.Repeat("x", maxText+1) + "</a>",
		"roots":    "<a/><b/>",
		"entity":   "<a>&b;</a>",
		"encoding": `<?xml version="1.0" encoding="EBCDIC"?><a/>`,
	} {
		if _, err := parseTree(name, []byte(text)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	nested := "<SystemConfiguration>" + strings.Repeat("<ComponentSet>", maxClusters+1) +
		strings.Repeat("</ComponentSet>", maxClusters+1) + "</SystemConfiguration>"
	root, err := parseTree("nested", []byte(nested))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := load(root, ""); err == nil || !strings.Contains(err.Error(), "nest deeper") {
		t.Errorf("clusters: %v", err)
	}
	if root, err := parseTree("latin", []byte("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a name=\"\xe9\"/>")); err != nil || root.attr("name") != "é" {
		t.Errorf("ISO-8859-1: %v, %v", root, err)
	}
	if _, err := parseTree("bom", []byte("\ufeff<?xml version=\"1.0\"?>\n<a/>")); err != nil {
		t.Errorf("byte order mark: %v", err)
	}
	if f := Lint("testdata"); len(f) != 1 || !strings.Contains(f[0].What, "not a regular file") {
		t.Errorf("a folder: %v", f)
	}
}
