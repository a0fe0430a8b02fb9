# accelbench: `make report` measures this machine and writes the report; `make help` lists all targets.
#
# Requirements: Python 3.11 or newer, a C compiler and make. The first target that needs .venv creates it from the
# hash-locked requirements in envs/.

PYTHON ?= python3
CONFIG ?= config/config.yaml
CORES  ?= all
LOCK   ?= auto
LESSON ?=
PYTEST ?=

# Locks that are installed into a separate environment, .venv-LOCK.
apart = $(filter-out base cuda12 intel-opencl test slurm htcondor,$(basename $(notdir $(sort $(wildcard envs/*.in)))))

SHELL := /bin/sh
unexport PYTHONHOME  # it may belong to a Python other than that of .venv
.DEFAULT_GOAL := help
.SUFFIXES:
.NOTPARALLEL:

.PHONY: help
help: ## show this list
	@echo 'usage: make TARGET [NAME=VALUE ...]'
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo '  PYTHON     Python that makes .venv ($(PYTHON))'
	@echo '  CONFIG     configuration to measure ($(CONFIG))'
	@echo '  CORES      number of cores to use, or all; measurements run one after the other ($(CORES))'
	@echo '  LOCK       packages to install ($(LOCK)):'
	@echo '             auto: base without an NVIDIA driver, cuda12 with one'
	@echo '             cuda: as auto, and also cuda13 if the driver has version 580 or newer'
	@echo '             try: as auto, with JAX and Pythran for the command try'
	@echo '             slurm, htcondor: base with the plugin for such a cluster'
	@echo '             intel-opencl: base with the OpenCL driver of Intel for x86-64 (proprietary, 1 GB)'
	@echo '             $(apart):'
	@echo '             a library and its dependencies in a separate environment, .venv-LOCK'
	@echo '  LESSON     lesson of docs/course.md for make lecture: 1h, 3h or day ($(LESSON))'
	@echo '  PYTEST     further arguments of pytest, as in make test PYTEST="-k journal" ($(PYTEST))'

# -- environments ------------------------------------------------------------------------------------------------------

venv = .venv/bin/python
# `exec` replaces the shell by Python, so that Python is a child of make and ends with make.
module = PATH="$(CURDIR)/.venv/bin:$$PATH" exec $(venv) -m
chosen = $(if $(filter file default,$(origin PYTHON)),,--this-python)
install = $(PYTHON) -I -c '' 2>/dev/null \
	|| { echo 'accelbench: cannot install. $(PYTHON) is no Python that runs: install Python 3.11 or newer, or name one: make PYTHON=...' >&2; exit 1; }; \
	$(PYTHON) -I envs/install.py $(chosen)

.PHONY: install
install: ## install the packages that the workflow needs into .venv
	@$(install) $(LOCK)

.PHONY: install-test
install-test:
	@$(install) $(LOCK) test $(if $(shell command -v slurmctld 2>/dev/null),slurm)

# -- measuring ---------------------------------------------------------------------------------------------------------

.PHONY: report
report: install ## measure this machine as CONFIG says, and write reports/local/index.html
	@$(module) accelbench run --configfile '$(CONFIG)' --cores '$(CORES)'

.PHONY: lecture
lecture: install ## measure and draw the lectures' figures, reports/local/lectures.html; LESSON=1h: only those of a lesson
	@$(module) accelbench $(if $(LESSON),lecture lesson '$(LESSON)',run lecture) --configfile '$(if $(filter file default,$(origin CONFIG)),config/lecture.yaml,$(CONFIG))' $(if $(filter all,$(CORES)),,--cores '$(CORES)')

.PHONY: profile
profile: install ## profile five implementations of inside_polygon in Python and Cython, and print the slowest functions
	@$(module) accelbench run --configfile '$(CONFIG)' --cores '$(CORES)' profile

# pytest has one worker more than there are cores, since some tests only wait for timeouts and for processes to end.
pytest = $(module) pytest -n "$$(($$(nproc) + 1))" --dist loadfile --no-loadscope-reorder

.PHONY: test
test: lint ## lint, then run the tests that need no GPU, except the slow ones: eight minutes on two cores
	$(pytest) -m 'not gpu and not slow' $(PYTEST)

.PHONY: test-fast
test-fast: install-test ## run the tests that neither build nor measure: one minute on two cores
	$(pytest) -m 'not gpu and not slow and not processes' $(PYTEST)

.PHONY: test-all
test-all: lint ## lint, then run all tests that need no GPU, including the slow ones: 21 minutes on two cores
	$(pytest) -m 'not gpu' $(PYTEST)

.PHONY: test-today
test-today: install-test ## test the backends of each .venv-LOCK that exists; LOCK="jax numexpr" makes and tests only these two
	$(venv) tests/today $(filter $(apart),$(LOCK)) -- $(PYTEST)

.PHONY: torture
torture: install-test ## test that faults lose no data; options: TORTURE="faults --devices host", SEED=...
	$(venv) tests/torture $(TORTURE) $(if $(SEED),--seed $(SEED))

.PHONY: truth
truth: install-test ## test whether measured times are true; options: TRUTH="sweeps --folders results/local", SEED=...
	$(venv) tests/truth $(TRUTH) $(if $(SEED),--seed $(SEED))

.PHONY: test-slurm
test-slurm: ## start a SLURM cluster of two nodes and run a sweep on it; needs Debian or Ubuntu, and root
	@command -v slurmctld >/dev/null || envs/install-system.sh slurm-wlm munge
	@$(install) $(LOCK) test slurm
	$(module) pytest tests/slurm $(PYTEST)

.PHONY: examples
examples: install ## render the pages of the published machines, reports/examples/machines.html: two minutes on two cores
	$(venv) -c 'import sys; from accelbench.archive import publishing; [*map(publishing.render, sys.argv[1:])]' reports/examples/*/
	$(module) accelbench machines reports/examples/*/ --output reports/examples/machines.html

.PHONY: docs
docs: install-test ## build the site of the documentation and the published pages: site/index.html
	$(module) mkdocs build --strict

.PHONY: lint
lint: install-test ## check Python and Snakemake files, types, the documentation's links and the Dockerfile
	$(module) ruff check .
	$(module) ruff format --check .
	$(module) basedpyright
	$(module) snakefmt --check Snakefile workflow
	$(module) snakemake --lint
	$(module) mkdocs build --strict
	.venv/bin/hadolint Dockerfile

.PHONY: format
format: install-test ## format Python and Snakemake files
	$(module) ruff check --fix .
	$(module) ruff format .
	$(module) snakefmt Snakefile workflow

# -- maintenance -------------------------------------------------------------------------------------------------------

compile = .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade)

.PHONY: lock
lock: .venv-lock/bin/uv ## pin the packages of envs/*.in in envs/*.lock; UPGRADE=1 takes the newest versions
	$(compile) envs/base.in --output-file envs/base.lock
	$(compile) envs/cuda12.in --constraints envs/base.lock --output-file envs/cuda12.lock
	$(compile) envs/test.in --constraints envs/base.lock --output-file envs/test.lock
	$(compile) envs/slurm.in --constraints envs/base.lock --output-file envs/slurm.lock
	$(compile) envs/htcondor.in --constraints envs/base.lock --output-file envs/htcondor.lock
	$(compile) envs/intel-opencl.in --constraints envs/base.lock --output-file envs/intel-opencl.lock
	for name in $(apart); do $(compile) envs/$$name.in --output-file envs/$$name.lock || exit; done

.venv-lock/bin/uv:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check uv

.PHONY: clean
clean: ## remove build products and caches, but no measurements
	rm -rf results/*/build build dist site .pytest_cache .ruff_cache .hypothesis workflow/*.egg-info
	find envs kernels tests workflow -name __pycache__ -prune -exec rm -rf {} +

.PHONY: distclean
distclean: clean ## remove everything that make wrote, including environments, MEASUREMENTS and reports
	rm -rf .venv .venv.lock .venv-* .snakemake
	find results reports -mindepth 1 -maxdepth 1 ! -name README.md ! -name examples -exec rm -rf {} + 2>/dev/null || true
