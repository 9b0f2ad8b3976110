// Package large writes a large C program: as many files and lines as asked for, of
// functions as programs have them, calling each other across files. It is what builds
// are measured with.
//
//	sources, err := large.Write(dir, 300, 100_000)
//
// Equal numbers give equal bytes. The program takes the number of rounds as its argument
// and prints a checksum.
package large

// This file lays the program out in files.

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
)

// foldersOf is how many files share a folder.
const foldersOf = 25

// Size is how many files and lines benchmarks measure: 300 and 100,000, or as many lines
// as PATHSPAN_BENCH_LINES says, to see how figures grow.
func Size() (files, lines int) {
	if n, err := strconv.Atoi(os.Getenv("PATHSPAN_BENCH_LINES")); err == nil && n >= 1000 {
		return n * 3 / 1000, n
	}
	return 300, 100_000
}

// Write writes the program's files to dir, with a header and a Makefile, and returns the
// sources. Lines are those of all sources together; there are at least that many, and
// at most a function more in each file.
func Write(dir string, files, lines int) ([]string, error) {
	if files < 2 || lines < 40*files {
		return nil, fmt.Errorf("large: %d lines in %d files: give 2 files or more, of 40 lines or more", lines, files)
	}
	var sources, entries []string
	g := &generator{rand: rand.New(rand.NewSource(int64(files)*1_000_003 + int64(lines)))}
	written := 0
	for i := range files - 1 {
		g.file, g.out, g.lines = i, bytes.Buffer{}, 0
		g.line("/* part %d of a made program */", i)
		g.line("#include \"large.h\"")
		own := 0
		for target := (lines - 40) * (i + 1) / (files - 1); written+g.lines < target || own < 2; own++ {
			g.function(own)
		}
		entries = append(entries, g.entry(own))
		written += g.lines
		path := filepath.Join(dir, Folder(i), File(i)+".c")
		if err := write(path, g.out.Bytes()); err != nil {
			return nil, err
		}
		sources = append(sources, path)
	}
	var header bytes.Buffer
	header.WriteString("#ifndef LARGE_H\n#define LARGE_H\n")
	for _, name := range g.public {
		fmt.Fprintf(&header, "long %s(const long *v, int n, int depth);\n", name)
	}
	header.WriteString("#endif\n")
	if err := write(filepath.Join(dir, "large.h"), header.Bytes()); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "main.c")
	sources = append(sources, path)
	if err := write(path, mainFile(entries)); err != nil {
		return nil, err
	}
	return sources, write(filepath.Join(dir, "Makefile"), []byte(makefile))
}

// Folder names the folder of part i, from 0.
func Folder(i int) string { return fmt.Sprintf("part%02d", i/foldersOf) }

// File names the file of part i without its extension.
func File(i int) string { return fmt.Sprintf("part%03d", i) }

func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// mainFile calls the entry of each file, round by round.
func mainFile(entries []string) []byte {
	var out bytes.Buffer
	out.WriteString("#include <stdio.h>\n#include <stdlib.h>\n\n#include \"large.h\"\n\ntypedef long entry(const long *v, int n, int depth);\nstatic entry *const entries[] = {\n")
	for _, e := range entries {
		fmt.Fprintf(&out, "\t%s,\n", e)
	}
	out.WriteString(`};

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	long v[64], sum = 0;

	for (int r = 0; r < rounds; r++) {
		for (int i = 0; i < 64; i++)
			v[i] = (i * 7919L + r * 104729L) % 1000 - 300;
		for (unsigned e = 0; e < sizeof entries / sizeof *entries; e++)
			sum = sum * 31 + entries[e](v, 8 + (r + (int)e) % 24, 3);
	}
	printf("%lx\n", sum);
	return 0;
}
`)
	return out.Bytes()
}

const makefile = `# make [CC=... CFLAGS=...]
CC     ?= cc
CFLAGS ?= -O2
SOURCES = main.c $(wildcard part*/*.c)
large: $(SOURCES:.c=.o)
	$(CC) $(CFLAGS) -fopenmp -o $@ $^
%.o: %.c large.h
	$(CC) -I. $(CFLAGS) -fopenmp -c -o $@ $<
.PHONY: clean
clean:
	rm -f large $(SOURCES:.c=.o)
`
