# The project installed in /opt/companion of a Debian, as on a Pi, with systemd as process
# 1. Read after common.sh and vm.sh; SUITE=trixie takes Debian 13 in the place of 12:
#
#     table                            # makes $run, with its $run/root and $run/out
#     told PROOF PART END              # what is to be run inside, and how to end there
#     table_boots [SCRIPT [MODULE...]] # in the virtual machine; SCRIPT is of its start
#     passed PART
# shellcheck shell=bash
suite=${SUITE:-bookworm}

# What is installed changes with the lock alone; the project itself comes in later.
make_venv() {
    mkdir -p "${making:?}/upper" "$making/work" "$making/root"
    mount -t overlay overlay "$making/root" -o \
        "lowerdir=$CACHE/table-$suite,upperdir=$making/upper,workdir=$making/work"
    online "$making/root"
    mkdir -p "$making/root/opt/companion/versions"
    cp "${project:?}/release/lock-$suite.txt" "$making/root/opt/wanted"
    chroot "$making/root" /bin/sh -ec '
        python3 -m venv /opt/companion/versions/proof
        ln -s versions/proof /opt/companion/current
        /opt/companion/current/bin/pip install --quiet --no-cache-dir --only-binary :all: \
            --disable-pip-version-check --require-hashes --requirement /opt/wanted 2>/dev/null' || {
        umount "$making/root"
        return 1
    }
    umount "$making/root"
    rm -rf "$making/root" "$making/work"
}

# table: have it in $run/root, where all that changes is forgotten in the end.
table() {
    [ "$(id -u)" = 0 ] || skip "only root starts a machine with systemd"
    debian mmdebstrap
    rootfs "table-$suite" "$suite" amd64 apt \
        systemd,systemd-sysv,dbus,udev,passwd,kmod,python3,python3-venv,procps,e2fsprogs,dmsetup
    venv=table-venv-$suite-$(sha256sum "$project/release/lock-$suite.txt" | cut -c1-12)
    once "$venv" make_venv || skip "the packages of Python cannot be reached"

    run=$(mktemp -d "$CACHE/table-run.XXXXXX")
    trap 'umount "$run/root" 2>/dev/null || true; rm -rf --one-file-system "$run"' EXIT
    mkdir "$run/upper" "$run/work" "$run/root" "$run/out"
    mount -t overlay overlay "$run/root" -o \
        "lowerdir=$CACHE/$venv/upper:$CACHE/table-$suite,upperdir=$run/upper,workdir=$run/work"
    fill "$run/root"
}

# The project as an installer leaves it: code, units, settings, user and groups.
fill() {
    local root=$1
    mkdir -p "$root/proof/source" "$root/etc/companion"
    (
        cd "$project" || exit 1
        git ls-files -z --cached --others --exclude-standard -- \
            cli.py serving.py companion hardware web pyproject.toml README.md LICENSE |
            xargs -0 cp --parents -t "$root/proof/source"
    )
    chroot "$root" /opt/companion/current/bin/pip install --quiet --no-index --no-deps \
        --no-build-isolation --disable-pip-version-check /proof/source 2>/dev/null
    cp "$project"/systemd/companion*.{service,path} "$root/etc/systemd/system/"
    cp "$project/systemd/companion.conf" "$root/etc/companion/"
    cp "${machines:?}"/*_inside.py "$machines/claims.py" "$root/proof/"
    (cd "$project" && cp --parents tests/__init__.py tests/kernel/{__init__,horn,scope}.py "$root/proof/")
    chroot "$root" /bin/sh -ec '
        groupadd --system gpio
        useradd --system --user-group --home-dir /var/lib/companion --shell /usr/sbin/nologin companion
        systemctl --quiet enable companion companion-coil-off companion-stick.path
        systemctl --quiet mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer \
            e2scrub_all.timer e2scrub_reap.service fstrim.timer getty.target \
            systemd-binfmt.service proc-sys-fs-binfmt_misc.automount'
    # As Raspberry Pi OS has it, in its 99-com.rules.
    cat >"$root/etc/udev/rules.d/99-gpio.rules" <<'END'
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="pwm", ACTION!="remove", PROGRAM="/bin/sh -c 'chgrp -R gpio /sys%p && chmod -R g=u /sys%p'"
END
    cat >"$root/etc/systemd/system/proof.service" <<'END'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
TimeoutStartSec=infinity
EnvironmentFile=/proof/part
ExecStart=/bin/sh -c '/opt/companion/current/bin/python -u /proof/$PROOF $PART >/proof/out/log 2>&1; echo $? >/proof/out/code; $END'
END
    mkdir -p "$root/proof/out" "$root/etc/systemd/system/multi-user.target.wants"
    ln -s ../proof.service "$root/etc/systemd/system/multi-user.target.wants/"
}

# passed PART: show what PART said, and fail if it did.
passed() {
    [ ! -e "$run/out/log" ] || cat "$run/out/log"
    [ "$(cat "$run/out/code" 2>/dev/null)" = 0 ] || {
        tail -n 30 "$run/console"
        echo "FAILED $1: the lines above say where"
        exit 1
    }
    rm "$run/out/log" "$run/out/code"
}

# told PROOF PART END: once it is up, run /proof/PROOF with PART, and then END.
told() { printf '%s\n' "PROOF=$1" "PART=$2" "END=$3" >"$run/root/proof/part"; }

# table_boots [SCRIPT [MODULE...]]: run it in the virtual machine of vm.sh.
table_boots() {
    local script=${1:-}
    shift || true
    # shellcheck disable=SC2016 # The machine expands it.
    vm_initrd "$run/initrd" '
share root /low cache=loose,ro
mkdir /memory
mount -t tmpfs memory /memory
mkdir /memory/upper /memory/work /table
mount -t overlay -o lowerdir=/low,upperdir=/memory/upper,workdir=/memory/work table /table
share out /table/proof/out rw
'"$script"'
for folder in proc sys dev; do mount --move "/$folder" "/table/$folder"; done
mkdir -p /table/proof/config
mount --move /config /table/proof/config
exec switch_root /table /sbin/init' overlay autofs4 "$@"
    vm_boot "${LIMIT:-1800}" "$run/initrd" "$run/root" "$run/out" >"$run/console" 2>&1 || true
}
