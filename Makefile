# `make demo` and `make test` need nothing but Python 3.11+ and make: each sets up what it uses.
.PHONY: demo test lint bench check-recordings clean
.DEFAULT_GOAL := test

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO := out/demo

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt torch
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e '.[build,dev]'
	touch $(READY)

demo: $(READY)  ## build the starter dataset with the real pipeline, serve it, ask it real questions
	$(BIN)/lorekeeper-build build --snapshot data/starter --orcbrew data/starter/lantern-coast.orcbrew --out $(DEMO)
	$(BIN)/python docs/demo.py $(BIN)/lorekeeper serve --dataset $(DEMO)

test: $(READY)  ## every test, in random order, on two processes
	$(BIN)/pytest -n 2

lint: $(READY)  ## style, types, walls
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)  ## timings, as ratios to a floor measured in the same run
	$(BIN)/python benchmarks/bench.py

clean:
	rm -rf $(VENV) out build dist
