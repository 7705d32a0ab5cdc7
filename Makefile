# Everything a person types here. `make run` and `make test` each set up what they
# need on a machine that has git, make, python3 and a network.

PYTHON ?= python3
BIN := .venv/bin
HOST ?= 0.0.0.0
PORT ?= 8000
DATA ?= data
# A worker for each processor and one more, since a browser's test often waits; whoever
# is done takes over half of what another has left. WORKERS='-n 1' keeps a machine free.
WORKERS ?= -n $(shell echo $$(($$(nproc) + 1))) --dist worksteal
PROOFS ?= slow
# Tests write to memory where there is some: each entry of a journal waits for its disk.
MEMORY := $(if $(shell test -w /dev/shm && echo yes),TMPDIR=/dev/shm)
# One worker is one processor's work; threads of its libraries would only be in the way.
ALONE := OPENBLAS_NUM_THREADS=1 OPENCV_FOR_THREADS_NUM=1
PYTEST := $(MEMORY) $(ALONE) $(BIN)/python -m pytest
# Compiled modules are kept, whatever the environment says: tests start many programs.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help run ready test check words docs lock release proofs pictures bench clean python chromium \
	postgres evenings evenings-postgres proofs-evening
.DEFAULT_GOAL := help

help:
	@echo 'make run     try it: a simulated table; HOST=, PORT= and DATA= change where;'
	@echo '             NEW_HOST=1 shuts out the phone that opens games'
	@echo 'make ready   set everything up and do nothing else'
	@echo 'make test    run all quick tests, some in a real browser'
	@echo 'make check   ruff, mypy strict and the rules of the house'
	@echo 'make proofs  run the long proofs: kill -9 at 200 moments, long playouts'
	@echo 'make evenings play whole evenings, each from a seed; EVENINGS= says how many'
	@echo 'make evenings-postgres play some with the games in PostgreSQL'
	@echo 'make proofs-evening plant mistakes, and see whether the evenings find them'
	@echo 'make proofs-kernel, -service, -stick, -install, -hotspot, -arm64, -camera, -card,'
	@echo '             -container, -wheel, -home-assistant, -circuit: the proofs that need a machine of'
	@echo '             their own, or ngspice; tests/machines'
	@echo 'make postgres install what tests with a database, a proxy or a broker need'
	@echo 'make release build what is given to people into dist/, from a clean tree'
	@echo 'make lock    move all packages to their latest versions; UPGRADE= adds new ones only'
	@echo 'make docs    build the documents as a site, into dist/site'
	@echo 'make words   bring the catalogues of other languages up to date'
	@echo 'make pictures take the pictures of the documents anew'
	@echo 'make bench   measure, and write the figures to benchmarks/results'
	@echo 'make clean   remove what the other targets made, except your games in $(DATA)'

run: .venv/runs
	@$(BIN)/companion serve --simulated --host $(HOST) --port $(PORT) --data $(DATA) \
		$(if $(NEW_HOST),--new-host)

ready: .venv/tests

test: .venv/tests chromium
	$(PYTEST) $(WORKERS) --ignore=tests/test_tidy.py

check: .venv/tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST) -q tests/test_tidy.py tests/systemd

pictures: .venv/tests chromium
	$(BIN)/python -m tests.pictures

# The variable keeps the theme from advertising.
docs: .venv/tests
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --config-file release/site/mkdocs.yml
	@echo 'Built; to look at it: python3 -m http.server --directory dist/site'

# Headers that Babel fills with its placeholders.
NOBODY := PO-Revision-Date|Last-Translator|Language-Team|Report-Msgid-Bugs-To|POT-Creation-Date|Generated-By

words: .venv/tests
	$(BIN)/pybabel --quiet extract --mapping-file pyproject.toml \
		-k say -k say_count:2,3 -k _n:2,3 -k counted:1,2 -k told -k Told -k called -k _with_amount \
		--no-location --sort-output --output messages.pot .
	$(BIN)/pybabel --quiet update --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date \
		--input-file messages.pot --output-file web/languages/de.po --locale de
	@sed -i -E '/^"($(NOBODY)):/d' web/languages/de.po
	@rm messages.pot

proofs: .venv/tests chromium
	$(PYTEST) -q -m '$(PROOFS)' -p no:cacheprovider $(WORKERS)

# New ones with each commit; the same again for whoever names it: SEED=17 EVENINGS=1.
SEED ?= commit
EVENINGS ?= 40

evenings: .venv/tests
	$(ALONE) $(BIN)/python -m tests.evening $(SEED) $(EVENINGS) --jobs $$(nproc)

evenings-postgres: EVENINGS = 10
evenings-postgres: .venv/tests
	$(MEMORY) $(ALONE) $(BIN)/python -m tests.evening $(SEED) $(EVENINGS) --postgres --jobs $$(nproc)

proofs-evening: .venv/tests
	$(ALONE) $(BIN)/python -m tests.evening.planted

# Each has a machine of its own; see tests/machines/README.md.
MACHINES := kernel service stick install hotspot arm64 camera card container wheel home-assistant \
	circuit
.PHONY: $(MACHINES:%=proofs-%)
$(MACHINES:%=proofs-%): proofs-%: .venv/tests
	tests/machines/$*.sh

bench: .venv/tests
	$(PIP) --editable '.[bench]'
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv dist .mypy_cache .pytest_cache .ruff_cache .hypothesis *.egg-info

# Exactly the packages that were tried, by their checksums, and then the project itself.
define environment
	@test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	@$(PIP) --require-hashes --only-binary :all: --requirement $(1)
	@$(PIP) --no-deps --no-build-isolation --editable .
endef
PIP := $(BIN)/pip install --quiet --disable-pip-version-check

.venv/runs: pyproject.toml release/lock-other.txt | python
	@echo 'Setting up Python packages; this takes about a minute, once.'
	$(call environment,release/lock-other.txt)
	@touch $@

.venv/tests: pyproject.toml release/lock-dev.txt | python
	@echo 'Setting up Python packages; this takes about two minutes, once.'
	$(call environment,release/lock-dev.txt)
	@# Once, before workers would each do it: asserts are rewritten, modules compiled.
	@$(PYTEST) -qq --collect-only >/dev/null
	@touch .venv/runs $@

# A lock for each system: picamera2 of bookworm and trixie is built for the numpy that
# stands here, and a later one would take its place; bookworm's leaves no newer OpenCV.
UPGRADE ?= --upgrade
LOCK := $(BIN)/uv pip compile --quiet --generate-hashes --only-binary :all: --no-annotate \
	--no-header $(UPGRADE) pyproject.toml
PI := --extra pi --python-platform aarch64-manylinux_2_31

lock: .venv/tests
	@$(PIP) uv
	echo pip 'numpy==1.24.2' 'opencv-python-headless<4.12' | tr ' ' '\n' | \
		$(LOCK) - $(PI) --python-version 3.11 --output-file release/lock-bookworm.txt
	echo pip 'numpy==2.2.4' | tr ' ' '\n' | \
		$(LOCK) - $(PI) --python-version 3.13 --output-file release/lock-trixie.txt
	$(LOCK) --extra pi --universal --python-version 3.11 --output-file release/lock-other.txt
	$(LOCK) --extra dev --universal --python-version 3.11 --constraints release/lock-other.txt \
		--output-file release/lock-dev.txt
	$(MAKE) .venv/tests
	$(BIN)/python -m release.licences

release: .venv/tests
	$(BIN)/python -m release

# Debian packages: as root they are installed, otherwise the line to type is named.
define debian
	if [ "$$(id -u)" = 0 ]; then \
		apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1); \
	else \
		echo 'One thing is missing. Type this line, then the same make again:'; \
		echo '    sudo apt-get install -y $(1)'; \
		exit 1; \
	fi
endef

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Python 3.11 or newer is wanted; this is' `$(PYTHON) -V`; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { $(call debian,python3-venv); }

# Playwright's driver wants libatomic, which a small Debian lacks.
chromium:
	@{ command -v chromium-headless-shell && ldconfig -p | grep -q libatomic.so.1; } >/dev/null || \
		{ $(call debian,chromium-headless-shell fonts-noto-color-emoji libatomic1); }

# Without them, tests that want a database, a proxy or a broker are skipped, and say so.
postgres:
	@{ ls /usr/lib/postgresql/*/bin/pg_ctl || command -v pg_ctl; } >/dev/null 2>&1 && \
		command -v caddy >/dev/null && test -x /usr/sbin/pgbouncer && \
		test -x /usr/sbin/mosquitto || \
		{ $(call debian,postgresql caddy pgbouncer mosquitto); }
