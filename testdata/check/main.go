// Check builds every program of the manifest in several ways and compares what
// it prints with the expected output: without OpenMP, with real threads, with
// sanitizers, and with clang. It proves the programs, not pathspan.
//
//	go run ./testdata/check            # all
//	go run ./testdata/check -run fft   # those whose name matches
//	go run ./testdata/check -update    # write the expected outputs anew
//
// It does not run pathspan.
package main

// This file is the command: flags, the work list and the report.

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"sync"

	"pathspan/testdata/programs"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(arguments []string) int {
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	root := flags.String("root", "testdata", "folder of programs.yaml")
	pattern := flags.String("run", "", "check only programs whose name matches this regular expression")
	update := flags.Bool("update", false, "write the expected outputs from a plain gcc build")
	if err := flags.Parse(arguments); err != nil {
		return 2
	}
	wanted, err := regexp.Compile(*pattern)
	if err != nil {
		fmt.Fprintf(os.Stderr, "check: -run: %v\n", err)
		return 2
	}
	list, err := programs.Load(*root)
	if err != nil {
		fmt.Fprintf(os.Stderr, "check: %v\n", err)
		return 1
	}
	scratch, err := os.MkdirTemp("", "check")
	if err != nil {
		fmt.Fprintf(os.Stderr, "check: %v\n", err)
		return 1
	}
	defer os.RemoveAll(scratch)

	results := make([][]string, len(list))
	var group sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i, p := range list {
		if !wanted.MatchString(p.Name) {
			continue
		}
		group.Add(1)
		go func() {
			defer group.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			c := checker{root: *root, scratch: fmt.Sprintf("%s/%d", scratch, i), program: p}
			results[i] = c.check(*update)
		}()
	}
	group.Wait()
	checked, faulty := 0, 0
	for i, p := range list {
		if !wanted.MatchString(p.Name) {
			continue
		}
		checked++
		if len(results[i]) > 0 {
			faulty++
		}
		for _, fault := range results[i] {
			fmt.Printf("%s: %s\n", p.Name, fault)
		}
	}
	fmt.Printf("%d programs checked, %d with faults\n", checked, faulty)
	if faulty > 0 || checked == 0 {
		return 1
	}
	return 0
}
