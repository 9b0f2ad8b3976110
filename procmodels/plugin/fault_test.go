package plugin

// This file gives pathspan a plugin with each fault.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pathspan/procmodels"
)

func TestFaults(t *testing.T) {
	const block = "block 3 of main (b3): "
	for kind, want := range map[string]string{
		"exits":               `exit status 4 before it said where it listens; its last words: "no licence found"`,
		"prints":              `is no plugin of pathspan: it printed "hello, world"`,
		"mute":                "did not say where it listens in 1.5s; PATHSPAN_PLUGIN_TIMEOUT sets the limit",
		"old handshake":       "speaks version 7 of go-plugin's handshake, pathspan speaks 1; rebuild it",
		"old protocol":        "speaks version 7 of the protocol, pathspan speaks 1 and 2; rebuild it",
		"net/rpc":             "does not speak gRPC",
		"no certificate":      "printed no certificate",
		"nobody listens":      "no connection to 127.0.0.1:1",
		"other cookie":        "exit status 1 before it said where it listens",
		"no service":          "does not serve this call",
		"no version":          "its description has no version",
		"clock":               "its description says +Inf MHz",
		"describe hangs":      "asked who it is: no message for 1.5s",
		"describe crashes":    "asked who it is: it crashed: ",
		"wrong function":      "an answer for function 9, of 1",
		"wrong block":         "an answer for block 4 of main, which has 4 blocks",
		"twice":               "block 0 of main (b0): answered twice; a plugin must answer each block once",
		"missing":             block + "no answer before Done, with 3 of 4 blocks answered",
		"NaN":                 block + "NaN cycles; a plugin must answer a finite number of 0 or more",
		"negative":            block + "-3 cycles; a plugin must answer",
		"infinite":            block + "+Inf cycles; a plugin must answer",
		"range":               block + "best 11, typical 10, worst 12 cycles; a plugin must answer best <= typical <= worst",
		"no reason":           block + "a default without a reason",
		"much assumed":        "block b3: defaults add up to 11 of 10 cycles",
		"no factor":           block + "it varies with factor 0, and 0 factors came before it",
		"no predecessor":      block + "a cost after block 3, which is no predecessor",
		"no call":             block + "instruction 0 is listed as an included call and is none",
		"crashes":             `it crashed: exit status 3 with 3 of 4 blocks answered; its last words: "out of memory | in table 7"`,
		"dies":                `of 4 blocks answered; its last words: "panic: in a goroutine"`,
		"hangs":               "s with 3 of 4 blocks answered; if it is not stuck but slow, PATHSPAN_PLUGIN_TIMEOUT sets the limit",
		"empty for ever":      "an empty batch; a plugin must send costs in it, or Done",
		"drips":               "asked for costs: no end after 3s with 3 of 4 blocks answered; if it is not stuck but slow, PATHSPAN_PLUGIN_TIMEOUT sets the limit",
		"floods":              "its answers have more than 4259840 bytes, which no program of 4 blocks needs",
		"huge":                "it sent a message of more than 4259840 bytes with 3 of 4 blocks answered; a plugin must send",
		"describes at length": "asked who it is: it sent a message of more than 1048576 bytes",
		"no Done":             "the answers stop before Done, with 3 of 4 blocks answered",
		"after Done":          "a reply after Done",
		"panics":              "the model panicked: runtime error: index out of range [1] with length 1 at faulty_test.go:",
		"wrong":               "the model's answer breaks the contract: model example: function main: block b0: NaN cycles",
		"refuses":             "no schedule for this processor second line",
		"needs module":        "it needs the program's module, which this bundle does not hold",
	} {
		t.Run(kind, func(t *testing.T) {
			path := as(t, kind)
			switch kind {
			case "mute":
				t.Setenv(TimeoutVariable, "1.5")
			case "hangs", "describe hangs": // and any time to start, on a busy machine
				defer func(l limits) { defaultLimits = l }(defaultLimits)
				defaultLimits.silence = 1500 * time.Millisecond
			case "drips":
				defer func(l limits) { defaultLimits = l }(defaultLimits)
				defaultLimits.speech = 3 * time.Second
			case "crashes":
				go hear(t, "in table 7")
			}
			price := func() (*procmodels.Costs, error) {
				return openAndPrice(t.Context(), path, &procmodels.Subject{Program: program(4)})
			}
			costs, err := price()
			for kind == "hangs" && defaultLimits.silence < patience && !strings.Contains(fmt.Sprint(err), "3 of 4") {
				defaultLimits.silence *= 2 // the machine is so busy that the plugin did not come that far
				costs, err = price()
			}
			wantLine(t, err, "plugin:"+path+": ", want)
			if costs != nil {
				t.Error("costs beside an error")
			}
			wantNoProcess(t, 1+othersStarted)
		})
	}
}

// TestNoPrograms names files that cannot be started.
func TestNoPrograms(t *testing.T) {
	as(t, "example")
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "absent"):    "no such file",
		dir:                             "is a folder",
		write("plain", "text", 0o644):   "is not executable; chmod +x",
		write("garbage", "text", 0o755): "is no program for this machine",
		write("script", "#!/no/such/python\n", 0o755): "the interpreter in its first line is missing",
	} {
		_, err := openAndPrice(t.Context(), path, &procmodels.Subject{Program: program(1)})
		wantLine(t, err, "plugin:"+path+": ", want)
	}
	wantNoProcess(t, 0)
}

func TestInterruptEndsThePlugin(t *testing.T) {
	for _, kind := range []string{"hangs", "mute", "describe hangs"} {
		t.Run(kind, func(t *testing.T) {
			path := as(t, kind)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for len(notes(t, "processes")) < 2 { // until it runs
					time.Sleep(10 * time.Millisecond)
				}
				time.Sleep(300 * time.Millisecond)
				cancel()
			}()
			start := time.Now()
			_, err := openAndPrice(ctx, path, &procmodels.Subject{Program: program(4)})
			wantLine(t, err, "plugin:"+path+": ", "interrupted")
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v is not context.Canceled", err)
			}
			t.Logf("ended after %v", time.Since(start))
			wantNoProcess(t, 1+othersStarted)
		})
	}
}

// hear notes when the plugin's words have come.
func hear(t *testing.T, text string) {
	for t.Context().Err() == nil {
		running.Lock()
		for i := range running.all {
			if strings.Contains(i.process.words.last(), text) {
				note("heard", text)
				running.Unlock()
				return
			}
		}
		running.Unlock()
		time.Sleep(5 * time.Millisecond)
	}
}
