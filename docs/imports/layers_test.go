package imports_test

// This file declares the layers that the packages of pathspan lie in, and what each may
// import.

// layer is a group of packages on one side of the tool.
type layer struct {
	name, about string
	packages    []string // each may import those before it
	sees        []string // layers that its packages may import from
}

const (
	tools    = "tools"
	program  = "program"
	probes   = "probes"
	profile  = "profile"
	building = "build"
	costs    = "costs"
	graphs   = "graphs"
	second   = "second"
	estimate = "estimate"
	verify   = "verify"
	search   = "search"
	machine  = "machine"
	plugins  = "plugins"
	output   = "output"
	commands = "commands"
	tests    = "tests"
)

// layers go from the bottom up. A package imports packages that stand before it in its own
// layer, and those of layers that its own sees, which stand before it as well.
var layers = []layer{
	{tools, "serve any program", []string{"visible", "bounded", "scratch", "workers", "yamlstrict", "yamlstrict/keytest", "draw"}, nil},
	{program, "the program, as LLVM has it and as pathspan sees it, what it does to memory, and what flows between its statements", []string{"ir/asm", "ir/compact", "ir", "ir/flow", "memory", "streams"}, []string{tools}},
	{probes, "what is written into a module, and linked with it", []string{"build", "build/probe"}, []string{program}},
	{profile, "paths and executions, and the bundle that keeps them", []string{"pathprof", "profile/bundlepb", "profile"}, []string{tools, program, probes}},
	{building, "sources to a bundle; needs a compiler", []string{"build/openmp", "build/locals", "build/toolchain", "build/plan", "build/record", "build/cc"}, []string{tools, program, probes, profile}},
	{costs, "the platform, the mapping, and what blocks cost", []string{
		"mapping/loops", "mapping/caches", "mapping/hierarchy", "mapping", "procmodels", "procmodels/pipeline", "procmodels/foreign", "procmodels/accelerator", "procmodels/pluginpb", "procmodels/wire", "procmodels/costcache",
		"procmodels/sdk", "procmodels/plugin", "procmodels/conform", "procmodels/fitted", "procmodels/compare", "procmodels/fit",
	}, []string{tools, program, profile}},
	{graphs, "tasks, communication, dependences, the flow of data, and drawings of what a bundle knows", []string{"htg", "memory/comm", "memory/depend", "streams/composition", "streams/waves", "streams/flow", "streams/fifo"}, []string{tools, program, profile}},
	{second, "estimate and schedule a second time, and share nothing with those who do it first", []string{"estimate/pathwise", "replay"}, []string{tools, program, probes, profile, costs, graphs}},
	{estimate, "rows, and what is read of them", []string{
		"estimate/recursion", "estimate/table", "estimate", "estimate/account", "estimate/formula", "validate/ledger", "estimate/averaged", "suggest",
	}, []string{tools, program, profile, costs, graphs}},
	{verify, "holds the first estimate against the second", []string{"estimate/verify"}, []string{program, probes, costs, second, estimate}},
	{search, "value candidates by the million", []string{"explore", "serve/servepb", "serve"}, []string{tools, costs, estimate}},
	{machine, "runs programs on this machine", []string{"measure", "procmodels/hostfit"}, []string{tools, building, profile, costs}},
	{plugins, "processor models outside of the core", []string{
		"plugins/example-go", "plugins/example-python", "plugins/llvmmca/mca", "plugins/llvmmca", "plugins/shim", "procmodels/scaffold",
	}, []string{tools, program, building, costs}},
	{output, "for people and for other programs", []string{"report", "report/document", "report/page", "export", "diff"},
		[]string{tools, program, profile, costs, graphs, second, estimate, search, machine}},
	{commands, "one for each thing a user does", []string{"testdata/bench", "doctor", "validate", "cmd/pathspan"},
		[]string{tools, program, profile, building, costs, graphs, second, estimate, verify, search, machine, plugins, output}},
	{tests, "for tests and make", []string{
		"testdata/chromium", "testdata/projects", "testdata/sources", "testdata/programs", "testdata/large", "testdata/forge", "testdata/walks", "testdata/check", "testdata/profiled",
	}, []string{tools, program, probes, profile, building}},
}

// keepers are packages that few may import, whatever layer they are in: assembly text is
// for those who change it, generated messages for those who turn them into types.
var keepers = map[string][]string{
	"ir/asm":              {"ir", "build/openmp", "build/locals", "build/probe", "build/record", "procmodels/conform", "plugins/llvmmca/mca", "memory/depend"},
	"profile/bundlepb":    {"profile"},
	"procmodels/pluginpb": {"procmodels/wire", "procmodels/costcache", "procmodels/sdk", "procmodels/plugin"},
	"serve/servepb":       {"serve"},
	"validate/ledger":     {"estimate/averaged", "validate", "report", "report/document", "cmd/pathspan"},
}
