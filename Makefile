# Everything runs with Go alone; interop also wants Node, browser Node and Chromium.
GO ?= go
# Test data of the reference projects, read by upstream. See CONTRIBUTING.md.
# A folder that was named must be there and whole; the usual one may be missing.
ifdef WIREKIT_UPSTREAM
UPSTREAM ?= $(WIREKIT_UPSTREAM)
endif
UPSTREAM_NAMED := $(filter-out undefined,$(origin UPSTREAM))
UPSTREAM ?= ../shared/upstream
UPSTREAM_SUITES := bcp gcf gcx glyph goon jsontestsuite toon
# Platforms that everything is built for beside the one at hand, and js/wasm, which the
# playground is built for.
CROSS := windows/amd64 darwin/arm64
# The newest Go that is released. Its encoding/json is built on encoding/json/v2.
NEWEST := go1.27.0
# Modules of their own, because of what they import. test, race and lint run them
# with the rest; a further one is added here and nowhere else.
MODULES := mcp/middleware bcp/store/blob beam bench quiz/run tokens/tiktoken $(addprefix examples/recipes/,openai anthropic langchaingo)
# Recipes for libraries whose modules are large, or want another Go: a step of their own.
RECIPES := $(addprefix examples/recipes/,eino mcpgo genkit adk)
# What is slow to build with the race detector has nothing of its own that runs at
# the same time.
RACED := $(filter-out beam bcp/store/blob examples/recipes/%,$(MODULES))
in_modules = @set -e; for module in $(1); do echo "$$module: $(2)"; (cd $$module && GOWORK=off $(2)); done
FUZZTIME ?= 10s
BENCHTIME ?= 200ms
SOAK ?= 10m

# go test with a line for each package as soon as it has ended, what failed whole, and a
# summary for each module.
GOTESTSUM := $(GO) tool -modfile=$(CURDIR)/go.tool.mod gotestsum --format pkgname --format-hide-empty-pkg --hide-summary skipped --

.PHONY: help test test-all test-386 cross check race lint conformance upstream interop rivals agents playground browser fuzz bench count newest recipes soak packs journeys build release npm

test: ## the tests, but not those that take long: under three minutes on two cores
	$(GOTESTSUM) -short -timeout=30m ./...
	$(call in_modules,$(MODULES),$(GOTESTSUM) -short -timeout=30m ./...)

test-all: ## all tests, but not those that SKIP matches
	$(GOTESTSUM) -timeout=30m $(if $(SKIP),-skip='$(SKIP)') ./...
	$(call in_modules,$(MODULES),$(GOTESTSUM) -timeout=30m ./...)

test-386: ## everything built, and what test does of values and formats, on a 32-bit platform, whose programs most amd64 machines run
	GOARCH=386 $(GO) build ./...
	@packages=$$($(GO) list ./... | grep -vE '/(examples|llm|mcp|quiz|pack|cmd|internal/(repo|tools|proxy|playground))(/|$$)'); \
	if GOARCH=386 $(GO) test -count=1 -vet=off -run '^$$' ./internal/base/order >/dev/null 2>&1; then \
		GOARCH=386 $(GO) test -timeout 30m -short -vet=off $$packages; \
	else \
		echo "test-386: this machine runs no 32-bit programs; the tests are checked by vet and not run"; \
		GOARCH=386 $(GO) vet $$packages; \
	fi

newest: ## the tests of Go values with the newest Go that is released, where it can be had
	@if GOTOOLCHAIN=$(NEWEST) $(GO) version; then \
		GOTOOLCHAIN=$(NEWEST) $(GO) test -short -vet=off -run 'JSONv2|UserCode|^(Test|Fuzz)(Go|FromGo|ToGo)' ./conformance/internal/... ./wire ./gcf ./gcx ./glyph ./toon ./csv ./cbor ./msgpack; \
	else \
		echo "newest: there is no $(NEWEST) here, and none could be fetched; nothing was run"; \
	fi

recipes: ## the recipes for Eino, mcp-go, Genkit and ADK, each as far as its modules can be had
	@set -e; for recipe in $(RECIPES); do \
		if (cd $$recipe && GOWORK=off $(GO) list -deps -test ./... >/dev/null 2>&1); then \
			(cd $$recipe && GOWORK=off $(GO) vet ./... && GOWORK=off $(GO) test ./...); \
		else \
			echo "recipes: the modules of $$recipe, or the Go that they want, cannot be had here; it was not run"; \
		fi; \
	done

help: ## what make can do
	@awk -F ': .*## ' '/^[a-z0-9-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

cross: ## everything built for other platforms
	@set -e; for platform in $(CROSS); do \
		echo "build for $$platform"; \
		GOOS=$${platform%/*} GOARCH=$${platform#*/} CGO_ENABLED=0 $(GO) build ./...; \
	done

build: ## the command, as bin/wirekit
	$(GO) build -o bin/wirekit ./cmd/wirekit

release: ## archives of the command for every platform, with checksums: make release VERSION=v0.1.0
	$(GO) run ./internal/tools/release -version "$(VERSION)" -out dist

npm: ## the package for Node, added to the archives and their checksums: make npm VERSION=v0.1.0
	$(GO) run ./internal/playground/build -out bin/playground -npm bin/npm
	cd bin/npm && npm version --no-git-tag-version --allow-same-version "$(VERSION:v%=%)" && npm pack --pack-destination ../../dist
	cd dist && sha256sum *.tgz >>SHA256SUMS

check: lint race test-all ## what a change must pass before it is proposed

race: ## what test does, with the race detector
	$(GOTESTSUM) -race -short -vet=off -timeout=30m ./...
	$(call in_modules,$(RACED),$(GOTESTSUM) -race -short -vet=off -timeout=30m ./...)

lint: ## formatting, vet, staticcheck
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "gofmt would change:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet -tags upstream,interop,browser ./...
	$(GO) tool -modfile=go.tool.mod staticcheck -tags upstream,interop,browser ./...
	$(call in_modules,$(MODULES),$(GO) vet ./...)
	$(call in_modules,$(MODULES),$(GO) tool -modfile=$(CURDIR)/go.tool.mod staticcheck ./...)

conformance: ## every corpus against every codec, as a matrix
	$(GO) test ./conformance -count=1 -run 'TestMatrix$$' -v -markdown ../docs/conformance.md
	$(GOTESTSUM) -short -timeout=30m ./wire/... ./gcf/... ./gcx/... ./glyph/... ./goon/... ./toon/... ./bcp/...

upstream: ## the reference projects' own suites
	@missing=; for suite in $(UPSTREAM_SUITES); do [ -d "$(UPSTREAM)/$$suite" ] || missing="$$missing $$suite"; done; \
	if [ -n "$$missing" ] && [ -n "$(UPSTREAM_NAMED)" ]; then \
		echo "upstream: $(UPSTREAM) does not hold$$missing; nothing was run" >&2; exit 1; \
	elif [ ! -d "$(UPSTREAM)" ]; then \
		echo "upstream: no folder $(UPSTREAM); nothing was run. Give one with make upstream UPSTREAM=dir"; \
	else \
		[ -z "$$missing" ] || echo "upstream: $(UPSTREAM) does not hold$$missing; these suites are not run"; \
		WIREKIT_UPSTREAM="$(abspath $(UPSTREAM))" $(GO) test -tags upstream -count=1 -run Upstream $$(grep -rl --include='*_test.go' 'go:build upstream' . | xargs -n1 dirname | sort -u); \
	fi

interop: ## read what the published JavaScript packages write, and the other way round
	$(GO) test -tags interop -count=1 -v -run Interop ./interop

rivals: ## docs/rivals.md, rivals.tsv: the same answers in the published encoders of others (Node, npm)
	UPDATE_DOCS=1 $(GO) test -tags interop -count=1 -v -run InteropRivals ./interop

AGENTS ?= bin/agents
agents: ## agents of pinned versions with the hook, and a local program as their model (Node, npm)
	$(GO) build -o bin/wirekit ./cmd/wirekit
	npm install --prefix $(AGENTS) --no-audit --no-fund @anthropic-ai/claude-code@2.1.330 opencode-ai@1.18.33 \
		@openai/codex@0.169.0 @google/gemini-cli@0.61.0
	node interop/agents.mjs $(abspath bin/wirekit) $(abspath $(AGENTS))

playground: ## the playground's page as a folder, bin/playground, and in the command, bin/wirekit; the package for Node, bin/npm
	$(GO) run ./internal/playground/build -out bin/playground -npm bin/npm
	rm -rf internal/playground/site/files
	cp -R bin/playground internal/playground/site/files
	$(GO) build -tags playground -o bin/wirekit ./cmd/wirekit

browser: ## the playground in Chromium and in Node, as far as they are there
	$(GO) test -tags browser -count=1 -v ./internal/playground/browser

fuzz: ## every fuzz target for FUZZTIME
	$(GO) run ./internal/tools/fuzzall -time $(FUZZTIME)

bench: ## the speed tables: ratios against goccy/go-json and encoding/json; Convert; Go values
	$(GO) run ./internal/tools/tables -time $(BENCHTIME) documents conversions values parallel choices

packs: ## what packs of the repositories in the folder REPOS show of their cores; UPDATE_YARDSTICK=1 records them
	WIREKIT_REPOS=$(abspath $(REPOS)) $(GO) test ./pack -count=1 -run TestPacks -v

journeys: ## the first steps of three newcomers, by the commands of the pages alone
	JOURNEYS=1 $(GO) test ./internal/tools/journeys -count=1 -timeout=60m -v

count: ## lines of code and raw addresses, by folder
	$(GO) run ./internal/tools/codecount

soak: ## random values through chains of codecs for SOAK; hostile shapes in every variant; a million of them folded; a log of a gigabyte; 500 requests at once; the installation
	WIREKIT_SOAK=$(SOAK) $(GO) test ./conformance -count=1 -timeout 0 -run TestSoak -v
	WIREKIT_TABLE=1 $(GO) test ./conformance -count=1 -timeout 0 -run 'TestHostileTable|TestMemoryOf' -v
	WIREKIT_SOAK=$(SOAK) $(GO) test ./fold -count=1 -timeout 0 -run TestRandomValues -v
	WIREKIT_SOAK=$(SOAK) $(GO) test ./cmd/wirekit -count=1 -timeout 0 -run 'TestLogs|TestLLMMemory' -v
	WIREKIT_SOAK=$(SOAK) $(GO) test . -count=1 -timeout 0 -run TestInstall -v
