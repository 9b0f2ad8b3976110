package cc

// This file reads the environment: a compiler's command line has no room for options of
// pathspan.

import (
	"fmt"
	"os"
	"strings"

	"github.com/kballard/go-shellquote"

	"pathspan/build/plan"
	"pathspan/yamlstrict"
)

// The environment variables of the drop-in compiler.
const (
	// EnvMode is "plain" to have clang do everything, as without pathspan.
	EnvMode = "PATHSPAN_CC"
	// EnvFlags holds options of pathspan, as in a shell.
	EnvFlags = "PATHSPAN_CC_FLAGS"
	// EnvQuiet is not empty to silence warnings.
	EnvQuiet = "PATHSPAN_CC_QUIET"
)

// Settings are pathspan's own options.
type Settings struct {
	Plain     bool // leave everything to clang
	Quiet     bool // no warnings
	PathsOnly bool // as of pathspan profile
	Threads   bool
	Vectorize bool
	Memory    bool
	Branches  bool
	Plan      *plan.Plan // as of --plan of pathspan profile; nil for none
	Tool      string     // the version of pathspan, for bundles
}

var settingNames = []string{"--paths-only", "--threads", "--vectorize", "--memory", "--branches", "--plan", "--quiet"}

// FromEnvironment reads the settings.
func FromEnvironment() (Settings, error) {
	s := Settings{Quiet: os.Getenv(EnvQuiet) != ""}
	switch mode := os.Getenv(EnvMode); mode {
	case "", "profile":
	case "plain":
		s.Plain = true
	default:
		return s, fmt.Errorf("$%s is %q; set it to plain, to build without profiling, or unset it", EnvMode, mode)
	}
	flags, err := shellquote.Split(os.Getenv(EnvFlags))
	if err != nil {
		return s, fmt.Errorf("$%s: %s; quote it as in a shell", EnvFlags, strings.ToLower(err.Error()))
	}
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		file, isPlan := strings.CutPrefix(f, "--plan=")
		if f == "--plan" && i+1 < len(flags) {
			i++
			file, isPlan = flags[i], true
		}
		if isPlan {
			if s.Plan, err = readPlan(file); err != nil {
				return s, err
			}
			continue
		}
		switch f {
		case "--paths-only":
			s.PathsOnly = true
		case "--threads":
			s.Threads = true
		case "--vectorize":
			s.Vectorize = true
		case "--quiet", "-q":
			s.Quiet = true
		case "--memory":
			s.Memory = true
		case "--branches":
			s.Branches = true
		case "--flow", "--statements":
			return s, fmt.Errorf("$%s: %s is of pathspan profile, which makes one run: the runs that a program's bundle adds up have no order; give it the program's sources", EnvFlags, f)
		case "--plan":
			return s, fmt.Errorf("$%s: --plan names no file; write --plan=/path/to/plan.yaml", EnvFlags)
		default:
			hint := "; it knows " + strings.Join(settingNames, ", ")
			if near := yamlstrict.Nearest(f, settingNames); near != "" {
				hint = "; did you mean " + near + "?"
			}
			return s, fmt.Errorf("$%s: unknown option %s%s", EnvFlags, f, hint)
		}
	}
	if s.PathsOnly && s.Memory {
		return s, fmt.Errorf("$%s: --paths-only leaves out what --memory tells of tasks by; give one of them", EnvFlags)
	}
	return s, nil
}
