# The commands of the project; `make` alone lists them.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:

# Nothing is built with cgo, so the binary is static and no C compiler is needed
# to build it.
export CGO_ENABLED := 0

# Without git, or in a tree that git refuses to look at, the version stays out of
# the binary.
VCS := $(shell git status --porcelain >/dev/null 2>&1 && echo auto || echo false)

STATICCHECK_VERSION := $(shell sed -n 's|.*honnef.co/go/tools \(v[^ ]*\).*|\1|p' scripts/staticcheck/go.mod)
STATICCHECK := out/tools/staticcheck-$(STATICCHECK_VERSION)
GOTESTSUM := out/tools/gotestsum-$(shell sed -n 's|.*gotest.tools/gotestsum \(v[^ ]*\).*|\1|p' scripts/gotestsum/go.mod)

# Each program of a folder in plugins is a plugin, found beside bin/pathspan.
PLUGINS = $(shell go list -f '{{if eq .Name "main"}}{{.ImportPath}}{{end}}' $(patsubst %/,./%,$(sort $(dir $(wildcard plugins/*/*.go)))))

# What `make demo` profiles: sources, and arguments of the run.
DEMO      := testdata/susan/susan.c
DEMO_ARGS := 200 alternate

.PHONY: help
help:
	@echo 'make demo      install what is missing, build, profile a real program and estimate its speed-up'
	@echo 'make test      install what is missing, then run every check and every test, with a summary'
	@echo 'make build     build bin/pathspan, one static binary, and bin/plugins'
	@echo 'make bench     run the benchmarks and print their figures'
	@echo 'make fuzz      run every fuzz target for FUZZTIME (20s)'
	@echo 'make validate  hold estimates against exact replay and the accuracy ledger of this version'
	@echo 'make deps      install what the tests need (INSTALL=no only says what is missing and how to install it)'
	@echo 'make lint      gofmt, go vet and staticcheck; fails where one of them cannot run'
	@echo 'make fmt       format the Go files'
	@echo 'make generate  regenerate the generated files'
	@echo 'make man       write manual pages to out/man and completions to out/completions'
	@echo 'make install   install program, plugins, manual pages and completions under PREFIX (/usr/local)'
	@echo 'make clean     remove bin and out'

.PHONY: need-go
need-go:
	@command -v go >/dev/null || { echo 'go is not on PATH: install Go from https://go.dev/dl/ and add its bin folder to PATH (export PATH=$$PATH:/usr/local/go/bin)' >&2; exit 1; }
	@go list -m >/dev/null 2>&1 || { echo "$$(go version) cannot build this module: it needs Go $$(sed -n 's/^go //p' go.mod) or newer from https://go.dev/dl/" >&2; exit 1; }

.PHONY: build
build: need-go
	go build -trimpath -buildvcs=$(VCS) -o bin/pathspan ./cmd/pathspan
	@mkdir -p bin/plugins
	go build -trimpath -buildvcs=$(VCS) -o bin/plugins/ $(PLUGINS)

.PHONY: demo
demo: need-go
	@scripts/deps.sh demo
	@$(MAKE) --no-print-directory build
	@mkdir -p out
	@echo; echo '# Profile one run of the sequential program on this machine:'
	bin/pathspan profile -o out/demo.pspan $(DEMO) -- $(DEMO_ARGS)
	@echo; echo '# Estimate its speed-up on 1 to 8 processors:'
	bin/pathspan estimate out/demo.pspan
	@echo; echo '# Write the report on 4 of them, a page to open in a browser:'
	bin/pathspan report out/demo.pspan -p 4 -o out/demo.html

.PHONY: deps
deps:
	@scripts/deps.sh test

# What ./... leaves out, as it is below a folder called testdata.
BELOW := ./testdata/programs ./testdata/bench ./testdata/large

# What takes longest begins first, so that no processor waits at the end for one package.
LONG := ./cmd/pathspan ./build/record ./replay ./ir/asm ./plugins/llvmmca/mca ./build/openmp ./report/page

# -count=1, because go's cache of results does not notice another LLVM; -vet=off, as vet ran
# before. -timeout finds what hangs; it leaves room for a machine on which twenty other
# processes run.
TESTS := -count=1 -vet=off -timeout 45m $(LONG) ./... $(BELOW)

# Where a tool cannot be had the tests run all the same, and the end says so.
.PHONY: test
test: need-go deps vet
	@$(MAKE) --no-print-directory $(STATICCHECK) $(GOTESTSUM) -k || true
	@if [ -x $(STATICCHECK) ]; then echo $(STATICCHECK) ./...; $(STATICCHECK) ./... || exit; \
	else undone='lint: staticcheck $(STATICCHECK_VERSION) could not be fetched and built; make lint tries again'; fi; \
	scripts/test.sh $(GOTESTSUM) "$$undone" $(TESTS)

.PHONY: bench
bench: need-go
	go test -run '^$$' -bench . -benchmem -timeout 60m ./...

# What a target finds is kept in testdata/fuzz beside it, where go test runs it from then
# on: it is committed with what mends it. Minimising is kept short, as it would take most
# of the time.
FUZZTIME ?= 20s
.PHONY: fuzz
fuzz: need-go
	@mkdir -p out; failed=; \
	for file in $$(for dir in $$(go list -f '{{.Dir}}' ./... ./testdata/bench | sort -u); do grep -l '^func Fuzz' $$dir/*_test.go 2>/dev/null; done); do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$file); do \
			echo "# $$(dirname $${file#$(CURDIR)/}): $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$(dirname $$file) > out/fuzz.log 2>&1 \
				|| { cat out/fuzz.log; failed="$$failed $$target"; }; \
			grep -o 'execs: [0-9]*.*' out/fuzz.log | tail -n 1; \
		done; \
	done; \
	if [ -n "$$failed" ]; then echo "these found something:$$failed" >&2; exit 1; fi

# The new ledger takes the place of the committed one when it is meant to:
# cp out/ledger.json validate/ledger/committed.json
.PHONY: validate
validate: build
	@mkdir -p out
	bin/pathspan validate --model generic,arm922t -o out/ledger.json --against committed --fail-above 0.5%

.PHONY: lint
lint: need-go vet $(STATICCHECK)
	$(STATICCHECK) ./...

.PHONY: vet
vet: need-go
	@unformatted=$$(gofmt -l $$(go list -f '{{.Dir}}' ./...)); \
	if [ -n "$$unformatted" ]; then echo 'not formatted; run make fmt:' >&2; echo "$$unformatted" >&2; exit 1; fi
	go vet ./... $(BELOW)

# Built under names that hold the version, so that a new version is fetched.
$(STATICCHECK): | need-go
	cd scripts/staticcheck && go build -o $(CURDIR)/$@ honnef.co/go/tools/cmd/staticcheck

$(GOTESTSUM): | need-go
	cd scripts/gotestsum && go build -o $(CURDIR)/$@ gotest.tools/gotestsum

.PHONY: fmt
fmt: need-go
	gofmt -w $$(go list -f '{{.Dir}}' ./...)

.PHONY: generate
generate: need-go
	go generate ./...

# Manual pages and completions are the same each time; SOURCE_DATE_EPOCH dates pages.
.PHONY: man
man: build
	@rm -rf out/man out/completions && mkdir -p out/man out/completions
	bin/pathspan man --quiet out/man
	bin/pathspan completion bash > out/completions/pathspan
	bin/pathspan completion zsh > out/completions/_pathspan
	bin/pathspan completion fish > out/completions/pathspan.fish

# The program lies with its plugins, which it looks for beside itself; bin has a link.
PREFIX ?= /usr/local
.PHONY: install
install: man
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/lib/pathspan/plugins' '$(DESTDIR)$(PREFIX)/share/man/man1' \
		'$(DESTDIR)$(PREFIX)/share/bash-completion/completions' '$(DESTDIR)$(PREFIX)/share/zsh/site-functions' '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d'
	install bin/pathspan '$(DESTDIR)$(PREFIX)/lib/pathspan/pathspan'
	install bin/plugins/* '$(DESTDIR)$(PREFIX)/lib/pathspan/plugins'
	ln -sf ../lib/pathspan/pathspan '$(DESTDIR)$(PREFIX)/bin/pathspan'
	install -m 644 out/man/*.1 '$(DESTDIR)$(PREFIX)/share/man/man1'
	install -m 644 out/completions/pathspan '$(DESTDIR)$(PREFIX)/share/bash-completion/completions'
	install -m 644 out/completions/_pathspan '$(DESTDIR)$(PREFIX)/share/zsh/site-functions'
	install -m 644 out/completions/pathspan.fish '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d'

.PHONY: clean
clean:
	rm -rf bin out
