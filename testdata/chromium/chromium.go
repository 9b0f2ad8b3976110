// Package chromium finds the browser that tests try pages in, or skips them:
//
//	path := chromium.Find(t)
//	dom := chromium.DumpDOM(t, path, `<p id=a></p><script>a.textContent = 1 + 1</script>`)
//
// Tests that click and type drive the browser themselves; report/page does.
package chromium

// This file finds the browser, gives it a home, and loads one page in it.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Variable names the browser where it is not on PATH under a usual name.
const Variable = "PATHSPAN_CHROMIUM"

// names are those that distributions give the browser.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"}

// Find returns the path of the browser, or skips the test.
func Find(t testing.TB) string {
	t.Helper()
	if path := os.Getenv(Variable); path != "" {
		if _, err := exec.LookPath(path); err != nil {
			t.Fatalf("%s=%s: %v", Variable, path, err)
		}
		return path
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("no Chromium on PATH, so nothing is tried in a browser; install chromium, or name one in %s", Variable)
	return ""
}

// Home makes a folder for all that the browser keeps. The test's end removes it, once the
// last of the browser's processes writes no more: they end a little after the first.
func Home(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "chromium") // a short name, since sockets lie below
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := os.RemoveAll(dir)
		for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); err = os.RemoveAll(dir) {
			time.Sleep(10 * time.Millisecond)
		}
		if err != nil {
			t.Error(err)
		}
	})
	return dir
}

// Env makes the browser keep everything in a folder. Profiles are not all: it has settings,
// caches and sockets elsewhere.
func Env(home string) []string {
	return []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home, "TMPDIR=" + home}
}

// DumpDOM loads a page, runs its scripts and returns the document that they leave.
func DumpDOM(t testing.TB, path, page string) string {
	t.Helper()
	dir := Home(t)
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+file)
	cmd.Env = append(os.Environ(), Env(dir)...)
	cmd.Stderr = &errs
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if len(out) == 0 {
		t.Fatalf("%s: %v, %.1000s", path, err, errs.String())
	}
	return string(out)
}
