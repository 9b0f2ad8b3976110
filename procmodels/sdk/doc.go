// Package sdk makes a processor model written in Go a plugin of pathspan. A plugin is a
// program; pathspan starts it, hands it the blocks of a profiled program and takes their
// costs. A model is one type and one call in main:
//
//	type core struct{ load float64 }
//
//	func (c core) Describe() procmodels.Description {
//		return procmodels.Description{
//			Name: "my core", Kind: "example", Version: "1",
//			Unit: "a clock cycle of the core; caches always hit",
//		}
//	}
//
//	func (c core) Instruction(in *ir.Instr) (cycles float64, known bool) {
//		if in.Op == "load" {
//			return c.load, true
//		}
//		return 1, in.Type != "double"
//	}
//
//	func main() {
//		sdk.Serve(func(p *sdk.Parameters) (procmodels.Model, error) {
//			return sdk.PerInstruction(core{load: p.Number("load", 2, "cycles of a load")}), nil
//		})
//	}
//
// Built as mycore, it is used as model: plugin:./mycore?load=3 in a platform file, or as
// --model plugin:mycore once it is in a folder that pathspan looks into (see package
// plugin). A model that needs to see whole blocks is a [BlockModel], one that needs the
// whole program is a procmodels.Model; one that compiles the module says so in
// its description, by NeedsModule.
//
// A module outside pathspan's tree names it by a replacement:
//
//	go mod edit -require pathspan@v0.0.0 -replace pathspan=/path/to/pathspan
//
// The package does not price anything itself, and neither caches nor limits time: the
// host does.
package sdk
