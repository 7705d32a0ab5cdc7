# What the scripts of this folder share; each begins with `. common.sh`.
# shellcheck shell=bash
#
# Kernels, modules and root file systems are made once and kept below $CACHE, outside
# the project, where every clone finds them; delete that folder whenever you like.
set -euo pipefail
machines=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$machines/../.." && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/table-companion/machines
mkdir -p "$CACHE"
export DEBIAN_FRONTEND=noninteractive

# skip REASON...: say why nothing was proven here, and end without a failure.
skip() {
    echo "SKIPPED $(basename "$0"): $*"
    exit 0
}

# debian PACKAGE...: have these packages of Debian 12 on this machine, or skip.
debian() {
    local package missing=()
    for package; do
        dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] && return
    [ "$(id -u)" = 0 ] || skip "only root may type: apt-get install ${missing[*]}"
    apt-get update -qq || skip "Debian's packages cannot be reached"
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
        skip "this system does not have: ${missing[*]}"
}

# once NAME COMMAND...: run COMMAND unless it has already made $CACHE/NAME. Clones wait
# for each other, and what was left half made is made again. COMMAND writes to $making.
once() {
    local name=$1 making=$CACHE/$1.making
    shift
    (
        flock 9
        [ ! -e "$CACHE/$name" ] || exit 0
        rm -rf --one-file-system "$making"
        "$@"
        mv "$making" "$CACHE/$name"
    ) 9>"$CACHE/$name.lock"
}

# rootfs NAME SUITE ARCH VARIANT PACKAGES [OPTION...]: a Debian root file system in
# $CACHE/NAME, by mmdebstrap. VARIANT `apt` configures its packages; `extract` only
# unpacks them, which for another processor takes seconds instead of minutes.
rootfs() {
    local name=$1 suite=$2 arch=$3 variant=$4 packages=$5
    shift 5
    [ "$(id -u)" = 0 ] || skip "only root makes root file systems"
    debian mmdebstrap
    once "$name" _rootfs "$suite" "$arch" "$variant" "$packages" "$@"
}

_rootfs() {
    local suite=$1 arch=$2 variant=$3 packages=$4
    shift 4
    mmdebstrap --quiet --arch="$arch" --variant="$variant" --include="$packages" \
        --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr "$@" "$suite" "$making"
}

# online ROOT: let programs inside ROOT reach the package registries as this machine does.
online() {
    mkdir -p "$1/etc/ssl/certs"
    cp --remove-destination /etc/resolv.conf "$1/etc/resolv.conf"
    cp --remove-destination /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
}

# bundle MACHINE: have the release's bundle for that processor, unpacked, in $bundle. It is
# made of the commit that is checked out, as `make release` makes it.
bundle() {
    local name
    name=bundle-$1-$(git -C "$project" rev-parse --short HEAD)
    [ -z "$(git -C "$project" status --porcelain)" ] ||
        skip "the tree has changes, and only a commit is released"
    find "$CACHE" -maxdepth 1 -name 'bundle-*' -mmin +600 -exec rm -rf {} + # Of old commits.
    once "$name" _bundle "$1" || skip "the packages of Python cannot be reached"
    # shellcheck disable=SC2034 # The scripts that call this read it.
    bundle=$CACHE/$name
}

_bundle() {
    local python=$project/.venv/bin/python
    mkdir "$making"
    (cd "$project" && "$python" -m release --machine "$1" --out "$making" >/dev/null) &&
        "$python" -m zipfile -e "$making"/*.zip "$making" && rm "$making"/table*.*
}
