#!/bin/bash
# Home Assistant's own core hears of a table through mosquitto; home_assistant.py says
# what is proven. `home-assistant.sh inside COMMAND...` runs COMMAND beside that core.
#
# It is Home Assistant as PyPI has it, on Debian 13: no frontend, and of its
# integrations only MQTT and what that needs. Making it takes ten minutes, once.
. "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || skip "only root changes its root"
VERSION=2026.2.3 # The last one for Python 3.13.
ROOT=$CACHE/home-assistant-$VERSION

inside() {
    # shellcheck disable=SC2016 # The inner shell expands it.
    unshare --mount --propagation private --pid --fork --kill-child bash -euc '
        root=$1
        shift
        mount -t proc proc "$root/proc"
        mount --bind /dev "$root/dev"
        mount -t tmpfs tmp "$root/tmp"
        exec chroot "$root" /usr/bin/env -i PATH=/venv/bin:/usr/sbin:/usr/bin HOME=/tmp \
            LANG=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt "$@"
    ' inside "$@"
}

# Of some packages there are no wheels, so there is a compiler. Home Assistant brings the
# list of versions that it was tried with; without it, pip tries them all.
make_home() {
    local pip=(pip install --quiet --disable-pip-version-check --no-cache-dir)
    cp -a "$CACHE/home-assistant-base" "$making"
    online "$making"
    inside "$making" python3 -m venv /venv
    inside "$making" "${pip[@]}" --no-deps "homeassistant==$VERSION"
    inside "$making" "${pip[@]}" "homeassistant==$VERSION" paho-mqtt --constraint \
        /venv/lib/python3.13/site-packages/homeassistant/package_constraints.txt
}

if [ "${1-}" = inside ]; then
    shift
    inside "$ROOT" "$@"
    exit
fi
debian mosquitto
[ -e "$ROOT" ] || rootfs home-assistant-base trixie amd64 apt \
    python3,python3-venv,python3-dev,gcc,libc6-dev
once "home-assistant-$VERSION" make_home || skip "Home Assistant cannot be installed"
install -m 644 "$machines/home_assistant_inside.py" "$ROOT/inside.py"
cd "$project"
PYTHONPATH=$project .venv/bin/python -m tests.machines.home_assistant "$ROOT"
