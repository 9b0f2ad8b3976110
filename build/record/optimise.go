package record

// This file optimises the module of one source, as a compiler does that sees one source
// at a time. Programs that share a source share the outcome, which is kept.

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/bounded"
	"pathspan/build/locals"
	"pathspan/build/openmp"
	"pathspan/build/toolchain"
	"pathspan/ir/asm"
)

// Passes that name what has no name, and those that lay a module out for numbering: what
// openmp.Delimit leaves goes into its callers, loops get their usual form. Where nothing is
// done between passes there are no names: they take time, and code is the same without.
const (
	naming    = "function(instnamer)"
	nameless  = "always-inline,globaldce,function(loop-simplify,break-crit-edges)"
	canonical = "always-inline,globaldce," + naming + ",function(loop-simplify,break-crit-edges,instnamer)"
)

func optimisedName(i int) string { return fmt.Sprintf("3-%d.bc", i) }

// optimise makes the costed module of source i, whose regions are numbered from first.
func (r *Recorder) optimise(ctx context.Context, b *Built, i, first int) (*openmp.Result, error) {
	module, err := bounded.ReadFile(r.path(b.modules[i].file), bounded.Object)
	if err != nil {
		return nil, err
	}
	result := &openmp.Result{First: first}
	parallel, brought := holdsOpenMP(module), b.modules[i].brought
	if parallel && holdsLoops(module) {
		if err := r.layIn(ctx, b, i); err != nil {
			return nil, err
		}
	}
	if !parallel && !brought {
		passes := "default<O" + b.Options.Level + ">," + nameless
		// What clang wrote is sound, and code generation verifies what becomes of it.
		flags := []string{"-disable-verify"}
		// Names are needed of variables, of statements, and in text.
		if !b.Options.Memory && b.Options.Flow == nil && filepath.Ext(b.modules[i].file) != ".ll" {
			flags = append(flags, "-discard-value-names")
		}
		from := b.modules[i].file
		if b.Options.Memory { // which asks what iterations leave to each other
			m, err := r.namedModule(ctx, b, i)
			if err != nil {
				return nil, err
			}
			if err := locals.Mark(m, b.source); err != nil {
				return nil, err
			}
			from = fmt.Sprintf("2-marked-%d.ll", i)
			if err := r.write(from, m.Bytes()); err != nil {
				return nil, err
			}
		}
		return result, r.opt(ctx, b, passes, from, optimisedName(i), flags...)
	}
	return result, r.lower(ctx, b, i, result)
}

// Optimised optimises the module of a source in Dir as a program that holds it would, with those of its options that
// say how, and keeps the outcome for it. It reports false where sections or what the source is are in
// the way.
func (r *Recorder) Optimised(ctx context.Context, file, source string, opt Options) (string, bool, error) {
	b := &Built{Options: opt, modules: []module{{file: file, brought: !isSource(source)}}}
	data, err := bounded.ReadFile(r.path(file), bounded.Object)
	if err != nil || b.modules[0].brought || holdsOpenMP(data) {
		return "", false, err
	}
	_, err = r.optimise(ctx, b, 0, 0)
	return r.path(optimisedName(0)), err == nil, err
}

// holdsOpenMP reports whether a module refers to OpenMP's run-time library or to that of
// offloading. Bitcode holds the names of symbols as they are.
func holdsOpenMP(module []byte) bool {
	return slices.ContainsFunc([]string{"__kmpc_", "__tgt_", "__omp_"}, func(name string) bool { return bytes.Contains(module, []byte(name)) })
}

// NamesOpenMP reports whether a module may need OpenMP's run-time library, by its own
// functions or by those that programs call.
func NamesOpenMP(module []byte) bool {
	return holdsOpenMP(module) || bytes.Contains(module, []byte("omp_"))
}

// holdsLoops reports whether a module asks OpenMP's run-time library for iterations.
func holdsLoops(module []byte) bool {
	return bytes.Contains(module, []byte("__kmpc_for_static_init_")) || bytes.Contains(module, []byte("__kmpc_dispatch_init_"))
}

// layIn lays functions with worksharing loops into the regions of module i that call them.
func (r *Recorder) layIn(ctx context.Context, b *Built, i int) error {
	if err := r.allowPasses(ctx, b, i); err != nil {
		return err
	}
	file := func(step string) string { return fmt.Sprintf("%s-%d.ll", step, i) }
	m, err := r.namedModule(ctx, b, i)
	if err != nil {
		return err
	}
	if some, err := openmp.LayIn(m); err != nil || !some {
		return err
	}
	if err := r.write(file("1-orphans"), m.Bytes()); err != nil {
		return err
	}
	if err := r.opt(ctx, b, "always-inline,globaldce,"+naming, file("1-orphans"), file("1-inlined")); err != nil {
		return err
	}
	if m, err = r.parse(file("1-inlined")); err != nil {
		return err
	}
	if err := openmp.LaidIn(m); err != nil {
		return err
	}
	b.modules[i].file = file("1-laid-in")
	return r.write(file("1-laid-in"), m.Bytes())
}

// lower does the same where sections are in the way of the optimiser, or where the module
// was brought along.
func (r *Recorder) lower(ctx context.Context, b *Built, i int, result *openmp.Result) error {
	file := func(step string) string { return fmt.Sprintf("%s-%d.ll", step, i) }
	if err := r.allowPasses(ctx, b, i); err != nil {
		return err
	}
	m, err := r.namedModule(ctx, b, i)
	if err != nil {
		return err
	}
	if b.Options.Memory { // what all threads execute races, which no run on one of them shows
		if err := locals.Mark(m, b.source); err != nil {
			return err
		}
		if err := openmp.MarkEverywhere(m, b.alone()); err != nil {
			return err
		}
	}
	first := result.First
	lowered, err := openmp.Lower(m)
	if err != nil {
		return err
	}
	*result = *lowered
	result.First = first
	if err := r.write(file("2-lowered"), m.Bytes()); err != nil {
		return err
	}
	if err := r.opt(ctx, b, "default<O"+b.Options.Level+">,"+naming, file("2-lowered"), file("3-optimised")); err != nil {
		return err
	}
	if m, err = r.parse(file("3-optimised")); err != nil {
		return err
	}
	if err := openmp.Delimit(m, result); err != nil {
		return err
	}
	if err := r.write(file("3-delimited"), m.Bytes()); err != nil {
		return err
	}
	return r.opt(ctx, b, canonical, file("3-delimited"), optimisedName(i))
}

// namedModule reads module i, in which all gets a name.
func (r *Recorder) namedModule(ctx context.Context, b *Built, i int) (*asm.Module, error) {
	file := b.modules[i].file
	if filepath.Ext(file) != ".ll" {
		file = fmt.Sprintf("1-named-%d.ll", i)
		if err := r.opt(ctx, b, naming, b.modules[i].file, file); err != nil {
			return nil, err
		}
	}
	return r.parse(file)
}

// allowPasses removes optnone, which clang -O0 leaves in assembly and bitcode that
// users bring along: it would keep opt from naming values and from the level asked
// for. Sources are compiled without it.
func (r *Recorder) allowPasses(ctx context.Context, b *Built, i int) error {
	module := &b.modules[i]
	if !module.brought {
		return nil
	}
	text := strings.TrimSuffix(module.file, ".bc") + ".ll"
	if err := r.opt(ctx, b, "verify", module.file, text); err != nil {
		return err
	}
	module.file = text
	m, err := r.parse(text)
	if err != nil {
		return err
	}
	for _, f := range m.Funcs() {
		if f.HasAttr("optnone") {
			f.RemoveAttr("optnone")
		}
	}
	return r.write(text, m.Bytes())
}

func (r *Recorder) linkModules(ctx context.Context, modules []module, out string) error {
	// A file, because the names of a large program are too long for a command line.
	var list strings.Builder
	for _, m := range modules {
		fmt.Fprintln(&list, m.file)
	}
	if err := r.write("modules.txt", []byte(list.String())); err != nil {
		return err
	}
	args := []string{"-o", out, "@modules.txt"}
	if filepath.Ext(out) == ".ll" {
		args = append(args, "-S")
	}
	if len(modules) == 1 {
		return r.tool(ctx, r.Toolchain.Link, args, out, modules[0].file)
	}
	// A large program's would fill what is kept.
	_, err := r.Toolchain.Run(ctx, toolchain.Cmd{Path: r.Toolchain.Link, Dir: r.Dir, Args: args})
	return err
}

// joinModules makes one module of those of the program, which is then optimised as one.
func (r *Recorder) joinModules(ctx context.Context, b *Built) error {
	if len(b.modules) == 1 {
		return nil
	}
	whole := module{file: "0-whole.bc"}
	for _, m := range b.modules {
		whole.brought = whole.brought || m.brought
	}
	if err := r.linkModules(ctx, b.modules, whole.file); err != nil {
		return err
	}
	b.modules = []module{whole}
	return nil
}

// named links the modules as they were before they were optimised, with names.
func (r *Recorder) named(ctx context.Context, b *Built) (*asm.Module, error) {
	if err := r.linkModules(ctx, b.modules, "1-linked.ll"); err != nil {
		return nil, err
	}
	return r.parse("1-linked.ll")
}
