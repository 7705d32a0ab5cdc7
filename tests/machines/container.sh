#!/bin/bash
# release/Containerfile, built on a bare Debian 13 and run by Debian's podman:
# container_proof.py says each claim on a line.
. "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || skip "only root makes the base"
debian mmdebstrap podman runc netavark iptables
rootfs container-base trixie "$(dpkg --print-architecture)" apt \
    python3,python3-venv,ca-certificates
bundle "$(uname -m)"

# Images and containers of this proof's own. runc, since crun 1.8 refuses a machine with
# control groups of both kinds; on one that may raise no limit, podman's own are refused.
run=$(mktemp -d "$CACHE/container-run.XXXXXX")
state=$(mktemp -d /run/container.XXXXXX) # Its name may have no more than 50 letters.
export PODMAN="podman --root $run/store --runroot $state --runtime runc"
trap '$PODMAN rm --force --all >"$run/gone" 2>&1 || true
    $PODMAN unmount --all >"$run/gone" 2>&1 || true
    rm -rf --one-file-system "$run" "$state"' EXIT
limits=(--ulimit nofile=5000:5000 --ulimit nproc=5000:5000)

# The base reaches the package registry as this machine does; the image's own recipe
# says nothing of that.
mkdir -p "$run/base" "$run/context/release" "$run/context/dist"
online "$run/base"
printf '[global]\ncert = /etc/ssl/certs/ca-certificates.crt\n' >"$run/base/etc/pip.conf"
tar --create --directory "$CACHE/container-base" . | $PODMAN import --quiet - bare >/dev/null
$PODMAN build --quiet --tag base --file - "$run/base" >/dev/null <<'END'
FROM localhost/bare
COPY . /
END
cp "$bundle"/table-companion/wheels/table_companion-*.whl "$run/context/dist"
cp "$project/release/lock-other.txt" "$run/context/release"

began=$SECONDS
$PODMAN build --quiet --format docker --network host "${limits[@]}" \
    --build-arg BASE=localhost/base --file "$project/release/Containerfile" \
    --tag table-companion "$run/context" >"$run/built" 2>&1 || {
    tail -n 5 "$run/built"
    skip "podman cannot build here, or the packages of Python cannot be reached"
}
echo "built in $((SECONDS - began)) s"
cd "$project"
.venv/bin/python -m tests.machines.container_proof
