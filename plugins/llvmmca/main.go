// Command llvmmca is a processor model as a plugin: it compiles the program for a processor
// and has llvm-mca time the code.
package main

import (
	"pathspan/plugins/llvmmca/mca"
	"pathspan/procmodels"
	"pathspan/procmodels/sdk"
)

func main() {
	sdk.Serve(func(p *sdk.Parameters) (procmodels.Model, error) {
		m, err := mca.Open(p)
		if err != nil {
			return nil, err
		}
		return m, nil
	})
}
