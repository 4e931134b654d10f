# make demo   build to build/out/bin and show the main job
# make test   the tests, plain and cgo-free
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
OUT := build/out
BIN := $(OUT)/bin
CORPUS ?= ../shared/corpus
TOOL := go tool -modfile=build/tools/go.mod
export GOFLAGS ?= -buildvcs=false

.PHONY: demo test race check eval bench e2e build install clean

demo: build
	@bash build/demo.sh $(BIN)/kitsoki

# The runner's own lines, then "N passed, N failed".
test:
	@mkdir -p $(OUT)
	@CGO_ENABLED=0 go test -v ./... 2>&1 | awk -f build/tally.awk

# The same under the race detector, which needs a C compiler.
race:
	@mkdir -p $(OUT)
	@CGO_ENABLED=1 go test -race -timeout 25m -v ./... 2>&1 | awk -f build/tally.awk

check:
	@go vet ./...
	@files=$$($(TOOL) gofumpt -l .); test -z "$$files" || { echo "gofumpt: run 'make format' for:"; echo "$$files"; exit 1; }
	@$(TOOL) staticcheck ./...
	@go mod tidy -diff
	@for os in darwin windows; do GOOS=$$os CGO_ENABLED=0 go build -o /dev/null ./... || exit 1; done
	@echo "check: vet, gofumpt, staticcheck, tidy, darwin, windows: clean"

format:
	@$(TOOL) gofumpt -w .

# Matching measured: goals with what was seen. FILE=prompts.txt shows what
# becomes of each line of a file; REQUIRE_CORPUS=1 fails without a corpus.
eval:
	@go run ./build/eval -corpus '$(CORPUS)' $(if $(REQUIRE_CORPUS),-require-corpus) $(if $(FILE),-file '$(FILE)')

# Whole processes, as ratios to an empty Go program in the same run.
bench:
	@go run ./build/bench

# Real coding agents, installed by npm into build/out/e2e, in a terminal with
# a model server on loopback. ONLY=claude or ONLY=codex runs one.
e2e:
	@go run ./build/e2e $(if $(ONLY),-only '$(ONLY)')

build:
	@mkdir -p $(BIN)
	@CGO_ENABLED=0 go build -trimpath -o $(BIN)/ ./cmd/...

install:
	@CGO_ENABLED=0 go install -trimpath ./cmd/...

clean:
	@rm -rf $(OUT)
