package plan

// This file throws bytes at the readers of plans and of clang's dumps.

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// FuzzParse holds that a plan gives one line or clauses that are clauses and nothing else.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	for _, text := range []string{"plan: []", "plan:\n- loop: a.c:1\n  schedule: 'static, n / (2 + m)'", "plan: [{sections: [a.c:1-2, a.c:3]}]",
		"plan:\n- loop: &l a.c:1:2\n- sections: [*l, a:2]", "plan: [{loop: {function: ::f, loop: 1}, reduction: ['min:a[0:n]', \"&& : b\"]}]",
		"plan:\n- task: [a.c:1, a.c:2-3]\n  depend: ['in: a[i], b', 'out: c[(i + 1) % n]']\n  if: n > 2 && !(m)\n  wait: true", "plan:\n- atomic: a.c:1\n  access: capture\n- critical: a.c:2\n  name: x\n- ordered: a.c:3\n- taskwait: a.c:4"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Parse("plan.yaml", text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("%q is more than a line", err)
			}
			return
		}
		for i := range p.Entries {
			pragma := p.Entries[i].pragma(false) + p.Entries[i].pragma(true)
			depth := 0
			for _, c := range pragma {
				switch c {
				case '"', '\\', '\n', '\r', '#', ';', '{':
					t.Errorf("%q has %q", pragma, c)
				case '(':
					depth++
				case ')':
					depth--
				}
				if depth < 0 {
					t.Errorf("%q closes what it did not open", pragma)
				}
			}
			if depth != 0 {
				t.Errorf("%q opens what it does not close", pragma)
			}
			shown(t, string(text))
		}
	})
}

// seedDump is what clang writes, shortened: a function with a loop, in a namespace, from a
// macro's argument.
const seedDump = `{
  "id": "0x1",
  "kind": "TranslationUnitDecl",
  "loc": {},
  "range": {
    "begin": {},
    "end": {}
  },
  "inner": [
    {
      "id": "0x2",
      "kind": "NamespaceDecl",
      "name": "n",
      "inner": [
        {
          "id": "0x3",
          "kind": "FunctionDecl",
          "loc": {
            "offset": 14,
            "file": "x.c",
            "line": 1,
            "col": 15,
            "tokLen": 1,
            "includedFrom": {
              "file": "y.c"
            }
          },
          "range": {
            "begin": {
              "offset": 9,
              "col": 10,
              "tokLen": 4
            },
            "end": {
              "spellingLoc": {
                "offset": 60,
                "line": 4,
                "col": 1,
                "tokLen": 1
              },
              "expansionLoc": {
                "offset": 50,
                "line": 3,
                "col": 1,
                "tokLen": 3,
                "isMacroArgExpansion": true
              }
            }
          },
          "name": "f",
          "inner": [
            {
              "id": "0x4",
              "kind": "CompoundStmt",
              "range": {
                "begin": {
                  "offset": 17,
                  "col": 18,
                  "tokLen": 1
                },
                "end": {
                  "offset": 60,
                  "col": 1,
                  "tokLen": 1
                }
              },
              "inner": [
                {},
                {
                  "id": "0x5",
                  "kind": "DeclRefExpr",
                  "range": {
                    "begin": {},
                    "end": {}
                  },
                  "referencedDecl": {
                    "id": "0x9",
                    "kind": "VarDecl",
                    "name": "v\"\u00e4",
                    "type": {
                      "qualType": "int"
                    }
                  }
                }
              ]
            }
          ]
        }
      ]
    }
  ]
}
`

// FuzzDump holds that any bytes are read to their end or refused.
func FuzzDump(f *testing.F) {
	f.Add([]byte(seedDump))
	f.Add([]byte(seedDump[:len(seedDump)/2]))
	f.Add([]byte(strings.ReplaceAll(seedDump, "      ", "")))
	f.Add([]byte("{\n\"inner\": [\n{\n\"kind\": \"FunctionDecl\",\n\"range\": {\n\"begin\": {\n\"offset\": -7\n}\n},\n\"inner\": [\n{\n}\n]\n}\n]\n}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		found, err := readDump(bytes.NewReader(text), &files{byName: map[string]*file{}}, func(*function) bool { return true })
		if err != nil {
			return
		}
		u := newUnit("x.c")
		u.functions = found
		for _, fn := range found {
			if !isFunction(fn.kind) {
				t.Errorf("a %s is taken for a function", fn.kind)
			}
			before := math.MinInt
			for _, l := range fn.loops() {
				if l.in != fn || !strings.Contains(l.kind, "For") || l.offset <= before {
					t.Errorf("a %s at %d behind a loop at %d", l.kind, l.offset, before)
				}
				before = l.offset
			}
			u.group(&Place{File: "x.c", First: 1, Last: 9}, true)
			u.point(&Entry{kind: kindOf("barrier")}, &Place{File: "x.c", First: 1, Last: 1})
			for _, g := range fn.calling(func(string) bool { return true }) {
				if len(g.statements()) == 0 {
					t.Errorf("a call of no statement")
				}
			}
		}
	})
}

func TestReadDump(t *testing.T) {
	fs := &files{byName: map[string]*file{}}
	found, err := readDump(strings.NewReader(seedDump), fs, func(*function) bool { return true })
	if err != nil || len(found) != 1 {
		t.Fatal(len(found), err)
	}
	f := found[0]
	use := f.inner[0].inner[0]
	if f.qualified() != "n::f" || f.begin.file.name != "x.c" || f.begin.offset != 9 || !f.end.macro || !f.end.arg || f.end.spelled != 60 || f.end.offset != 50 ||
		len(fs.byName) != 1 || use.refers != "0x9" || use.refersName != "v\"ä" || use.begin.file != nil {
		t.Errorf("%+v %+v", f.node, use)
	}
}
