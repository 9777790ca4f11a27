# Each target makes or reuses .venv by itself, and reinstalls only when pyproject.toml or constraints.txt change.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test lab build lint bench clean

demo: $(READY)
	$(BIN)/course demo

test: $(READY)
	$(BIN)/course build --check
	$(BIN)/course build --solutions build/solutions
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadfile --nbval-lax -p no:cacheprovider build/solutions
	$(BIN)/python -m pytest -n auto --dist loadgroup --jaxtyping-packages=course_lib,beartype.beartype tests/course_lib
	$(BIN)/python -m pytest -n auto --dist loadgroup --ignore tests/course_lib tests

lab: $(READY)
	$(BIN)/course lab

build: $(READY)
	$(BIN)/course build

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

bench: $(READY)
	$(BIN)/python tests/benchmarks/reference.py
	$(BIN)/python tests/benchmarks/explorers.py
	$(BIN)/python tests/benchmarks/kernels.py
	$(BIN)/python tests/benchmarks/grading.py

clean:
	rm -rf .venv build

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test]"
	touch $@
