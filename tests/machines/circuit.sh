#!/bin/bash
# circuit.sh: the circuits of the vault in ngspice, hundreds of boards of each, and every
# figure that hardware/README.md names of them.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
[ -x "$project/.venv/bin/python" ] || skip "there is no .venv; make ready"
debian ngspice
cd "$project"
exec .venv/bin/python -m tests.circuit
