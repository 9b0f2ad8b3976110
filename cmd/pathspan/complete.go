package main

// This file completes command lines in shells: files by their kind, names of models,
// techniques and formats, and what a bundle that is named already holds.

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pathspan/estimate"
	"pathspan/procmodels/plugin"
	"pathspan/profile"
)

type completer = cobra.CompletionFunc

// completionCmd makes cobra's command visible, and says how it is used in our words.
func completionCmd(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	examples := map[string]string{
		"bash":       "  pathspan completion bash > ~/.local/share/bash-completion/completions/pathspan",
		"zsh":        "  pathspan completion zsh > \"${fpath[1]}/_pathspan\"",
		"fish":       "  pathspan completion fish > ~/.config/fish/completions/pathspan.fish",
		"powershell": "  pathspan completion powershell | Out-String | Invoke-Expression",
	}
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short = "Write completions for a shell: bash, zsh, fish or powershell"
		c.Long = "Completion writes what a shell needs to complete commands, flags, files of the right\nkind, and names of models, functions and sections."
		c.Example = examples["bash"]
		for _, shell := range c.Commands() {
			shell.Short = "Write completions for " + shell.Name()
			shell.Long = "Write what " + shell.Name() + " needs to complete pathspan's commands to standard output."
			shell.Example = examples[shell.Name()]
			if f := shell.Flags().Lookup("no-descriptions"); f != nil {
				f.Usage = "leave out what the completions mean"
			}
		}
	}
}

// addCompletion completes the flags and arguments of all commands, by their names: a
// flag means the same wherever it is. What a command completes itself is left alone.
func addCompletion(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		addCompletion(c)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		complete, ok := flagCompletions[f.Name]
		if _, own := cmd.GetFlagCompletionFunc(f.Name); ok && !own && f.Value.Type() != "bool" {
			// It fails only for flags that there are not, or that have one.
			_ = cmd.RegisterFlagCompletionFunc(f.Name, complete)
		}
	})
	if cmd.ValidArgsFunction == nil && cmd.ValidArgs == nil && cmd.Runnable() {
		cmd.ValidArgsFunction = argumentsOf(cmd)
	}
}

var flagCompletions = map[string]completer{
	"platform":    filesOf("yaml", "yml"),
	"platforms":   filesOf("yaml", "yml"),
	"mapping":     filesOf("yaml", "yml"),
	"costs":       filesOf("yaml", "yml"),
	"constraints": filesOf("yaml", "yml"),
	"explored":    filesOf("json"),
	"reference":   filesOf("csv"),
	"against":     either(words("committed\tthe ledger of this version"), filesOf("json")),
	"state":       filesOf("json"),
	"model":       models,
	"technique":   completeTechniques,
	"algorithm":   words("auto", "exhaustive", "branch-and-bound", "list", "annealing", "genetic", "ants", "random"),
	"objective":   words("speedup", "time", "processors", "energy"),
	"pareto":      list("speedup", "time", "processors", "energy"),
	"kind":        words("htg\thierarchical task graphs", "cfg\tcontrol flow", "cdg\tcontrol dependence regions", "calls"),
	"optimise":    words("0", "1", "2", "3", "s"),
	"levels":      list("0", "1", "2", "3", "s"),
	"size":        words("small", "large"),
	"language":    words("table", "go", "python"),
	"version":     words("1.0", "2.0"),
	"color":       words("auto", "always", "never"),
	"ridge":       words("auto"),
	"function":    functions,
	"pin":         sections("="),
	"demand":      sections("="),
	"sweep":       words(sweptWords()...),
	"target":      words("aarch64-linux-gnu", "arm-linux-gnueabihf", "riscv64-linux-gnu"),
	"clang":       words("14", "15", "16", "17", "18", "19", "20", "21", "22"),
}

// argumentsOf completes what a command takes beside flags, by its usage line.
func argumentsOf(cmd *cobra.Command) completer {
	switch use := cmd.Use; {
	case cmd.Name() == "diff":
		return filesOf("pspan", "json")
	case cmd.Name() == "compare":
		return either(models, filesOf("pspan"))
	case strings.Contains(use, ".pspan ") && strings.Contains(use, "merge"):
		return filesOf("pspan")
	case strings.Contains(use, "APP.pspan"):
		return once(filesOf("pspan"))
	case strings.Contains(use, "SAMPLES.csv"):
		return once(filesOf("csv"))
	case strings.Contains(use, "SOURCE"):
		return filesOf("c", "cc", "cpp", "cxx", "C", "ll", "bc")
	case strings.Contains(use, "FOLDER"):
		return once(func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		})
	case cmd.Name() == "show" || cmd.Name() == "check" || cmd.Name() == "write":
		if cmd.Parent() != nil && cmd.Parent().Name() == "shim" && cmd.Name() == "show" {
			return once(filesOf("xml"))
		}
		return once(either(models, filesOf("yaml", "yml", "xml")))
	case cmd.Name() == "lint":
		return once(filesOf("xml"))
	}
	return cobra.NoFileCompletions
}

// filesOf completes the names of files with one of the endings, and of folders.
func filesOf(endings ...string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return endings, cobra.ShellCompDirectiveFilterFileExt
	}
}

// once completes the first argument only.
func once(c completer) completer {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return c(cmd, args, begun)
	}
}

// either completes by names where one begins so, else by files.
func either(names, others completer) completer {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if list, directive := names(cmd, args, begun); len(list) > 0 {
			return list, directive &^ cobra.ShellCompDirectiveNoFileComp
		}
		return others(cmd, args, begun)
	}
}

// beginning keeps the words that begin so; what follows a tab explains a word.
func beginning(all []string, begun string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(w string) bool { return !strings.HasPrefix(w, begun) })
}

func words(all ...string) completer {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		directive := cobra.ShellCompDirectiveNoFileComp
		if len(all) > 0 && strings.HasSuffix(all[0], "=") {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		return beginning(all, begun), directive | cobra.ShellCompDirectiveKeepOrder
	}
}

// list completes the last of several words between commas.
func list(all ...string) completer {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		before := begun[:strings.LastIndexByte(begun, ',')+1]
		given := strings.Split(before, ",")
		var out []string
		for _, w := range beginning(all, begun[len(before):]) {
			if word, _, _ := strings.Cut(w, "\t"); !slices.Contains(given, word) {
				out = append(out, before+w)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
	}
}

// models completes the names of models and plugins, else files of tables.
func models(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	all := builtIn()
	for _, p := range plugin.List() {
		all = append(all, "plugin:"+p.Name)
	}
	if found := beginning(all, begun); len(found) > 0 {
		return found, cobra.ShellCompDirectiveDefault
	}
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// bundleIn returns the bundle that the command line names, nil where it names none that can
// be read.
func bundleIn(args []string) *profile.Bundle {
	for _, a := range args {
		if strings.HasSuffix(a, ".pspan") {
			if b, err := readBundle(a); err == nil {
				return b
			}
		}
	}
	return nil
}

// functions completes the names of functions that ran, the default first.
func functions(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	b := bundleIn(args)
	if b == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var all []string
	for i, f := range b.Funcs {
		if fn := b.Program.Funcs[i]; f != nil && !slices.Contains(all, fn.Source) {
			if fn.Source == estimate.DefaultRoot {
				all = slices.Insert(all, 0, fn.Source)
				continue
			}
			all = append(all, fn.Source)
		}
	}
	return beginning(all, begun), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// sections completes the names of a bundle's sections, with what follows them.
func sections(ending string) completer {
	return func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		b := bundleIn(args)
		if b == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var all []string
		for i := range b.Program.Regions {
			for _, c := range b.Program.Regions[i].Constructs {
				if c.Loop != nil {
					continue // constraints are for sections
				}
				for _, s := range c.Sections {
					all = append(all, s.Name+ending)
				}
			}
		}
		return beginning(all, begun), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
	}
}
