# Two commands to know: `make run` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHELL := /bin/bash

.PHONY: run setup test test-services test-long lint style types audit bench bench-profile storm sheets transcripts evaluation lock clean

run: $(VENV)/.run
	@$(BIN)/python manage.py serve --setup

setup: $(VENV)/.run
	@$(BIN)/python manage.py setup --static

# Several processes; tests that share servers stay together (tests/sharing.py). As some of them wait,
# six keep two cores busy.
PYTEST = $(BIN)/python -m pytest -rs -n 6

# All that runs in one process, and one way through each protocol in a browser. With ALL=1, as
# .ci/run calls it, everything.
test: $(VENV)/.dev
	@$(PYTEST) $(if $(ALL),-m "not long",-m "not long and not processes" \
		--ignore=tests/services --ignore-glob='tests/browser/test_*.py')

# What `make test` leaves to .ci/run: all that starts processes, and all else in a browser.
test-services: $(VENV)/.dev
	@$(PYTEST) -m "not long and (browser or processes)" --ignore=tests/browser/walks

# Everything, with all examples of Hypothesis and the longest ways.
test-long: $(VENV)/.dev
	@TEST_LONG=1 $(PYTEST)

lint: style types

style: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.dev
	$(BIN)/mypy

# Known vulnerabilities of what the site runs on, where a source of advisories can be reached.
audit: $(VENV)/.dev
	@$(BIN)/python -m tests.audit

# Every figure beside its aim, as a table and in bench.json. With 100,000 interviews it takes long.
bench: $(VENV)/.dev
	@$(BIN)/python -m tests.bench --json bench.json

# Where the processor time of a turn goes: bench.svg.
bench-profile: $(VENV)/.dev
	@PATH="$(BIN):$$PATH" $(BIN)/python -m tests.bench.load --profile bench.svg

# 500 kills of processes and cuts of connections on each kind of site, while people answer.
storm: $(VENV)/.dev
	@$(BIN)/python -m tests.load.storm

# Pictures of all pages and the recording of the README, in docs/images.
sheets: $(VENV)/.dev
	@pictures=$$(mktemp -d) && \
	PICTURES=$$pictures $(PYTEST) tests/browser/test_states.py tests/browser/test_admin_pages.py tests/browser/test_fieldwork.py && \
	$(BIN)/python -m tests.browser.sheets $$pictures docs/images && rm -r $$pictures && \
	$(BIN)/python -m tests.browser.recording docs/images/first-interview.webp

# Difficult people against each protocol, to be read: transcripts/PROTOCOL-MODE.md.
transcripts: $(VENV)/.dev
	@$(BIN)/python -m tests.transcripts

# How good the interviewer is with simulated participants: the tables of docs/evaluation.md.
evaluation: $(VENV)/.dev
	@$(BIN)/python -m tests.reflections.evaluation.published

# What the site needs, then what its tests need; made anew when a lock file changes. The tests' lock
# names everything, so its halves are installed side by side.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	@$(PYTHON) -m venv $(VENV)

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
$(VENV)/.run: requirements.lock | $(VENV)/bin/python
	@$(PIP) -r requirements.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock | $(VENV)/bin/python
	@halves=$$(mktemp -d) && awk -v to=$$halves '/==/ { n++ } { print > (to "/" n % 2) }' requirements-dev.lock && \
	ls -d $$halves/* | xargs -n 1 -P 2 $(PIP) --no-compile --no-deps -r && rm -r $$halves
	@touch $@ $(VENV)/.run

UV := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header
lock:
	$(UV) requirements.in -o requirements.lock
	$(UV) requirements-dev.in -o requirements-dev.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
