# The commands of the project. `make help` lists them; CONTRIBUTING.md says more.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Where the set-up puts tools, and where cargo puts what it builds.
BLIS_TOOLS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/blis-accuracy-dashboard/tools
export PATH := $(BLIS_TOOLS)/cargo/bin:$(BLIS_TOOLS)/npm/node_modules/.bin:$(BLIS_TOOLS)/python/bin:$(PATH)
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

# The cargo profile of the scorer. The demo takes the one that the tests use, which is built in two thirds of the time.
PROFILE ?= release
demo: PROFILE := dev
SCORER = $(TARGET_DIR)/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))/scorer
PAGE := dist
DEMO := target/demo
# The port of the demo; a free one when it is not given.
PORT ?=

.PHONY: help setup setup-build setup-test setup-lint build scorer programs page demo snapshots test test-rust test-browser test-machines test-docs lint bench

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@\2/p' $(MAKEFILE_LIST) | awk -F @ '{ printf "%-16s %s\n", $$1, $$2 }'

setup: ## install everything that building, testing and linting need
	@scripts/setup.sh build test lint

setup-build:
	@scripts/setup.sh build

setup-test:
	@scripts/setup.sh test

setup-lint:
	@scripts/setup.sh lint

# Beside the scorer, which takes longest, the tools are built and the page's programs compiled: none of them keeps all cores busy.
build: ## build the scorer and the page
	@scripts/setup.sh compiler
	@$(MAKE) --no-print-directory -j3 PROFILE=$(PROFILE) scorer setup-build programs
	@$(MAKE) --no-print-directory page

scorer:
	@echo "scorer: cargo build --profile $(PROFILE)"
	@cargo build --locked --profile $(PROFILE) --package scorer

programs:
	@echo "page: cargo build, for the browser"
	@scripts/build-page.mjs

page:
	@echo "page: scripts/build-page.mjs, into $(PAGE)/"
	@scripts/build-page.mjs $(PAGE)
	@scripts/check-size.sh $(PAGE)

demo: ## score the embedded corpus, publish it in target/demo, and serve the page (PORT=8080)
	@$(MAKE) --no-print-directory PROFILE=$(PROFILE) build
	@echo "demo: score, publish and serve from $(DEMO); Ctrl-C ends it"
	@$(SCORER) demo --out $(DEMO) --page $(PAGE) --beside data $(if $(PORT),--port $(PORT))

snapshots: scorer ## make the demonstration's snapshots in data/ again; those of BLIS stay
	@rm -rf target/snapshots
	@$(SCORER) demo --out target/snapshots --no-serve
	@rm -rf data/snapshots/*_roofline-*
	@for summary in target/snapshots/data/snapshots/*/summary.json; do $(SCORER) publish "$$summary" --data data || exit 1; done

test: setup-test test-rust test-browser test-machines test-docs ## run every test

test-rust:
	@echo "test: cargo test --workspace"
	@scripts/test-rust.sh

test-browser: page
	@echo "test: the page in a browser"
	@cargo build --locked --package scorer
	@SCORER=$(TARGET_DIR)/debug/scorer scripts/test-browser.sh $(PAGE)

test-machines:
	@echo "test: the recipes for many machines"
	@cargo build --locked --package scorer
	@SCORER=$(TARGET_DIR)/debug/scorer scripts/test-machines.sh

test-docs:
	@echo "test: what the pages say that commands print"
	@cargo build --locked --package scorer
	@SCORER=$(TARGET_DIR)/debug/scorer scripts/check-docs.mjs

lint: setup-lint ## run every check that is not a test
	@scripts/lint.sh

bench: ## run the benchmarks of docs/performance.md
	@echo "bench: cargo bench --workspace"
	@cargo bench --locked --workspace
