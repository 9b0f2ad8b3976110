// Command pathspan profiles a sequential C or C++ program once and estimates what
// speed-up any mapping of its OpenMP sections gives on a multiprocessor.
//
//	pathspan profile -o app.pspan app.c -- input.dat
//	pathspan estimate app.pspan
//
// Each subcommand is a file here; the work is done in the packages beside.
package main

import (
	"os"

	"pathspan/scratch"
)

func main() {
	status := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	scratch.RemoveAll()
	os.Exit(status)
}
