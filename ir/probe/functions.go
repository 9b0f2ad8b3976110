package probe

// This file adds functions to the module that do what only the module can: its tables
// are internal and never address-taken. Their text is functions.ll, which is filled in
// for the module at hand.

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"pathspan/ir/asm"
)

//go:embed functions.ll
var functionsText string

// functionValues fill in functions.ll.
type functionValues struct {
	Counters  int
	Array     string // type of the counters
	Block     int    // counters that are looked at together
	Threads   bool
	Calls     string // address of the tables of the sites
	Bytes     int    // of these tables
	SiteLog   int    // bytes of a site's table, as a power of 2
	EntryMask int    // of a target's address: where its entry is in a table
	Likely    int    // metadata of a branch that is nearly always taken
}

// addFunctions writes functions.ll into the module, a function each.
func addFunctions(m *asm.Module, values functionValues) error {
	values.Likely = m.AddMeta(`!{!"branch_weights", i32 2000, i32 1}`)
	t, err := template.New("functions.ll").Funcs(template.FuncMap{
		"ptr": m.Pointer,
		"at": func(array, name, index string) string {
			return fmt.Sprintf("getelementptr inbounds %s, %s @%s, i64 0, i64 %s", array, m.Pointer(array), name, index)
		},
	}).Parse(functionsText)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := t.Execute(&text, values); err != nil {
		return err
	}
	for _, f := range strings.Split(text.String(), "\n\n") {
		at := strings.Index(f, "define ")
		if at < 0 {
			continue
		}
		if _, err := m.AddFunc(f[at:]); err != nil {
			return err
		}
	}
	return nil
}
