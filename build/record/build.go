package record

// This file turns sources into the module whose blocks are numbered and costed.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pathspan/bounded"
	"pathspan/build"
	"pathspan/build/openmp"
	"pathspan/build/plan"
	"pathspan/build/probe"
	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
	"pathspan/pathprof"
	"pathspan/profile"
)

// Recorder builds and runs programs with one toolchain.
type Recorder struct {
	Toolchain *toolchain.Toolchain
	Dir       string    // for intermediate files; must exist
	Warnings  io.Writer // the compiler's warnings; nil drops them
	// Progress, when given, is called before each step that takes a while, with the share
	// of all steps alike that is done, below 0 where it is unknown, and what comes now.
	Progress func(share float64, format string, args ...any)

	// Notice, when given, is told what should be known while the program runs.
	Notice func(text string)

	keeping bool // a step is under way whose outcome is kept
	atOnce  bool // tests: no function keeps what it adds to the meter of sections
}

// Options say what to build and how.
type Options struct {
	Sources   []string // .c, .cc, .cpp, .cxx, .C, .ll, .bc
	Level     string   // 0, 1, 2, 3 or s
	CFlags    []string
	Vectorize bool  // keep the vectoriser, for targets that have vectors
	Threads   bool  // the program starts threads that the module does not show
	Memory    bool  // tell of the program's memory
	Branches  bool  // tell which branches a predictor foretells
	Flow      *Flow // tell of the flow of data between statements; nil where nothing is, or Memory is told of
	PathsOnly bool  // leave the work of sections unmetered: no executions in the bundle
	Limits    pathprof.Limits
	// SelfContained puts a template into the executable, so that it writes complete
	// bundles wherever it runs.
	SelfContained bool
	// Tool is the version of pathspan that the bundles of such an executable name.
	Tool string
	// Plan marks the sources as if they had its pragmas; nil for none. Those of a Link were
	// marked when they were compiled.
	Plan *plan.Plan
	// Link takes the place of Sources and CFlags where a build made the modules.
	Link *Link
}

// Built is a program ready to be run.
type Built struct {
	Options    Options
	Module     []byte // the costed module's text, without line numbers
	Program    *ir.Program
	Notes      []string
	Executable string
	Instr      *pathprof.Instrumentation
	Applied    *probe.Applied
	hash       [32]byte // of that text with line numbers
	sources    []profile.Source
	marking    *plan.Marking // of the sources, nil without a plan
	plan       *profile.Plan // the same for the bundle
	marked     []plan.Marked
	cxx        bool
	variables  probe.Variables // of functions; nil where nothing is told of memory
	memory     *probe.Memory   // what is told of memory; nil where nothing is
	flow       *probe.Flow     // what is told of the flow of data
	statements map[string]bool // functions whose calls are statements, by linker name
	watched    bool            // the executable tells which section runs
	groups     []group         // of functions, by source; nil where they are not told apart
	parts      []string        // objects of the program, where it was divided
	objects    []string        // linked beside the run-time libraries
	modules    []module        // of the sources, not optimised
}

// module is a file of a recorder's folder.
type module struct {
	file    string
	brought bool // the user's own, rather than made of a source
}

// alone reports whether a program is one source's, so that nothing else calls its functions.
func (b *Built) alone() bool {
	return len(b.modules) == 1 && (b.Options.Link == nil || len(b.Options.Link.Foreign) == 0)
}

// wholeProgram reports whether sources are optimised together, as link-time optimisation
// does.
func (o *Options) wholeProgram() bool {
	whole := o.Link != nil && o.Link.LTO
	for _, f := range o.CFlags {
		if o.Link == nil && (f == "-fno-lto" || f == "-flto" || strings.HasPrefix(f, "-flto=")) {
			whole = f != "-fno-lto"
		}
	}
	return whole
}

// Build compiles, links, lowers, optimises, instruments and links again.
func (r *Recorder) Build(ctx context.Context, opt Options) (*Built, error) {
	b, err := r.Costed(ctx, opt)
	if err != nil {
		return nil, err
	}
	m, err := asm.Parse(b.Module)
	if err != nil {
		return nil, err
	}
	r.progress(-1, "numbering paths and placing probes")
	b.Instr = pathprof.Instrument(b.Program, b.hash, pathprof.Options{Limits: opt.Limits, Threads: opt.Threads})
	if b.memory, err = r.memory(b, m); err != nil {
		return nil, err
	}
	branched, err := r.branches(b, m)
	if err != nil {
		return nil, err
	}
	if b.flow, err = r.flow(b, m); err != nil {
		return nil, err
	}
	metered, err := r.meterWork(b, m)
	if err != nil {
		return nil, err
	}
	divided, err := r.parts(ctx, b, m, levelAgain(opt.Level))
	if err != nil {
		return nil, err
	}
	if !divided {
		if b.Applied, err = probe.Apply(m, &b.Instr.Planner.Plan); err != nil {
			return nil, err
		}
		if metered != nil {
			if err := metered.Finish(m); err != nil {
				return nil, err
			}
		}
		if b.memory != nil {
			if err := b.memory.Write(); err != nil {
				return nil, err
			}
		}
		if branched != nil {
			if err := branched.Write(); err != nil {
				return nil, err
			}
		}
		if b.flow != nil {
			if err := b.flow.Write(); err != nil {
				return nil, err
			}
		}
		if err := probe.PlaceDispatch(m); err != nil {
			return nil, err
		}
		if err := r.write("5-probes.ll", m.Bytes()); err != nil {
			return nil, err
		}
	}
	if opt.Link != nil {
		b.Executable = opt.Link.Output
	} else {
		b.Executable = r.path(b.name())
	}
	if opt.SelfContained {
		if err := r.template(ctx, b); err != nil {
			return nil, err
		}
	}
	b.watched = metered != nil
	module, err := r.joinInlined(ctx, b, "5-probes.ll")
	if err != nil {
		return nil, err
	}
	return b, r.link(ctx, b, module, b.Executable, b.runtime()...)
}

// ErrMemoryOfThreads is for programs whose accesses are not those of one thread.
var ErrMemoryOfThreads = errors.New("the program starts threads of its own, and --memory follows one thread; leave out --memory")

// memory finds what is to be told of memory; nil where nothing is.
func (r *Recorder) memory(b *Built, m *asm.Module) (*probe.Memory, error) {
	if !b.Options.Memory {
		return nil, nil
	}
	if b.Options.Threads || pathprof.StartsThreads(b.Program) {
		return nil, ErrMemoryOfThreads
	}
	return probe.FindMemory(m, b.Program, flow.Graphs(b.Program), b.variables)
}

// ErrBranchesOfThreads is for programs whose branches are not those of one thread.
var ErrBranchesOfThreads = errors.New("the program starts threads of its own, and --branches follows one thread; leave out --branches")

// branches finds what is to be told of branches; nil where nothing is.
func (r *Recorder) branches(b *Built, m *asm.Module) (*probe.Branches, error) {
	if !b.Options.Branches {
		return nil, nil
	}
	if b.Options.Threads || pathprof.StartsThreads(b.Program) {
		return nil, ErrBranchesOfThreads
	}
	selects := map[flow.Way]bool{}
	if b.Options.Level != "0" {
		ops, err := ir.ReadOperands(b.Program, b.Module)
		if err != nil {
			return nil, err
		}
		selects = probe.SelectsAsBranches(b.Program, ops, flow.Graphs(b.Program))
	}
	return probe.FindBranches(m, b.Program, selects), nil
}

// flow finds what is to be told of the flow of data; nil where nothing is.
func (r *Recorder) flow(b *Built, m *asm.Module) (*probe.Flow, error) {
	if b.Options.Flow == nil {
		return nil, nil
	}
	if b.Options.Threads || pathprof.StartsThreads(b.Program) {
		return nil, ErrFlowOfThreads
	}
	tasks := b.Program.TaskEntries()
	return probe.FindFlow(m, b.Program, flow.Graphs(b.Program), func(fn int) bool {
		if b.plannedFlow() {
			task, ok := tasks[fn]
			at, _ := b.Program.StageOf(task)
			return ok && (at >= 0 || !b.Options.Plan.HasPipelines())
		}
		return b.statements[b.Program.Funcs[fn].Name]
	})
}

// Costed makes the module that is numbered and costed, and no executable.
func (r *Recorder) Costed(ctx context.Context, opt Options) (*Built, error) {
	b := &Built{Options: opt}
	if err := r.costedModule(ctx, b); err != nil {
		return nil, err
	}
	return b, nil
}

// name is what the program is called when it runs: its first source without the
// extension, as a plain build would call it.
func (b *Built) name() string {
	base := filepath.Base(b.Options.Sources[0])
	return "run-" + strings.TrimSuffix(base, filepath.Ext(base))
}

// costedModule makes the module that is numbered and costed: each source's is optimised
// as its part of the parallel program would be, then laid out as one thread runs it, and
// linked to the others.
func (r *Recorder) costedModule(ctx context.Context, b *Built) error {
	var err error
	if b.Options.Link != nil {
		r.takeModules(b)
	} else {
		err = r.compile(ctx, b)
	}
	if err == nil && b.Options.Flow != nil {
		err = r.keepStatements(ctx, b)
	}
	if err == nil && b.Options.wholeProgram() {
		err = r.joinModules(ctx, b)
	}
	if err != nil {
		return err
	}
	r.progress(-1, "optimising at -O%s", b.Options.Level)
	results := make([]*openmp.Result, len(b.modules))
	first := 0
	for i := range b.modules {
		if results[i], err = r.optimise(ctx, b, i, first); err != nil {
			return err
		}
		first += len(results[i].Regions)
	}
	r.progress(-1, "linking modules")
	optimised := make([]module, len(b.modules))
	for i := range optimised {
		optimised[i].file = optimisedName(i)
	}
	if err := r.linkModules(ctx, optimised, "4-linked.ll"); err != nil {
		return err
	}
	text, err := os.ReadFile(r.path("4-linked.ll"))
	if err != nil {
		return err
	}
	m, err := asm.Parse(text)
	if err != nil {
		return err
	}
	if name, same := r.Toolchain.Makes(m.Triple()); !same {
		return fmt.Errorf("the program is one of %s; name it with --target=%s", name, name)
	}
	if b.Options.Memory {
		b.variables = probe.VariablesOf(m)
	}
	m.NumberValues()
	m.NameValues()
	merged, err := openmp.Merge(m, results)
	if err != nil {
		return err
	}
	if len(b.modules) > 1 && len(merged.Regions) == 0 {
		b.groups = sortBySource(m)
	}
	if err := splitCalls(m); err != nil {
		return err
	}
	tasks, err := openmp.NumberTasks(m)
	if err != nil {
		return err
	}
	if b.Program, err = ir.Build(m); err != nil {
		return err
	}
	if left := pathprof.CallsLeft(b.Program, b.Options.Threads || pathprof.StartsThreads(b.Program)); left != nil {
		if err := probe.SplitBehind(m, left); err != nil {
			return err
		}
		b.Program.Split(m)
	}
	b.Program.ReadLoopWords(b.source)
	b.hash = sha256.Sum256(m.Bytes())
	// The program's view has the lines. Models, probes and meters need none.
	if err := m.StripDebug(); err != nil {
		return err
	}
	b.Module = m.Bytes()
	if err := r.write("4-costed.ll", b.Module); err != nil {
		return err
	}
	if b.Options.Plan != nil {
		b.Program.Pipelines = b.Options.Plan.Pipelines(b.marked, tasks)
	}
	b.Program.Regions, b.Program.Tasks = merged.Regions, tasks
	b.Program.NameMade()
	if t := r.Toolchain.Target; t != nil {
		b.Notes = append(b.Notes, fmt.Sprintf("the program is one of %s, and costs are of the code that it has there", t.Name))
	}
	b.Notes = append(append(b.Notes, merged.Notes...), pathprof.ThreadNotes(b.Program)...)
	b.Notes = append(b.Notes, b.PlanNotes()...)
	if b.Program.Func("main") == nil {
		return errors.New("the program has no function main; name all of its sources")
	}
	return nil
}

// splitCalls ends blocks at markers, at calls that take and release locks, and at those that
// may return twice.
func splitCalls(m *asm.Module) error {
	if err := probe.SplitReturnsTwice(m); err != nil {
		return err
	}
	if err := openmp.SplitMarks(m); err != nil {
		return err
	}
	return ir.SplitLocks(m)
}

// compile compiles every source to a module.
func (r *Recorder) compile(ctx context.Context, b *Built) error {
	if len(b.Options.Sources) == 0 {
		return errors.New("no source given")
	}
	include, err := r.include()
	if err != nil {
		return err
	}
	if err := r.mark(ctx, b, include); err != nil {
		return err
	}
	for i, src := range b.Options.Sources {
		r.progress(float64(i)/float64(len(b.Options.Sources)), "compiling %s", src)
		source, err := hashed(src)
		if err != nil {
			return err
		}
		b.sources = append(b.sources, source)
		out := fmt.Sprintf("0-%d.bc", i)
		if b.marking != nil || mentionsOpenMP(src) {
			out = fmt.Sprintf("0-%d.ll", i) // which is read here
		}
		switch ext := filepath.Ext(src); ext {
		case ".ll", ".bc":
			args := []string{"-passes=verify", src, "-o", r.path(out)}
			if _, err := r.Toolchain.Run(ctx, toolchain.Cmd{Path: r.Toolchain.Opt, Args: args}); err != nil {
				return err
			}
		case ".c", ".cc", ".cpp", ".cxx", ".C", ".c++":
			compile := r.Toolchain.Compile
			if b.marking != nil {
				compile = func(ctx context.Context, c toolchain.Compile) (string, error) { return b.marking.Compile(ctx, i, c) }
			}
			warnings, err := compile(ctx, b.compilation(src, r.path(out), include))
			if err != nil {
				return err
			}
			if warnings != "" && r.Warnings != nil {
				io.WriteString(r.Warnings, warnings)
			}
		default:
			return fmt.Errorf("%s: not a source that pathspan reads; give .c, .cc, .cpp, .ll or .bc files", src)
		}
		text, err := os.ReadFile(r.path(out))
		if err != nil {
			return err
		}
		b.cxx = b.cxx || toolchain.IsCXX(src) || bytes.Contains(text, []byte("__gxx_personality_v0")) || bytes.Contains(text, []byte("_ZSt"))
		b.modules = append(b.modules, module{file: out, brought: !isSource(src)})
	}
	return nil
}

var pragmas = regexp.MustCompile(`\bomp\b`)

// mentionsOpenMP reports whether a source is likely to have pragmas of OpenMP. Those of
// headers alone are found all the same.
func mentionsOpenMP(src string) bool {
	text, err := bounded.ReadRegular(src, bounded.Text)
	return err == nil && isSource(src) && pragmas.Match(text)
}

// KeepNames is clang's option by which variables of the module have the source's names, as [Options.Memory]
// wants them.
const KeepNames = "-fno-discard-value-names"

// compilation is that of a source with OpenMP.
func (b *Built) compilation(source, output, include string) toolchain.Compile {
	c := toolchain.Compile{Source: source, Output: output, Level: b.Options.Level, OpenMP: true, IncludeAfter: include, Extra: b.Options.CFlags}
	if b.Options.Memory { // which tells of variables by their names
		c.Extra = append(slices.Clone(c.Extra), KeepNames)
	}
	return c
}

// source is the text of a file, nil where it is not known, as of a build elsewhere.
func (b *Built) source(file string) []byte {
	// Clang names a file without what its folder has in common with the current one.
	names := append([]string{file}, b.Options.Sources...)
	if b.Options.Link != nil {
		for _, s := range b.Options.Link.Sources {
			names = append(names, s.Name)
		}
	}
	for _, name := range names {
		if name != file && !strings.HasSuffix(name, "/"+file) {
			continue
		}
		if text, err := bounded.ReadRegular(name, bounded.Text); err == nil {
			return text
		}
	}
	return nil
}

// hashed is a file as a bundle names it.
func hashed(path string) (profile.Source, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return profile.Source{}, fmt.Errorf("%s: %w", path, bounded.Reason(err))
	}
	return profile.Source{Name: path, SHA256: sha256.Sum256(data)}, nil
}

// include writes omp.h to Dir and returns its folder.
func (r *Recorder) include() (string, error) {
	return r.path("runtime/include"), r.unpack("runtime/include")
}

// unpack writes a folder of the run-time libraries' sources to Dir.
func (r *Recorder) unpack(folder string) error {
	return fs.WalkDir(build.Library, folder, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := r.path(p)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		data, err := build.Library.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}

// link compiles a module to an executable with the serial OpenMP library and others
// of the run-time libraries. The module was optimised already, before the probes.
func (r *Recorder) link(ctx context.Context, b *Built, module, exe string, runtime ...string) error {
	if b.Options.Link == nil {
		runtime = append([]string{"openmp.c", "tasks.c", "serial.c"}, runtime...)
	}
	code := append(toolchain.FixedAddress(toolchain.LinkFlags(b.Options.CFlags)), toolchain.RotateLoops...)
	return r.linkAt(ctx, b, levelAgain(b.Options.Level), r.Toolchain.PassesAgain(), code, module, exe, runtime...)
}

// levelAgain is the level for what was optimised already at another, before the probes.
func levelAgain(level string) string {
	if level == "0" {
		return "1"
	}
	return level
}

// linkAt optimises a module by a pipeline, and links it at a level, with arguments for
// making code, with run-time libraries.
func (r *Recorder) linkAt(ctx context.Context, b *Built, level, passes string, code []string, module, exe string, runtime ...string) error {
	r.progress(-1, "optimising and linking the program to run")
	optimised := strings.TrimSuffix(module, ".ll") + ".bc"
	if b.parts == nil {
		if err := r.opt(ctx, b, passes, module, optimised); err != nil {
			return err
		}
	}
	var objects []string
	var flags []string
	if b.Options.Memory && b.Options.Link == nil { // which costs the less, the more is known of where things are
		flags = toolchain.FixedAddress(toolchain.LinkFlags(b.Options.CFlags))
	}
	for _, source := range runtime {
		object, err := r.object(ctx, source, flags...)
		if err != nil {
			return err
		}
		objects = append(objects, object)
	}
	if b.Options.Link != nil {
		if b.parts == nil {
			b.parts = []string{r.path("6-program.o")}
			if err := r.code(ctx, codeArgs(level), optimised, "6-program.o"); err != nil {
				return err
			}
		}
		return r.linkAsAsked(ctx, b, b.parts, objects)
	}
	object, linkFlags := strings.TrimSuffix(module, ".ll")+".o", toolchain.LinkFlags(b.Options.CFlags)
	args := slices.Concat([]string{"-O" + level, "-Wno-override-module", "-Xclang", "-disable-llvm-passes"}, code, linkFlags)
	if err := r.code(ctx, args, optimised, object); err != nil {
		return err
	}
	args = append(slices.Clone(code), r.path(object))
	args = append(args, objects...)
	args = append(append(args, b.objects...), "-o", exe)
	args = append(args, linkFlags...)
	args = append(args, "-lm", "-lpthread", "-ldl")
	if err := r.Toolchain.Ready(b.cxx, false); err != nil {
		return err
	}
	driver := r.Toolchain.Clang
	if b.cxx {
		driver = r.Toolchain.ClangXX
		if driver == "" {
			return fmt.Errorf("the program is C++ and no clang++ of LLVM %d was found; install it (%s), or name another with --clang",
				r.Toolchain.Version, toolchain.InstallCommand(fmt.Sprintf("clang-%d", r.Toolchain.Version)))
		}
	}
	_, err := r.Toolchain.Run(ctx, toolchain.Cmd{Path: driver, Args: args})
	return err
}

// Baseline links the costed module without probes, to compare with.
func (r *Recorder) Baseline(ctx context.Context, b *Built, exe string) error {
	m, err := asm.Parse(b.Module)
	if err != nil {
		return err
	}
	if err := probe.StripMarks(m); err != nil {
		return err
	}
	if err := r.write("6-baseline.ll", m.Bytes()); err != nil {
		return err
	}
	return r.link(ctx, b, "6-baseline.ll", exe)
}

// opt runs in Dir, so that the modules it writes name no folder of this machine and
// two builds are equal byte for byte.
func (r *Recorder) opt(ctx context.Context, b *Built, passes, in, out string, more ...string) error {
	return r.tool(ctx, r.Toolchain.Opt, append(toolchain.OptArgs(passes, b.Options.Vectorize, in, out), more...), out, in)
}

// parse reads a module of Dir. Functions that the source marks optnone have values without
// names, which opt passes over.
func (r *Recorder) parse(name string) (*asm.Module, error) {
	text, err := os.ReadFile(r.path(name))
	if err != nil {
		return nil, err
	}
	m, err := asm.Parse(text)
	if err == nil {
		m.NameValues()
	}
	return m, err
}

func (r *Recorder) write(name string, data []byte) error {
	return os.WriteFile(r.path(name), data, 0o644)
}

func (r *Recorder) progress(share float64, format string, args ...any) {
	if r.Progress != nil {
		r.Progress(share, format, args...)
	}
}

func (r *Recorder) path(name string) string { return filepath.Join(r.Dir, name) }
