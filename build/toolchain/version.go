package toolchain

// This file asks a tool for its version, once per process and path.

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// askTimeout bounds a --version run: a wrapper that hangs must not hang
// pathspan, yet a cold start from a network disk may take seconds.
const askTimeout = 30 * time.Second

var (
	clangBanner = regexp.MustCompile(`(?m)^.*\bclang version (\d+)(\.\S*)?.*$`)
	llvmBanner  = regexp.MustCompile(`(?m)^.*\bLLVM version (\d+)(\.\S*)?.*$`)
)

// answer is what a tool said to --version.
type answer struct {
	once sync.Once
	text string
	err  error
}

var (
	answersMu sync.Mutex
	answers   = map[string]*answer{}
)

// ask returns the output of `path --version`.
func ask(path string) (string, error) {
	answersMu.Lock()
	a := answers[path]
	if a == nil {
		a = new(answer)
		answers[path] = a
	}
	answersMu.Unlock()
	a.once.Do(func() { a.text, a.err = runVersion(path) })
	return a.text, a.err
}

func runVersion(path string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", fmt.Errorf("%s --version gave no answer within %v", path, askTimeout)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("%s --version failed: %v", path, err)
	}
	if err != nil {
		return "", fmt.Errorf("%s cannot be run: %w", path, unwrapPath(err))
	}
	return string(out), nil
}

// unwrapPath drops the path that os/exec puts in front of the cause, because
// our messages already start with it.
func unwrapPath(err error) error {
	if cause := errors.Unwrap(err); cause != nil {
		return cause
	}
	return err
}

// clangVersion returns the major version and the banner line of a clang.
func clangVersion(path string) (major int, full string, err error) {
	text, err := ask(path)
	if err != nil {
		return 0, "", err
	}
	m := clangBanner.FindStringSubmatch(text)
	if m == nil {
		said, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		return 0, "", fmt.Errorf("%s is not clang: its --version says %q; name a clang with --clang", path, said)
	}
	full = strings.TrimSpace(m[0])
	if strings.HasPrefix(full, "Apple ") {
		// Apple counts its own versions and ships no opt.
		return 0, "", fmt.Errorf("%s is Apple's clang, which comes without opt and llvm-link; install LLVM and name its clang with --clang", path)
	}
	major, err = strconv.Atoi(m[1])
	if err != nil {
		return 0, "", fmt.Errorf("%s: unreadable version %q", path, full)
	}
	return major, full, nil
}

// llvmVersion returns the major version of a tool such as opt, or false when
// it cannot be run or does not say.
func llvmVersion(path string) (int, bool) {
	text, err := ask(path)
	if err != nil {
		return 0, false
	}
	m := llvmBanner.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	major, err := strconv.Atoi(m[1])
	return major, err == nil
}
