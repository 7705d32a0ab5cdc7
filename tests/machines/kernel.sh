#!/bin/bash
# kernel.sh [COMMAND...]: run COMMAND, else the tests of tests/kernel, in a virtual
# machine whose GPIO chip is simulated by the kernel. It sees this machine's files, at
# the same paths, and cannot change them; what it writes to /run/out stays in $OUT.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/vm.sh"
[ -x "$project/.venv/bin/python" ] || skip "there is no .venv; make ready"
vm_ready
vm_servo
vm_counts 2

# Here, since the machine can keep nothing: there, each program would compile it again.
(cd "$project" && .venv/bin/python -m compileall -q cli.py serving.py companion hardware web tests/kernel tests/hardware)

OUT=${OUT:-$project/build/kernel}
mkdir -p "$OUT"
rm -f "$OUT/status"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# != 0 ] || set -- .venv/bin/python -m pytest -q -s --color=no --durations=12 -p no:cacheprovider \
    tests/kernel tests/hardware/vault/test_vault_contract.py
{
    printf 'cd %q && ' "$project"
    printf '%q ' "$@"
} >"$OUT/command"

# shellcheck disable=SC2016 # The machine expands it.
vm_initrd "$work/initrd" '
share root /host cache=loose,ro
mount -t tracefs trace /sys/kernel/tracing
for folder in proc sys dev; do mount --rbind "/$folder" "/host/$folder"; done
mkdir -p /dev/pts /dev/shm
mount -t devpts pts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t tmpfs run /host/run
mkdir -p /host/run/config /host/run/tmp
share out /host/run/out rw
mount --rbind /config /host/run/config
ip link set lo up
chroot /host /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/run/tmp TMPDIR=/run/tmp LANG=C.UTF-8 \
    PYTHONDONTWRITEBYTECODE=1 GPIO_SIM_CHIP=/run/config/gpio-sim/pi \
    /bin/bash /run/out/command
echo $? >/host/run/out/status
poweroff -f'
vm_boot "${LIMIT:-600}" "$work/initrd" / "$OUT"
status=$(cat "$OUT/status" 2>/dev/null) || { echo "the machine did not come to its end" >&2; exit 1; }
rm "$OUT/status" "$OUT/command"
exit "$status"
