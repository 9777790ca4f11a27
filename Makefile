# Each target makes or reuses .venv by itself, and installs anew only when what it installs from changes.
# PYTHON is the Python it is made with. CPU_TORCH is where PyTorch is looked for first on Linux, as the ordinary wheels
# bring 3 GB for graphics cards there; `make CPU_TORCH= …` goes straight to the ordinary index.

PYTHON ?= python3
CPU_TORCH ?= https://download.pytorch.org/whl/cpu

BIN := .venv/bin
READY := .venv/.ready
LINUX := $(filter Linux,$(shell uname -s))
UV := $(shell command -v uv)
INSTALL := $(if $(UV),$(UV) pip install --python $(BIN)/python,$(BIN)/python -m pip install --disable-pip-version-check) --quiet
BRIEFLY := PIP_DEFAULT_TIMEOUT=5 PIP_RETRIES=0 UV_HTTP_TIMEOUT=5 UV_HTTP_RETRIES=0
NO_CPU_INDEX := echo "PyTorch's CPU wheels cannot be reached: its ordinary ones come instead, and are larger."
NO_SANDBOX := echo "bubblewrap has no wheel for this machine: grading needs the package of your distribution."
TORCH = $(shell sed -n 's/^\(torch==[^ ]*\).*/\1/p' constraints.txt)
PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup -rs
FAST_LIBRARY := $(addprefix tests/course_lib/,nn cards checks test_imports.py test_former_paths.py)
FAST_REST := $(addprefix tests/autograder/,course classroom exam_types test_imports.py) tests/test_documents.py

.PHONY: demo test quick fast library lab build lint lock bench clean

demo: $(READY)
	$(BIN)/course demo

test: $(READY)
	$(BIN)/python tests/browser/find_browser.py
	$(BIN)/course build --check
	$(BIN)/course build --solutions build/solutions
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadfile --nbval-lax -p no:randomly -p no:cacheprovider build/solutions
	$(PYTEST) --jaxtyping-packages=course_lib,beartype.beartype tests/course_lib
	$(PYTEST) --ignore tests/course_lib tests

quick: lint fast

# about a minute of one core: what needs no sandbox, no training and no new Python
fast: $(READY)
	$(BIN)/course build --check
	$(PYTEST) --jaxtyping-packages=course_lib,beartype.beartype -m "not slow" $(FAST_LIBRARY)
	$(PYTEST) -m "not slow" $(FAST_REST)

# all of course_lib but training, for each Python and the oldest versions
library: $(READY)
	$(BIN)/course build --check
	$(PYTEST) --jaxtyping-packages=course_lib,beartype.beartype -m "not slow" tests/course_lib

lab: $(READY)
	$(BIN)/course lab

build: $(READY)
	$(BIN)/course build

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/deptry --no-ansi .
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

bench: $(READY)
	$(BIN)/python tests/benchmarks/reference.py
	$(BIN)/python tests/benchmarks/explorers.py
	$(BIN)/python tests/benchmarks/kernels.py
	$(BIN)/python tests/benchmarks/grading.py
	$(BIN)/python tests/benchmarks/light_commands.py
	PYTHONPATH=tests $(BIN)/python -m fuzz.count
	PYTHONPATH=tests $(BIN)/python -m benchmarks.wire
	PYTHONPATH=tests $(BIN)/python -m benchmarks.kills

clean:
	rm -rf .venv build

$(READY): pyproject.toml constraints.txt sandbox-requirements.txt
	test -x $(BIN)/python || $(if $(UV),$(UV) venv --quiet --seed --python $(PYTHON) .venv,$(PYTHON) -m venv .venv)
	$(if $(and $(LINUX),$(CPU_TORCH)),$(BRIEFLY) $(INSTALL) --no-deps --index-url $(CPU_TORCH) $(TORCH) || $(NO_CPU_INDEX))
	$(INSTALL) -c constraints.txt -e ".[test]"
	$(if $(LINUX),$(INSTALL) --no-deps --require-hashes -r sandbox-requirements.txt || $(NO_SANDBOX))
	touch $@

# The one lock, for every platform and Python version that the course supports. Versions stay unless pyproject.toml
# rules them out; to take the newest of a package, delete its line first. Packages for graphics cards are left out.
lock:
	$(INSTALL) uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras \
	    --no-emit-index-url --no-annotate --no-header pyproject.toml --output-file constraints.txt
	(echo "# The versions the course is tested with; made by \`make lock\`."; \
	    grep -Ev "^(#|cuda|nvidia|triton)" constraints.txt) > constraints.new
	mv constraints.new constraints.txt
