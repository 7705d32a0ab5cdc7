# What the scripts share that run inside a machine and print a line for each claim.
# shellcheck shell=bash
failed=0

# claim WORDS COMMAND...: say whether COMMAND worked.
claim() {
    local words=$1
    shift
    if "$@" >claimed 2>&1; then
        echo "ok      $words (at $(cut -d' ' -f1 /proc/uptime) s)"
    else
        echo "FAILED  $words: $*"
        tail -5 claimed
        # shellcheck disable=SC2034 # The scripts that call this read it.
        failed=1
    fi
}

# within SECONDS COMMAND...: try once a second until COMMAND works.
within() {
    local end=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -lt "$end" ] || return 1
        sleep 1
    done
}

not() { ! "$@"; }

# says WORDS COMMAND...: whether COMMAND prints WORDS.
says() { "${@:2}" 2>&1 | grep -F -- "$1"; }
