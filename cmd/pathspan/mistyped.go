package main

// This file says which command or flag was meant by one that there is not.

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pathspan/yamlstrict"
)

var (
	unknownFlag    = regexp.MustCompile(`^unknown flag: --(.+)$`)
	unknownShort   = regexp.MustCompile(`^unknown shorthand flag: '.+' in (-[A-Za-z].*)$`)
	lettersForP    = regexp.MustCompile(`^invalid argument "([a-z][a-z-]*)" for "-p, --processors" flag`) // -pthread, -pedantic
	unknownCommand = regexp.MustCompile(`^unknown command "(.*?)" for "(.*?)"`)
)

// flagError adds what to do to an error of a flag. The reason in terms of Go's parser
// tells a user nothing.
func flagError(cmd *cobra.Command, err error) error {
	what, _, _ := strings.Cut(err.Error(), ": strconv.")
	if m := unknownFlag.FindStringSubmatch(what); m != nil {
		var names []string
		add := func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		}
		cmd.Flags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		if near := yamlstrict.Nearest(m[1], names); near != "" {
			what += fmt.Sprintf("; did you mean --%s", near)
		}
	}
	m := unknownShort.FindStringSubmatch(what)
	if letters := lettersForP.FindStringSubmatch(what); letters != nil {
		m = []string{"", "-p" + letters[1]}
	}
	if m != nil && cmd.Flags().Lookup("cflags") != nil {
		what += fmt.Sprintf("; flags of the compiler go behind --cflags, as --cflags %s", shellquote.Join(shellquote.Join(m[1]))) // for the shell, and for us
	}
	return fmt.Errorf("%s; %s --help lists the flags", what, cmd.CommandPath())
}

// onlyCommands are the arguments of a command that only holds others.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
	}
	return nil
}

// commandError adds what to do to the text of an error for a command that there is not.
func commandError(root *cobra.Command, text string) string {
	m := unknownCommand.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	parent, _, err := root.Find(strings.Fields(m[2])[1:])
	if err != nil {
		parent = root
	}
	var names []string
	for _, c := range parent.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	if near := yamlstrict.Nearest(m[1], names); near != "" {
		return fmt.Sprintf("%s; did you mean %s; %s --help lists them", m[0], near, parent.CommandPath())
	}
	return fmt.Sprintf("%s; %s --help lists them", m[0], parent.CommandPath())
}
