package record

// This file links a template into a program, so that it writes complete bundles itself
// (profile/template.go).

import (
	"context"
	"fmt"

	"pathspan/build"
	"pathspan/build/toolchain"
	"pathspan/profile"
)

// runtime are the sources of the run-time library of a profiled program.
func (b *Built) runtime() []string {
	sources := []string{"profile.c", "earlier.c", "file.c", "activations.c", "ends.c"}
	if b.watched {
		sources = append(append(sources, build.Executions()...), "watch.c")
	} else if b.Options.Memory {
		sources = append(sources, "lockaddresses.c")
	}
	if b.Options.Memory {
		sources = append(sources, "memory.c", "states.c", "crowds.c", "levels.c", "lanes.c", "sharing.c", "turns.c", "reuse.c", "taken.c", "objects.c", "texts.c", "memoryfile.c")
	}
	if b.Options.Branches {
		sources = append(sources, "branches.c")
	}
	if b.Options.Flow != nil {
		sources = append(sources, "flow.c")
	}
	return sources
}

// templateAssembly defines what the run-time library looks for. (An @ would begin a comment on ARM.)
const templateAssembly = `	.section .rodata, "a", %%progbits
	.balign 8
	.globl __pathspan_template
	.type __pathspan_template, %%object
__pathspan_template:
	.incbin "5-template.bin"
	.size __pathspan_template, . - __pathspan_template
	.balign 8
	.globl __pathspan_template_size
	.type __pathspan_template_size, %%object
__pathspan_template_size:
	.quad %d
	.size __pathspan_template_size, 8
	.section .note.GNU-stack, "", %%progbits
`

// template makes an object file of the program's template and has it linked.
func (r *Recorder) template(ctx context.Context, b *Built) error {
	data, err := profile.Template(r.bare(b), b.Instr, b.Applied)
	if err != nil {
		return err
	}
	if err := r.write("5-template.bin", data); err != nil {
		return err
	}
	if err := r.write("5-template.s", fmt.Appendf(nil, templateAssembly, len(data))); err != nil {
		return err
	}
	object := r.path("5-template.o")
	b.objects = append(b.objects, object)
	_, err = r.Toolchain.Run(ctx, toolchain.Cmd{Path: r.Toolchain.Clang, Dir: r.Dir,
		Args: []string{"-c", "5-template.s", "-o", "5-template.o"}})
	return err
}
