# Everything runs with Go alone; interop also wants Node.
GO ?= go
# Test data of the reference projects, read by upstream. See CONTRIBUTING.md.
UPSTREAM ?= ../shared/upstream
FUZZTIME ?= 10s
BENCHTIME ?= 300ms
SOAK ?= 10m

.PHONY: test check race lint conformance upstream interop fuzz bench soak build

test: ## all tests
	$(GO) test ./...

build: ## the command, as bin/wirekit
	$(GO) build -o bin/wirekit ./cmd/wirekit

check: lint race test ## what a change must pass before it is proposed

race: ## all tests but the slow ones, with the race detector
	$(GO) test -race -short ./...

lint: ## formatting, vet, staticcheck
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "gofmt would change:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags upstream,interop ./...
	$(GO) tool -modfile=go.tool.mod staticcheck -tags upstream,interop ./...

conformance: ## every corpus against every codec, as a matrix
	$(GO) test ./conformance -count=1 -run 'TestMatrix$$' -v -markdown ../docs/conformance.md
	$(GO) run ./internal/casecount ./wire ./gcf ./gcx ./glyph ./goon ./bcp/...

upstream: ## the reference projects' own suites
	@if [ -d "$(UPSTREAM)" ]; then \
		WIREKIT_UPSTREAM="$(abspath $(UPSTREAM))" $(GO) test -tags upstream -count=1 -run Upstream ./...; \
	else \
		echo "upstream: no folder $(UPSTREAM); nothing was run. Give one with make upstream UPSTREAM=dir"; \
	fi

interop: ## read what the published JavaScript packages write, and the other way round
	$(GO) test -tags interop -count=1 -v -run Interop ./interop

fuzz: ## every fuzz target for FUZZTIME
	$(GO) run ./internal/fuzzall -time $(FUZZTIME)

bench: ## the speed table: ratios against goccy/go-json and encoding/json
	$(GO) run ./internal/benchtable -time $(BENCHTIME)

soak: ## random values through chains of codecs for SOAK
	WIREKIT_SOAK=$(SOAK) $(GO) test ./conformance -count=1 -timeout 0 -run TestSoak -v
