package conform_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"pathspan/procmodels/costcache"
	_ "pathspan/procmodels/plugin"
)

// The Go example is what authors of plugins begin with. The Python example and the
// skeletons are held to the contract beside their own code.
func TestGoExampleConforms(t *testing.T) {
	t.Setenv(costcache.Variable, "off") // or the kit would compare an answer with itself
	program := filepath.Join(t.TempDir(), "example")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "../../plugins/example-go").CombinedOutput(); err != nil {
		t.Fatalf("building the example: %v\n%s", err, out)
	}
	conforms(t, "plugin:"+program)
}
