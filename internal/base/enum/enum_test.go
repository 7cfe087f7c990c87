package enum

import (
	"errors"
	"strings"
	"testing"
)

type color uint8

var colors = New[color]("paint.Color", "none", "red", "", "blue")

func TestEnum(t *testing.T) {
	for v, name := range map[color]string{0: "none", 1: "red", 3: "blue"} {
		text, err := colors.Marshal(v)
		if err != nil || string(text) != name || colors.String(v) != name || !colors.Has(v) {
			t.Errorf("Marshal(%d) = %q, %v, want %q", uint8(v), text, err, name)
		}
		back := color(9)
		if err := colors.Unmarshal(&back, text); err != nil || back != v {
			t.Errorf("Unmarshal(%q) = %d, %v, want %d", text, back, err, v)
		}
	}
	for _, v := range []color{2, 4, 255} {
		if text, err := colors.Marshal(v); !errors.Is(err, ErrUnknown) || text != nil || colors.Has(v) {
			t.Errorf("Marshal(%d) = %q, %v, want an error", uint8(v), text, err)
		}
	}
	if got := colors.String(255); got != "Color(255)" {
		t.Errorf("String(255) = %q", got)
	}
	for _, name := range []string{"", "green", "Red", "red ", "Color(1)"} {
		v := color(1)
		err := colors.Unmarshal(&v, []byte(name))
		if !errors.Is(err, ErrUnknown) || v != 1 || !strings.Contains(err.Error(), "none, red, blue") {
			t.Errorf("Unmarshal(%q) = %d, %v, want an error with the names", name, v, err)
		}
	}
	if err := colors.Check("Options.Color", 9); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "Options.Color") {
		t.Errorf("Check(9) = %v, want an error that names the field", err)
	}
}
