package shim

import "pathspan/procmodels"

// openComponent opens the model of a component with no options.
func openComponent(path, component string) (procmodels.Model, error) {
	return procmodels.Open("shim:"+path+"#"+component, "")
}
