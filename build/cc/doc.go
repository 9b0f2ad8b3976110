// Package cc is a drop-in C and C++ compiler for make, CMake and autotools: objects
// carry the program's LLVM module beside their native code, and linking makes the
// instrumented program, which writes profile bundles wherever it runs.
//
//	d := &cc.Driver{Settings: settings, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
//	status, err := d.Run(ctx, []string{"-O2", "-c", "a.c", "-o", "a.o"})
//	status, err = d.Run(ctx, []string{"a.o", "libb.a", "-o", "app"})
//
// Command lines are clang's. What neither compiles nor links (-E, -M, --version...) is
// clang's own affair and runs unchanged. A link is done twice: once as it stands, which
// shows the objects and archive members that belong to the program, and once with their
// modules, made into one and instrumented as package record does it. What has no module
// (assembler, objects of other compilers) is linked as it is and listed.
//
// The package decides nothing about numbering or probes, and reads no LLVM assembly.
package cc
