#!/bin/bash
# Runs inside the machine of hotspot.sh: systemd, NetworkManager, wpa_supplicant and
# dnsmasq of Debian 12, three simulated radios, and the units as they are installed.
#
# wlan0 is the table's; wlan1 lives in a network namespace of its own as a phone, wlan2
# in another as the router of a home.
export LC_ALL=C.UTF-8 HOME=/root
cd /root || exit 1
python=/opt/companion/current/bin/python
home='Home; of "Ännä"'
secret="it's a \\secret: 42"
. "$(dirname "$0")/inside.sh"

phone() { ip netns exec phone "$@"; }
router() { ip netns exec home "$@"; }

# page WHO ADDRESS [FIELD...]: what a browser is shown; with FIELDs it sends a form.
page() {
    local who=$1 address=$2 field form=()
    shift 2
    for field; do form+=(--data-urlencode "$field"); done
    ip netns exec "$who" curl --silent --show-error --max-time 40 --location \
        --cookie "$who.jar" --cookie-jar "$who.jar" \
        --header "Origin: http://$(cut -d/ -f3 <<<"$address")" "${form[@]}" "$address"
}

# seen PATH: what a camera reads off a code that the table's own screen shows.
seen() {
    curl --silent --max-time 40 "http://localhost/$1" >code.svg
    "$python" -I -c 'from tests.web.own_wifi import read_code
print(read_code(open("code.svg", "rb").read()))'
}

in_journal() {
    local one
    for one; do journalctl -b | grep -qF -- "$one" && return 0; done
    return 1
}
has_process() { [ "$(ip netns pids "$1")" ]; }
phone_has_address() { ip -n phone -4 -o addr show wlan1 | grep -q ' 10\.42\.0\.'; }
has_address() { ip -4 -o addr show "$1" | grep -q " $2"; }
outcome_is() { grep -qF "\"$1\"" /run/companion-hotspot/attempt.json; }

installed() {
    modprobe mac80211_hwsim radios=3
    mkdir -p /opt/companion /etc/NetworkManager/dnsmasq-shared.d /etc/netns/phone
    python3 -m venv --without-pip /opt/companion/current
    printf '%s\n' /srv/companion /srv/companion/.venv/lib/python3.11/site-packages \
        >/opt/companion/current/lib/python3.11/site-packages/project.pth
    useradd --system companion
    cp /srv/companion/systemd/companion-{hotspot,join-wifi}.* /etc/systemd/system/
    cp /srv/companion/systemd/companion-dnsmasq.conf \
        /etc/NetworkManager/dnsmasq-shared.d/companion.conf
    systemctl daemon-reload
}

other_radios() {
    local one
    for one in phone:phy1 home:phy2; do
        ip netns add "${one%:*}"
        ip netns exec "${one%:*}" sleep infinity &
        within 20 has_process "${one%:*}"
        iw phy "${one#*:}" set netns name "${one%:*}"
        ip -n "${one%:*}" link set lo up
    done
    printf 'network={\nssid=%s\nmode=2\nfrequency=2437\nkey_mgmt=WPA-PSK\nproto=RSN\n' \
        "$(printf %s "$home" | od -An -tx1 | tr -d ' \n')" >home.conf
    printf 'pairwise=CCMP\npsk="%s"\n}\n' "$secret" >>home.conf
    router wpa_supplicant -B -i wlan2 -c home.conf
    router ip addr add 192.168.7.1/24 dev wlan2
    router dnsmasq --conf-file=/dev/null --interface=wlan2 --port=0 \
        --dhcp-range=192.168.7.50,192.168.7.60
}

# As companion.service runs it, with what the panel needs of it here.
serving() {
    systemd-run --quiet --unit=companion --uid=companion \
        -p RuntimeDirectory=companion -p RuntimeDirectoryMode=0700 \
        -p StateDirectory=companion -p StateDirectoryMode=0700 \
        -p AmbientCapabilities=CAP_NET_BIND_SERVICE \
        -p CapabilityBoundingSet=CAP_NET_BIND_SERVICE \
        "$python" -I -m cli serve --no-vault --port 80 --data /var/lib/companion
    within 120 says 'Ctrl-C ends it' journalctl -u companion -o cat
}

joins_by_code() {
    local said name password
    said=$(seen wifi.svg)
    echo "$said"
    name=$(sed -n 's/^WIFI:T:WPA;S:\([^;]*\);P:\([^;]*\);;$/\1/p' <<<"$said")
    password=$(sed -n 's/^WIFI:T:WPA;S:\([^;]*\);P:\([^;]*\);;$/\2/p' <<<"$said")
    printf 'network={\nssid="%s"\npsk="%s"\n}\n' "$name" "$password" >phone.conf
    phone wpa_supplicant -B -i wlan1 -c phone.conf
    cat >lease <<'END'
#!/bin/busybox sh
[ "$1" != bound ] || {
    ip addr add $ip/24 dev $interface
    ip route add default via $router
    echo nameserver $dns >/etc/netns/phone/resolv.conf
}
END
    chmod +x lease
    phone busybox udhcpc -i wlan1 -n -t 30 -s "$PWD/lease"
}

by_its_name() {
    phone "$python" -I -c 'import zeroconf
one = zeroconf.AddressResolverIPv4("vault-table.local.")
with zeroconf.Zeroconf(["'"$1"'"]) as network:
    assert one.request(network, 10_000), "nobody answers"
print(one.parsed_addresses()); assert one.parsed_addresses() == ["10.42.0.1"]'
}

becomes_host() {
    local code
    code=$(journalctl -u companion -o cat | sed -n 's/.*type \([0-9 ]*\) there.*/\1/p')
    page phone http://10.42.0.1/start >/dev/null
    says 'Open a game' page phone http://10.42.0.1/start "code=$code"
}

asked_to_join() {
    page phone http://10.42.0.1/wifi "seen=$home" "password=$1" >leaving.html
    code=$(sed -n 's/.*aria-label="Code \([0-9]*\)".*/\1/p' leaving.html)
    [ "$code" ] && not says "$1" cat leaving.html
}

host_again() {
    local address
    address=http://$(ip -4 -o addr show wlan0 | sed 's/.*inet \([0-9.]*\).*/\1/')
    says 'waits for its host' page home "$address/" &&
        says 'Open a game' page home "$address/start" "code=$code"
}

proof() {
    claim 'the machine is set up' installed
    claim 'a phone and a home are there' other_radios
    claim 'the table starts without any network' serving
    claim 'and says so' says 'no network yet' journalctl -u companion -o cat
    systemctl start companion-join-wifi.path
    claim 'the hotspot comes up' systemctl start companion-hotspot.service
    journalctl -u companion-hotspot -o cat --no-pager | grep hotspot
    claim 'at its address' has_address wlan0 10.42.0.1
    claim 'the panel may read what phones need' runuser -u companion cat /run/companion-hotspot/wifi.json
    claim 'and nobody else may' not runuser -u nobody cat /run/companion-hotspot/wifi.json
    claim 'a phone joins by the code on the screen' joins_by_code
    claim 'and gets an address' phone_has_address
    claim 'the other code leads to the table' test "$(seen join.svg)" = http://10.42.0.1/
    claim 'which answers the phone' says 'The digits' page phone http://10.42.0.1/
    claim 'its name leads there' by_its_name "$(ip -n phone -4 -o addr show wlan1 | sed 's/.*inet \([0-9.]*\).*/\1/')"
    claim 'an iPhone is told to stay' says Success page phone http://captive.apple.com/hotspot-detect.html
    claim 'a Kindle is told to stay' says 81ce4465 page phone http://spectrum.s3.amazonaws.com/kindle-wifi/wifistub.html
    claim 'an Android phone is told to stay' test "$(phone curl -s -o /dev/null -w '%{http_code}' http://connectivitycheck.gstatic.com/generate_204)" = 204
    claim 'Windows is told to stay' says 'Microsoft Connect Test' page phone http://www.msftconnecttest.com/connecttest.txt
    claim 'Firefox is told to stay' says success page phone http://detectportal.firefox.com/success.txt
    claim 'no other name leads there' not phone curl -s --max-time 10 http://example.org/
    claim 'the phone becomes the host' becomes_host
    claim 'and is offered the network in sight' says 'Home; of' page phone http://10.42.0.1/wifi

    claim 'a wrong password is sent' asked_to_join 'no such password'
    claim 'the table finds out' within 200 outcome_is wrong_password
    claim 'its own Wi-Fi is back' within 30 has_address wlan0 10.42.0.1
    claim 'and the phone is told why' within 60 says 'The password is not' page phone http://10.42.0.1/wifi
    claim 'nothing is left of it' not ls /etc/NetworkManager/system-connections/companion-*

    claim 'the right password is sent' asked_to_join "$secret"
    claim 'the table is at home' within 120 has_address wlan0 192.168.7.
    claim 'its own Wi-Fi is forgotten' within 30 not test -e /run/companion-hotspot/wifi.json
    claim 'only root reads the profile' test "$(stat -c %a%u /etc/NetworkManager/system-connections/companion-*)" = 6000
    claim 'the phone is the host there' within 40 host_again
    claim 'no password is in the journal' not in_journal "$secret" 'no such password' "$(sed -n 's/^psk="\(.*\)"/\1/p' phone.conf)"

    systemctl restart companion-hotspot.service
    claim 'where a network is known there is no hotspot' says 'no hotspot: wlan0 is connected' journalctl -u companion-hotspot -o cat
}

finish() {
    echo "$failed" >/mnt/code
    sync
    systemctl poweroff -ff
}
trap finish EXIT

proof
[ $failed = 0 ] || journalctl -b --no-pager -u NetworkManager -u wpa_supplicant \
    -u companion -u companion-hotspot -u companion-join-wifi | tail -80
