#!/bin/bash
# The installer on bare Debian 12 and 13 with systemd as process 1, without a network:
# install-inside.sh says what is proven. SUITES='trixie' takes one of them only.
. "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || skip "only root starts a machine in systemd-nspawn"
debian mmdebstrap systemd-container git

# Memory, if there is enough of it for three versions: nothing here has to outlive it.
roomy() {
    local free_mb
    free_mb=$(df --output=avail -m /dev/shm | tail -n 1)
    [ "$free_mb" -gt 4000 ] && echo /dev/shm || echo "$CACHE"
}

prove() {
    local suite=$1 run packages
    packages=systemd,systemd-sysv,dbus,passwd,python3,python3-venv,python3-numpy
    packages+=,git,procps,curl
    rootfs "installer-$suite" "$suite" amd64 apt "$packages"
    run=$(mktemp -d "$(roomy)/install-run.XXXXXX")
    trap 'umount "$run/root" 2>/dev/null || true
        rm -rf --one-file-system "$run" "$handed_on"' EXIT
    mkdir "$run/upper" "$run/work" "$run/root"
    mount -t overlay overlay "$run/root" \
        -o "lowerdir=$CACHE/installer-$suite,upperdir=$run/upper,workdir=$run/work"
    fill "$run/root"
    timeout "${LIMIT:-1200}" systemd-nspawn --quiet --directory "$run/root" --boot \
        --private-network --register=no --keep-unit --bind-ro="$bundle:/bundle" \
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
            cli.py serving.py companion hardware web pyproject.toml README.md LICENSE systemd release |
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
bundle "$(uname -m)"
for suite in ${SUITES:-bookworm trixie}; do prove "$suite"; done
