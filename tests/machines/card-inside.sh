# Runs inside the machine of card.sh, and looks on: a line for each claim.
# shellcheck shell=bash
cd /root || exit 1
export HOME=/root
out=/mnt/out
stage=$(cat $out/stage)
told=/boot/firmware/table-companion.txt
. "$(dirname "$0")/inside.sh"

finish() {
    [ $failed = 0 ] || journalctl -b --no-pager -u 'card-*' -u 'cloud-init*' -u companion \
        -u companion-hotspot -u NetworkManager | tail -120
    echo $failed >$out/code
    sync
}
exec >$out/log 2>&1
trap finish EXIT

is_told() { [ -e /run/issue.d/table-companion.issue ] && systemctl is-active card-tell | grep -qx inactive; }
# page WHO ADDRESS [FIELD...]: what the home's phone is shown, and at last where that is.
page() {
    local who=$1 address=$2 field form=()
    shift 2
    for field; do form+=(--data-urlencode "$field"); done
    ip netns exec home curl --silent --show-error --max-time 90 --location \
        --write-out '\n%{url_effective}\n' \
        --cookie "$who.jar" --cookie-jar "$who.jar" \
        --header "Origin: http://$(cut -d/ -f3 <<<"$address")" "${form[@]}" "$address"
}
field() { sed -n "s/.*name=\"$1\" value=\"\([^\"]*\)\".*/\1/p" "$2" | head -n 1; }

takes_a_seat() {
    local game
    page anna "$address/games" >games
    page anna "$address/games" edition=classic name=Saturday leads=no play=yes \
        "command_id=$(field command_id games)" >joined
    game=$(tail -n 1 joined)
    page anna "$game" name=Anna "colour=$(field proposed-colour joined)" \
        "token=$(field proposed-token joined)" "command_id=$(field command_id joined)" >seat
    tail -n 1 seat | grep -x "${game%join}" && grep -F '<title>Anna' seat
}

listing() {
    find /opt /etc/companion /etc/systemd/system /etc/NetworkManager /usr/local -xdev -type f \
        ! -name '*.cache' -printf '%p %m %u %g %s %T@\n' | sort
    find /boot/firmware -type f ! -name 'table-companion.txt' -print0 | sort -z | xargs -0 cksum
}

case $stage in
cut-off | installs)
    # It ends by starting anew, which is the end of this machine.
    echo "ok      it is switched on, and nothing is installed yet"
    [ "$stage" = cut-off ] || echo 0 >$out/code
    sync
    trap - EXIT
    exec sleep infinity
    ;;
esac

claim 'it says how it went' within 1500 is_told
cat $told

case $stage in
plays)
    address=http://$(ip -4 -o addr show wlan0 | sed 's/.*inet \([0-9.]*\).*/\1/')
    claim 'the first page is served' says 'The digits' page anna "$address/"
    code=$(journalctl -u companion -b -o cat | sed -n 's/.*type \([0-9 ]*\) there.*/\1/p' | tail -1)
    page anna "$address/start" >/dev/null
    claim 'the first phone opens it' says 'Open a game' page anna "$address/start" "code=$code"
    claim 'and takes a seat in a game' takes_a_seat
    claim 'the doctor knows how it was set up' says 'from a card' companion doctor --data /var/lib/companion
    claim 'no password is in the journal' not says "$(cat $out/password)" journalctl -b
    claim 'nor with cloud-init' not grep -rqaF "$(cat $out/password)" /var/lib/cloud /var/log /run/cloud-init
    claim 'only root reads what NetworkManager keeps' test "$(stat -c %a%u /etc/NetworkManager/system-connections/companion-*)" = 6000
    listing >/var/tmp/listing
    ;;
again)
    listing >listed
    claim 'another start changes nothing' diff /var/tmp/listing listed
    ;;
wrong) claim 'it is at home still' says 'Phones go to http://192.168.7.' cat $told ;;
alone)
    claim 'its own Wi-Fi is there' says 'The table has a Wi-Fi of its own: vault-table' cat $told
    claim 'and its phones are offered a seat' says 'Take a seat' curl -sL --max-time 90 http://10.42.0.1/
    ;;
esac
finish
trap - EXIT
systemctl poweroff
