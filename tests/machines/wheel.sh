#!/bin/bash
# The release's wheel on bare Debian 12 and 13, by pipx and by uv, for a user who is
# nobody, without a network: wheel_inside.py says what is proven. SUITES='trixie' takes
# one of them only.
. "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || skip "only root makes root file systems"
debian mmdebstrap
bundle "$(uname -m)"

# What the wheel asks for, as a registry would give it now, pip's own tools, and uv.
fetch_wheels() {
    local python=$1 tag options=()
    for tag in manylinux2014 manylinux_2_17 manylinux_2_27 manylinux_2_28 manylinux_2_31; do
        options+=(--platform "${tag}_$(uname -m)")
    done
    mkdir "$making"
    "$project/.venv/bin/pip" download --quiet --disable-pip-version-check \
        --dest "$making" --only-binary :all: --python-version "$python" "${options[@]}" \
        "$own" pip setuptools wheel uv 2>"$making.said"
}

# Photos of notes that this project prints, to be decoded and learnt.
photograph() {
    local python=$project/.venv/bin/python note
    mkdir "$making"
    cd "$project"
    "$python" -m cli print notes --seed 7 --out "$making/notes.pdf" >/dev/null
    for note in 1 2 3 4 5 7 8; do
        "$python" -m benchmarks.decoder.photograph --sheet "$making/notes.pdf" \
            --note $note --seed $note --out "$making/$note.jpg" >/dev/null
    done
}

prove() {
    local suite=$1 python=$2 wheels root
    rootfs "wheel-$suite" "$suite" "$(dpkg --print-architecture)" apt python3,python3-venv,pipx
    wheels=wheel-wheels-$suite-$(sha256sum "$project/pyproject.toml" | cut -c1-12)
    once "$wheels" fetch_wheels "$python" || skip "the packages of Python cannot be reached"
    root=$run/$suite
    mkdir -p "$root"/{upper,work,root}
    mount -t overlay overlay "$root/root" \
        -o "lowerdir=$CACHE/wheel-$suite,upperdir=$root/upper,workdir=$root/work"
    mkdir -p "$root/root/proof"/{wheels,photos}
    cp "$CACHE/$wheels"/*.whl "$root/root/proof/wheels"
    cp "$own" "$root/root/proof/wheels"
    cp "$CACHE/wheel-photos"/*.jpg "$root/root/proof/photos"
    cp -R "$project/tests" "$root/root/proof/tests"
    echo "maker:x:1000:1000::$home:/bin/sh" >>"$root/root/etc/passwd"
    echo "maker:x:1000:" >>"$root/root/etc/group"
    mkdir -p "$root/root$home"
    install -d -o 1000 -g 1000 "$root/home"
    echo "== Debian $suite"
    # shellcheck disable=SC2016 # The inner shell expands it.
    unshare --net --mount --pid --fork --kill-child bash -euc '
        ip link set lo up
        mount -t proc proc "$1/proc"
        mount --bind /dev "$1/dev"
        mount --bind "$1/../home" "$1$2" # No overlay: the doctor takes that for memory.
        exec chroot --userspec maker:maker "$1" /usr/bin/env -i HOME="$2" LANG=C.UTF-8 \
            PATH="$2/.local/bin:/usr/bin:/bin" PIP_NO_INDEX=1 \
            PIP_FIND_LINKS=/proof/wheels UV_NO_INDEX=1 UV_FIND_LINKS=/proof/wheels \
            UV_PYTHON_DOWNLOADS=never UV_OFFLINE=1 python3 /proof/tests/machines/wheel_inside.py
    ' inside "$root/root" "$home"
    umount "$root/root"
}

home=/home/maker
run=$(mktemp -d "$CACHE/wheel-run.XXXXXX")
trap 'umount "$run"/*/root 2>/dev/null || true; rm -rf --one-file-system "$run"' EXIT
cp "$bundle"/table-companion/wheels/table_companion-*.whl "$run"
own=$(ls "$run"/*.whl)
once wheel-photos photograph
for suite in ${SUITES:-bookworm trixie}; do
    case $suite in
    bookworm) prove bookworm 3.11 ;;
    trixie) prove trixie 3.13 ;;
    esac
done
