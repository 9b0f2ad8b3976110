package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/procmodels"
)

func variesOf(c *procmodels.Costs) string {
	var list []string
	for _, v := range c.Blocks[0][0].Varies {
		list = append(list, fmt.Sprintf("%s -%g +%g", c.Factors[v.Factor].Name, v.Down, v.Up))
	}
	return strings.Join(list, ", ")
}

// The sums of best, typical and worst in testdata/twocores10.xml and twocores20.xml,
// with and without the memory that their address space describes.
func TestRanges(t *testing.T) {
	block := []string{"load i32", "mul i32", "mul i32", "add i32", "store i32", "br "}
	for _, c := range []struct {
		ref                  string
		best, typical, worst float64
		varies               string
	}{
		{"shim:twocores10.xml#host", 1 + 2*2 + 1 + 1 + 1, 2 + 2*3 + 1 + 1 + 2, 9 + 2*5 + 1 + 4 + 3, "load -1 +7, mul -2 +4, store -0 +3, br -1 +1"},
		{"shim:twocores10.xml?case=all#host", 8, 12, 27, "load -1 +7, mul -2 +4, store -0 +3, br -1 +1"},
		{"shim:twocores10.xml?case=typical#host", 0, 12, 0, ""},
		{"shim:twocores10.xml?case=worst#host", 0, 27, 0, ""},
		{"shim:twocores10.xml?memory=none#host", 8, 12, 27, "load -1 +7, mul -2 +4, store -0 +3, br -1 +1"},
		// Each access: latency 3, 5, 9.
		{"shim:twocores20.xml?memory=sram#host", 8 + 2*3, 12 + 2*5, 27 + 2*9,
			"load -1 +7, load access to sram -2 +4, mul -2 +4, store -0 +3, store access to sram -2 +4, br -1 +1"},
		{"shim:twocores20.xml?memory=SC_sram&case=best#host", 0, 8 + 2*3, 0, ""},
		{"shim:twocores20.xml?memory=SS_0&case=worst&figure=pitch#host", 0, 1 + 2*2 + 1 + 1 + 3 + 2*3, 0, ""},
	} {
		m, err := procmodels.Open(c.ref, "testdata")
		if err != nil {
			t.Errorf("%s: %v", c.ref, err)
			continue
		}
		got, costs := cost(t, m, block...)
		bc := costs.Blocks[0][0]
		if got != c.typical || bc.Best != c.best || bc.Worst != c.worst || variesOf(costs) != c.varies {
			t.Errorf("%s: %g, %g, %g cycles (%s), want %g, %g, %g (%s)", c.ref,
				bc.Best, got, bc.Worst, variesOf(costs), c.best, c.typical, c.worst, c.varies)
		}
		if len(costs.Reasons) != 0 || len(costs.Warnings) != 0 {
			t.Errorf("%s: %q %q", c.ref, costs.Reasons, costs.Warnings)
		}
	}
}

// oneCore is a file of one core with instructions, access types and a memory's costs.
func oneCore(t *testing.T, instructions, types, sets string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "core.xml")
	text := `<Shim name="s" shimVersion="2.0"><SystemConfiguration><ComponentSet name="c" id="CS"><MasterComponent name="m" id="MC" masterType="PU" arch="x">
<CommonInstructionSet name="i"><FunctionalUnitSet><FunctionalUnit name="u">` + instructions + `</FunctionalUnit></FunctionalUnitSet></CommonInstructionSet>
<AccessTypeSet>` + types + `</AccessTypeSet></MasterComponent><SlaveComponent name="ram" id="SC" size="1" sizeUnit="KiB" rwType="RW"/><Cache name="l1" id="C" size="1" sizeUnit="KiB" cacheType="DATA" cacheCoherency="SOFTWARE"/></ComponentSet>
<AddressSpaceSet><AddressSpace name="as" id="AS"><SubSpace name="low" id="SS" start="0" end="1023"><MasterSlaveBindingSet><MasterSlaveBinding slaveComponentRef="SC"><Accessor masterComponentRef="MC">` +
		sets + `</Accessor></MasterSlaveBinding></MasterSlaveBindingSet></SubSpace></AddressSpace></AddressSpaceSet><FrequencyVoltageSet><FrequencyDomain name="f" id="FD"/><OperatingPointSet name="o" id="OPS"><OperatingPoint name="p" id="OP" frequency="1" frequencyUnit="MHz"/></OperatingPointSet></FrequencyVoltageSet></SystemConfiguration></Shim>`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func instruction(op, latency string) string {
	return fmt.Sprintf(`<Instruction operation="%s"><Performance><Latency %s/></Performance></Instruction>`, op, latency)
}

func access(typ, latency string) string {
	return fmt.Sprintf(`<Performance accessTypeRef="%s"><Latency %s/></Performance>`, typ, latency)
}

// Figures that cannot be are taken as near as can be: negative ones as 0, a best above
// the typical value and a worst below it as the typical value.
func TestOddRanges(t *testing.T) {
	path := oneCore(t, instruction("add", `best="-3" typical="1" worst="4"`)+instruction("sub", `best="5" typical="2" worst="9"`)+
		instruction("mul", `best="1" typical="3" worst="2"`)+instruction("shl", `best="-3" typical="-2" worst="6"`)+
		instruction("xor", `best="-3" typical="-2" worst="-1"`)+instruction("or", `typical="2"`), "", "")
	m, err := openComponent(path, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		instr                string
		best, typical, worst float64
	}{{"add i32", 0, 1, 4}, {"sub i32", 2, 2, 9}, {"mul i32", 1, 3, 3}, {"shl i32", 0, 0, 6}, {"xor i32", 0, 0, 0}, {"or i32", 0, 2, 0}} {
		got, costs := cost(t, m, c.instr)
		if bc := costs.Blocks[0][0]; got != c.typical || bc.Best != c.best || bc.Worst != c.worst {
			t.Errorf("%s: %g, %g, %g, want %g, %g, %g", c.instr, bc.Best, got, bc.Worst, c.best, c.typical, c.worst)
		}
		if want := "best, typical and worst are out of order for sub, mul; what contradicts the typical value is left out"; !strings.Contains(strings.Join(costs.Warnings, "\n"), want) {
			t.Errorf("warnings %q, want %s", costs.Warnings, want)
		}
	}
}

// Accesses go by their width and direction; bursts and hits in a cache count only
// where nothing else is given.
func TestMemoryAccesses(t *testing.T) {
	types := `<AccessType name="b" id="A1" rwType="RW" accessByteSize="1"/><AccessType name="w" id="A4" rwType="R" accessByteSize="4"/>` +
		`<AccessType name="s" id="S4" rwType="W" accessByteSize="4"/><AccessType name="l" id="AL" rwType="RW" accessByteSize="32" nBurst="8"/>`
	instrs := instruction("load", `typical="1"`) + instruction("store", `typical="1"`) + instruction("add", `typical="1"`) + instruction("atomicrmw", `typical="5"`)
	path := oneCore(t, instrs, types, `<PerformanceSet cacheRef="C">`+access("A4", `typical="1"`)+`</PerformanceSet><PerformanceSet>`+
		access("AL", `typical="40"`)+access("A1", `typical="10"`)+access("A4", `best="10" typical="20" worst="30"`)+access("S4", `typical="7"`)+`</PerformanceSet>`)
	m, err := procmodels.Open("shim:"+path+"?memory=ram", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		instr  string
		cycles float64
		varies string
		reason string
	}{
		{"load i8", 11, "", ""},
		{"load i32", 21, "load access to low 32 bits -10 +10", ""},
		{"load i64", 41, "load access to low 32 bits -20 +20", "load access i64: taken as 2 operations"},
		{"store i8", 11, "", ""},
		{"store float", 8, "", ""},
		{"add i32", 1, "", ""},
		{"atomicrmw i32", 32, "load access to low 32 bits -10 +10", ""},
		{"call llvm.memcpy.p0.p0.i64", 1, "", "intrinsic memcpy: taken as a call"},
	} {
		got, costs := cost(t, m, c.instr)
		if reason := strings.Join(costs.Reasons, "; "); got != c.cycles || variesOf(costs) != c.varies || reason != c.reason {
			t.Errorf("%s: %g cycles, %q, %q; want %g, %q, %q", c.instr, got, variesOf(costs), reason, c.cycles, c.varies, c.reason)
		}
	}
	d := m.Describe()
	if i := slices.IndexFunc(d.Parameters, func(p procmodels.Parameter) bool { return p.Name == "memory" }); i < 0 ||
		d.Parameters[i].Value != "low" || !strings.HasSuffix(d.Parameters[i].Text, ": low") || !strings.Contains(d.Source, "memory low") {
		t.Errorf("%+v", d)
	}
	cached := oneCore(t, instrs, types, `<PerformanceSet cacheRef="C">`+access("AL", `typical="9"`)+`</PerformanceSet>`)
	m, err = procmodels.Open("shim:"+cached+"?memory=low", "")
	if err != nil {
		t.Fatal(err)
	}
	got, costs := cost(t, m, "load i32")
	if got != 10 || !strings.Contains(strings.Join(costs.Warnings, "\n"), "only hits in a cache have figures") {
		t.Errorf("%g cycles, %q", got, costs.Warnings)
	}
}
