package report

// This file shows how a validation differs from an older one.

import (
	"bufio"
	"fmt"
	"io"

	"pathspan/validate/ledger"
)

// AgainstText writes what changed since an older ledger, of the given name.
func AgainstText(out io.Writer, name string, c *ledger.Comparison) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "Compared with %s: %s in both", name, Count(c.Both, "row"))
	if len(c.New) > 0 {
		fmt.Fprintf(w, ", %d new", len(c.New))
	}
	if len(c.Old) > 0 {
		fmt.Fprintf(w, ", %d only there", len(c.Old))
	}
	fmt.Fprintln(w)
	if c.Before != c.After {
		fmt.Fprintf(w, "Compiled by %s, then by %s: the compiler may be what changes the figures.\n", c.Before, c.After)
	}
	if len(c.Changes) > 0 {
		fmt.Fprintf(w, "\n%-10s %-10s %-6s %-14s %14s %14s %10s %8s\n", "Reference", "Model", "Group", "Technique", "mean before, %", "mean after, %", "change", "rows")
		for _, d := range c.Changes {
			fmt.Fprintf(w, "%-10.10s %-10.10s %-6.6s %-14s %14.3f %14.3f %+10.3f %8s\n", d.Series.Reference, d.Series.Model, d.Series.Group, TechniqueOf(d.Technique).Name,
				100*d.Before.Absolute, 100*d.After.Absolute, 100*(d.After.Absolute-d.Before.Absolute), fmt.Sprintf("%d/%d", d.Changed, d.After.Rows))
		}
		fmt.Fprintln(w, "\nrows: how many of them changed.")
	}
	const most = 10
	for i, x := range c.Worse {
		if i == most {
			fmt.Fprintf(w, "and %s more\n", Count(len(c.Worse)-i, "row"))
			break
		}
		fmt.Fprintf(w, "worse: %s: %+.2f %%, was %+.2f %%\n", x.Key, 100*x.After, 100*x.Before)
	}
	return w.Flush()
}
