#!/bin/bash
# The installer on bare Debian 12 and 13 with systemd as process 1, without a network:
# install-inside.sh says what is proven. SUITES='trixie' takes one of them only.
. "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || skip "only root starts a machine in systemd-nspawn"
debian mmdebstrap systemd-container git

# Wheels for this suite, as the guide says to fetch them for a machine without internet.
fetch_wheels() {
    local suite=$1 python=$2 tag options=()
    for tag in manylinux2014 manylinux_2_17 manylinux_2_27 manylinux_2_28 manylinux_2_34; do
        options+=(--platform "${tag}_$(uname -m)")
    done
    mkdir -p "$making"
    python3 -m venv "$making/venv"
    "$making/venv/bin/pip" download --quiet --disable-pip-version-check \
        --dest "$making" --only-binary :all: --python-version "$python" \
        "${options[@]}" --constraint "$project/systemd/constraints-$suite.txt" \
        --requirement <(wanted) 2>/dev/null
    rm -r "$making/venv"
}

wanted() {
    python3 - "$project/pyproject.toml" <<'END'
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    known = tomllib.load(file)
print(*known["build-system"]["requires"], *known["project"]["dependencies"], sep="\n")
END
}

# Memory, if there is enough of it for three versions: nothing here has to outlive it.
roomy() {
    local free_mb
    free_mb=$(df --output=avail -m /dev/shm | tail -n 1)
    [ "$free_mb" -gt 4000 ] && echo /dev/shm || echo "$CACHE"
}

prove() {
    local suite=$1 python=$2 run packages wheels
    packages=systemd,systemd-sysv,dbus,passwd,python3,python3-venv,python3-numpy
    packages+=,git,procps,curl
    rootfs "installer-$suite" "$suite" amd64 apt "$packages"
    wheels=install-wheels-$suite-$({
        wanted
        cat "$project/systemd/constraints-$suite.txt"
    } | sha256sum | cut -c1-12)
    once "$wheels" fetch_wheels "$suite" "$python" ||
        skip "the packages of Python cannot be reached"
    run=$(mktemp -d "$(roomy)/install-run.XXXXXX")
    trap 'umount "$run/root" 2>/dev/null || true
        rm -rf --one-file-system "$run" "$handed_on"' EXIT
    mkdir "$run/upper" "$run/work" "$run/root"
    mount -t overlay overlay "$run/root" \
        -o "lowerdir=$CACHE/installer-$suite,upperdir=$run/upper,workdir=$run/work"
    fill "$run/root"
    timeout "${LIMIT:-1200}" systemd-nspawn --quiet --directory "$run/root" --boot \
        --private-network --register=no --keep-unit --bind-ro="$CACHE/$wheels:/wheels" \
        >"$run/console" 2>&1 || true
    [ ! -e "$run/root/proof/log" ] || cat "$run/root/proof/log"
    [ "$(cat "$run/root/proof/code" 2>/dev/null)" = 0 ] || {
        tail -n 5 "$run/console"
        echo "FAILED $suite: the lines above say where"
        exit 1
    }
    cp "$run/root/proof/evening.zip" "$run/root/proof/made-on" "$handed_on"
    umount "$run/root"
    rm -rf --one-file-system "$run"
    trap 'rm -rf "$handed_on"' EXIT
}

# fill ROOT: the maker's clone, what a Pi's firmware reads, and what runs at the start.
fill() {
    local clone=$1/home/maker/table-companion
    mkdir -p "$clone" "$1/boot/firmware" "$1/proof"
    (
        cd "$project"
        git ls-files -z --cached --others --exclude-standard -- \
            cli.py serving.py companion hardware web pyproject.toml README.md LICENSE systemd |
            xargs -0 cp --parents -t "$clone"
    )
    printf '%s\n' 'dtparam=audio=on' '[cm4]' 'otg_mode=1' '[all]' >"$1/boot/firmware/config.txt"
    cp "$machines/install-inside.sh" "$machines/install-game.json" "$1/proof"
    cp -t "$1/proof" "$handed_on"/* 2>/dev/null || true
    cat >"$1/etc/systemd/system/proof.service" <<'END'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
TimeoutStartSec=infinity
ExecStart=/bin/bash -c 'bash /proof/install-inside.sh >/proof/log 2>&1; echo $? >/proof/code; systemctl exit 0'
[Install]
WantedBy=default.target
END
    ln -s ../proof.service "$1/etc/systemd/system/multi-user.target.wants/proof.service"
}

# The backup that one machine made is restored on the next.
handed_on=$(mktemp -d "$CACHE/install-backup.XXXXXX")
trap 'rm -rf "$handed_on"' EXIT
for suite in ${SUITES:-bookworm trixie}; do
    case $suite in
    bookworm) prove bookworm 3.11 ;;
    trixie) prove trixie 3.13 ;;
    esac
done
