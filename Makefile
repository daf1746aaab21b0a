PYTHON ?= python3
N ?= 3
BIN := .venv/bin
STAMP := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help venv run demo test lint up down scale-worker logs bench mutants living-docs clean

help: ## list what make can do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

venv: $(STAMP) ## install everything for development into .venv

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Taskmill needs Python 3.11 or newer: make venv PYTHON=python3.13" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

run: venv ## start all of Taskmill here, with a PostgreSQL of its own
	$(BIN)/taskmill up

demo: venv ## the same with jobs kept in memory only
	$(BIN)/taskmill up --store memory

test: venv ## run every test, those on a real PostgreSQL too
	$(BIN)/python -m pytest

lint: venv ## check format, style, types and architecture
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

up: ## start the containers: postgres, scheduler, worker, reaper
	docker compose up --build --detach

down: ## stop the containers; the data stays in its volume
	docker compose down

scale-worker: ## run N worker containers: make scale-worker N=5
	docker compose up --detach --no-deps --no-recreate --scale worker=$(N) worker

logs: ## follow the logs of the containers
	docker compose logs --follow --tail 100

bench: venv ## measure on this machine, as ratios within one run
	$(BIN)/python -m benchmarks

mutants: venv ## break the code on purpose and see that the tests notice
	$(BIN)/python -m tests.mutants

living-docs: venv ## write the features down with how they fared
	$(BIN)/python -m tests.acceptance.living_docs

clean: ## remove what was built, the virtual environment included
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
