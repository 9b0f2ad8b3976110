package procmodels

import (
	"errors"
	"slices"
	"testing"
)

func TestScheme(t *testing.T) {
	asked := errors.New("asked")
	RegisterScheme("testscheme", func(rest, dir string) (Model, error) {
		if rest != "a/b.xml#c:d" || dir != "there" {
			t.Errorf("rest %q, dir %q", rest, dir)
		}
		return nil, asked
	})
	if _, err := Open("testscheme:a/b.xml#c:d", "there"); err != asked {
		t.Errorf("got %v, want %v", err, asked)
	}
	if _, err := Open("testschem:x", "there"); err == nil || err == asked {
		t.Errorf("an unknown scheme: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a second registration does not panic")
		}
	}()
	RegisterScheme("testscheme", nil)
}

func TestOpcodes(t *testing.T) {
	list := Opcodes()
	for _, op := range []string{"add", "br", "extractvalue", "freeze"} {
		if !slices.Contains(list, op) {
			t.Errorf("%s is missing", op)
		}
	}
	if slices.Contains(list, brCond) || !OneWeight("phi") || OneWeight("add") {
		t.Error("kinds of br are listed, or weights are wrong")
	}
}
