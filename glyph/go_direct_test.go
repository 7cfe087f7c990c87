package glyph

import (
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
)

func TestReadDirectly(t *testing.T) { codectest.ReadDirectly(t, Marshal, goTexts.Store) }
