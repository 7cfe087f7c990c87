package bcp_test

import (
	"testing"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/internal/storetest"
)

func TestMemoryStore(t *testing.T) { storetest.Run(t, bcp.NewMemoryStore()) }
