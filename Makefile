# Daily tasks. `.ci/run` runs all checks that must pass.
.PHONY: serve test lint coverage bench docs

serve:
	uv run arena serve

test:
	uv run pytest

lint:
	uv sync --quiet --group lint
	uv run --group lint ruff check .
	uv run --group lint ruff format --check .
	uv run --group lint pyright
	uv run python .ci/words.py
	@if command -v npm >/dev/null; then npm install --no-package-lock --silent && npm run --silent lint; \
	else echo "npm is not installed: the pages' scripts are not linted."; fi

# Branches, those of the processes that tests start too; takes about twice the time of the tests.
coverage: export COVERAGE_FILE = $(CURDIR)/.coverage
coverage:
	uv run --group coverage coverage erase
	-uv run --group coverage coverage run -m pytest -m ''
	uv run --group coverage coverage combine --quiet
	uv run --group coverage coverage report

bench:
	uv run --group bench benchmarks ratings --quick

docs:
	uv run pytest -n 0 -q -m '' tests/test_documents.py
