package page_test

// This file starts headless Chromium, once for all tests of the page, and watches what a
// page does: messages on the console, exceptions, requests.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"pathspan/testdata/chromium"
)

// browser is a running Chromium.
type browser struct {
	ctx   context.Context
	dir   string // of the pages
	pages int
}

func startBrowser(t *testing.T) *browser {
	path := chromium.Find(t)
	home := chromium.Home(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(filepath.Join(home, "profile")), chromedp.Env(chromium.Env(home)...),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("no-pings", true), chromedp.WindowSize(1200, 900))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s does not start: %v", path, err)
	}
	return &browser{ctx: ctx, dir: t.TempDir()}
}

// tab is a page in the browser, for a test. It fails its test for whatever no page may do.
type tab struct {
	*testing.T
	*session
}

// as is the same page for another test.
func (x *tab) as(t *testing.T) *tab { return &tab{t, x.session} }

// session is what a page said and asked for.
type session struct {
	ctx context.Context
	url string

	mu       sync.Mutex
	trouble  []string
	requests []string
}

// open shows a page of that size.
func (b *browser) open(t *testing.T, html []byte, width, height int64, before ...chromedp.Action[chromedp.Void]) *tab {
	b.pages++
	file := filepath.Join(b.dir, fmt.Sprintf("report%d.html", b.pages))
	if err := os.WriteFile(file, html, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(b.ctx)
	t.Cleanup(cancel)
	x := &tab{t, &session{ctx: ctx, url: "file://" + file}}
	if err := chromedp.Listen(ctx, x.watch); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	x.do(chromedp.EmulateViewport(width, height))
	x.do(before...)
	x.do(chromedp.Navigate(x.url))
	t.Cleanup(x.quiet)
	return x
}

func (x *tab) watch(ev any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		x.trouble = append(x.trouble, "exception: "+ev.ExceptionDetails.Text)
		if e := ev.ExceptionDetails.Exception; e != nil {
			x.trouble = append(x.trouble, e.Description)
		}
	case *runtime.EventConsoleAPICalled:
		x.trouble = append(x.trouble, "console: "+string(ev.Type))
	case *log.EventEntryAdded:
		x.trouble = append(x.trouble, "log: "+string(ev.Entry.Level)+": "+ev.Entry.Text)
	case *network.EventRequestWillBeSent:
		x.requests = append(x.requests, ev.Request.URL)
	}
}

// quiet fails when the page said something or asked for anything but itself.
func (x *tab) quiet() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, s := range x.trouble {
		x.Errorf("the page is not quiet: %s", s)
	}
	for _, r := range x.requests {
		if r != x.url && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, x.url+"#") {
			x.Errorf("the page asked for %s", r)
		}
	}
	if len(x.requests) == 0 {
		x.Error("no request was seen, not even for the page: the test does not watch")
	}
}

func (x *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	x.Helper()
	if err := chromedp.Do(x.ctx, actions...); err != nil {
		x.Fatal(err)
	}
}

// eval returns what a JavaScript expression gives.
func eval[T any](x *tab, expression string) T {
	x.Helper()
	v, err := chromedp.Run(x.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		x.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits for an expression to be true: the page draws when the browser lays it out.
func (x *tab) until(expression string) {
	x.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		ok, err := chromedp.Run(x.ctx, chromedp.Evaluate[bool](expression))
		if err != nil && !errors.Is(err, chromedp.ErrJSNull) {
			x.Fatalf("%s: %v", expression, err)
		}
		if ok {
			return
		}
	}
	x.Fatalf("still not true after %v: %s", patience, expression)
}

// patience is how long a test waits for what must happen, on a machine however busy.
const patience = 2 * time.Minute

// media emulates features of the screen, such as prefers-color-scheme.
func media(name, value string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: name, Value: value}}})
		return err
	})
}
