#!/bin/bash
# circuit.sh: the latch's circuits in ngspice, hundreds of boards with a coil, thousands
# with a servo, and every figure that hardware/README.md names of them.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
[ -x "$project/.venv/bin/python" ] || skip "there is no .venv; make ready"
debian ngspice
cd "$project"
exec .venv/bin/python -m tests.circuit
