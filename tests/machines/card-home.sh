# Runs inside the machine of card.sh: a home's router on the second radio, in a network
# namespace of its own. Before NetworkManager, which would take the radio.
# shellcheck shell=bash
set -euo pipefail
ip netns add home
ip netns exec home sleep infinity &
until [ "$(ip netns pids home)" ]; do sleep 0.2; done
iw phy phy1 set netns name home
ip -n home link set lo up
[ "$(cat /mnt/out/stage)" != alone ] || exit 0 # Nobody is at home.
{
    printf 'network={\nssid=%s\nmode=2\nfrequency=2437\nkey_mgmt=WPA-PSK\nproto=RSN\n' \
        "$(od -An -tx1 /mnt/out/name | tr -d ' \n')"
    printf 'pairwise=CCMP\npsk="%s"\n}\n' "$(cat /mnt/out/password)"
} >/run/home.conf
ip netns exec home wpa_supplicant -B -i wlan1 -c /run/home.conf
ip -n home addr add 192.168.7.1/24 dev wlan1
ip netns exec home dnsmasq --conf-file=/dev/null --interface=wlan1 --port=0 \
    --dhcp-range=192.168.7.50,192.168.7.60
