package document

// This file tests that texts mean themselves in Markdown.

import "testing"

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"fun_0 of a_b_c":    "fun_0 of a_b_c",
		"_start and end_":   `\_start and end\_`,
		"__kmpc_fork":       `\_\_kmpc_fork`,
		"a|b *c* <d> `e`":   "a\\|b \\*c\\* &lt;d&gt; \\`e\\`",
		"#pragma omp":       `\#pragma omp`,
		"[x](y) ~z~ \\ two": `\[x](y) \~z\~ \\ two`,
		"two\nlines":        "two lines",
	} {
		if got := escape(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"": "", "a|b": "`a\\|b`", "a`b": "`` a`b ``"} {
		if got := code(text); got != want {
			t.Errorf("code %q becomes %q, want %q", text, got, want)
		}
	}
}
