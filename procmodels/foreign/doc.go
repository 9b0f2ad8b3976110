// Package foreign prices what a program calls and does not define, the C library above all, by its
// machine code as an emulator ran it:
//
//	image, err := foreign.ReadImage(exe, source, program)   // linked statically, with relocations
//	run, err := foreign.ReadLog(log, image)                 // of qemu -d in_asm,exec,nochain
//	costs, notes, err := run.Price(ctx, triple, model)      // cycles a call, by function
//
// The log has each block of machine code once and then names the blocks in the order in which they
// ran. Blocks that lie in no function of the program belong to the call that led out of it, until
// that returns; what the program computes meanwhile, in a callback, does not. All of them together
// are made a function of a Program, an instruction of the processor for one of LLVM's, with the
// registers that it uses, which a model prices as it does any other. A function's cost is the mean
// of its calls, with the arguments that the program passed.
//
// AArch64, ARM in both of its encodings, and RISC-V are read, as QEMU writes them. It knows no caches and no system calls: what the kernel does
// is not there.
package foreign
