package mca

// This file runs llc over the functions of a module and sets apart those that it refuses.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"pathspan/build/toolchain"
	"pathspan/workers"
)

// llcFlags make machine blocks follow IR blocks: code is not copied between blocks nor
// merged from several, since its executions could then not be counted. Moving blocks,
// merging one into its only predecessor and turning branches into selects stay on: they
// keep each instruction where it is executed as often as its block says.
var llcFlags = []string{"-O2", "-relocation-model=static", "-function-sections=false",
	"-enable-tail-merge=false", "-tail-dup-placement=false", "-branch-fold-placement=false",
	"-disable-tail-duplicate", "-disable-early-taildup",
	"-disable-phi-elim-edge-splitting", "-machine-sink-split=false"}

// compiled is a module's machine code.
type compiled struct {
	funcs   map[string]*machineFunc
	refused map[string]string // why llc gave no code, by function
}

// compiler compiles one module.
type compiler struct {
	tools *tools
	cpu   cpu
	asm   *dialect
	mod   *module
	dir   string
}

// compile compiles all functions, in as many parts as there are processors. What comes
// out does not depend on the parts, since llc compiles each function for itself.
func (c *compiler) compile(ctx context.Context) (*compiled, error) {
	total := 0
	sizes := map[string]int{}
	for _, f := range c.mod.m.Funcs() {
		for _, b := range f.Blocks {
			sizes[f.Name()] += len(b.Instrs)
		}
		total += sizes[f.Name()]
	}
	parts := [][]string{nil}
	room := total/runtime.GOMAXPROCS(0) + 1
	used := 0
	for _, f := range c.mod.m.Funcs() {
		if used > 0 && used+sizes[f.Name()]/2 > room {
			parts = append(parts, nil)
			used = 0
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], f.Name())
		used += sizes[f.Name()]
	}
	// Texts are made one after the other: reading a module is not for several goroutines.
	texts := make([][]byte, len(parts))
	for i, names := range parts {
		texts[i] = c.mod.text(among(names))
	}
	out := &compiled{map[string]*machineFunc{}, map[string]string{}}
	results := make([]string, len(parts))
	errs := make([]error, len(parts))
	var wg workers.Group
	for i := range parts {
		wg.Go(func() { results[i], errs[i] = c.llc(ctx, texts[i], fmt.Sprintf("part%d", i)) })
	}
	wg.Wait()
	for i, names := range parts {
		if errs[i] != nil {
			if err := c.search(ctx, names, errs[i], out); err != nil {
				return nil, err
			}
			continue
		}
		c.take(results[i], names, out)
	}
	return out, nil
}

func among(names []string) func(string) bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return func(n string) bool { return set[n] }
}

func (c *compiler) take(text string, names []string, out *compiled) {
	for _, f := range readAssembly(text, c.asm, c.mod.marks, among(names)) {
		out.funcs[f.name] = f
	}
}

var blamed = regexp.MustCompile(`[Ii]n function:? '?([-\w.$]+)`)

// again compiles functions of a part that was refused.
func (c *compiler) again(ctx context.Context, names []string, out *compiled) error {
	if len(names) == 0 {
		return nil
	}
	text, err := c.llc(ctx, c.mod.text(among(names)), "again")
	if err != nil {
		return c.search(ctx, names, err, out)
	}
	c.take(text, names, out)
	return nil
}

// search compiles functions of which some are refused, and finds which: by what llc
// says, else by halving.
func (c *compiler) search(ctx context.Context, names []string, failure error, out *compiled) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	guilty := -1
	var e *toolchain.Error
	if len(names) == 1 {
		guilty = 0
	} else if errors.As(failure, &e) {
		if m := blamed.FindStringSubmatch(e.Stderr); m != nil {
			guilty = slices.Index(names, m[1])
		}
	}
	if guilty >= 0 {
		out.refused[names[guilty]] = refusal(failure)
		return c.again(ctx, slices.Delete(slices.Clone(names), guilty, guilty+1), out)
	}
	// A failure of the module as a whole would fail with no function in it, too.
	if _, err := c.llc(ctx, c.mod.text(among(nil)), "none"); err != nil {
		return fmt.Errorf("the bundle's module does not compile for %s with LLVM %s: %w", c.cpu.name, c.tools.full, err)
	}
	for _, half := range [][]string{names[:len(names)/2], names[len(names)/2:]} {
		if err := c.again(ctx, half, out); err != nil {
			return err
		}
	}
	return nil
}

// refusal is llc's message without what differs from run to run.
func refusal(err error) string {
	var e *toolchain.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	for _, line := range strings.Split(e.Stderr, "\n") {
		for _, mark := range []string{"LLVM ERROR: ", "error: "} {
			if i := strings.LastIndex(line, mark); i >= 0 {
				what := line[i+len(mark):]
				what = addresses.ReplaceAllString(what, "t$1")
				if len(what) > 80 {
					what = strings.ToValidUTF8(what[:80], "") + "..."
				}
				return what
			}
		}
	}
	if e.Signal != "" || strings.Contains(e.Stderr, "PLEASE submit a bug report") {
		return "llc crashed"
	}
	return fmt.Sprintf("llc failed with exit status %d", e.Exit)
}

var addresses = regexp.MustCompile(`(?:0x[0-9a-f]+: )?t(\d+)`)

// llc compiles a module's text to assembly.
func (c *compiler) llc(ctx context.Context, text []byte, name string) (string, error) {
	in := filepath.Join(c.dir, name+".ll")
	out := filepath.Join(c.dir, name+".s")
	if err := os.WriteFile(in, text, 0o600); err != nil {
		return "", err
	}
	args := append(c.cpu.args(), llcFlags...)
	cmd := toolchain.Cmd{Path: c.tools.llc, Args: append(args, "-filetype=asm", "-asm-verbose", in, "-o", out),
		Env: []string{"LLVM_DISABLE_SYMBOLIZATION=1"}} // a crash need not take seconds to be told
	if _, err := c.tools.run(ctx, cmd); err != nil {
		return "", err
	}
	asm, err := os.ReadFile(out)
	return string(asm), err
}
