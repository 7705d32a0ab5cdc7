#!/bin/bash
# What install.sh proves, inside the machine: one line for each claim, with its seconds.
set -euo pipefail
cd /home/maker
clone=/home/maker/table-companion
game=/proof/install-game.json
began=$SECONDS

holds() {
    echo "ok $1 ($((SECONDS - began)) s)"
    began=$SECONDS
}

no() {
    echo "NOT HELD: $*"
    cat /proof/said
    ls -l /opt/companion/versions || true
    journalctl --no-pager --lines 30 --unit companion || true
    exit 1
}

# said WORDS: the last output has them.
said() { grep -qF -- "$1" /proof/said || no "it says: $1"; }

# run COMMAND...: it works; refused COMMAND...: it does not. Both keep what is said.
run() { "$@" >/proof/said 2>&1 || no "$*"; }
refused() { ! "$@" >/proof/said 2>&1 || no "refused: $*"; }

serves() { curl -sf -o /dev/null http://localhost/table || no "the table's page is there"; }
version() { basename "$(readlink /opt/companion/current)"; }
versions() { find /opt/companion/versions -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | tr '\n' ' '; }
as_maker() { runuser -u maker -- env HOME=/home/maker "$@"; }

# Everything that an installation may touch, with what is in it and when it was written.
listing() {
    find /opt /etc /boot /usr/local /var/cache "$clone" -xdev ! -name '*.cache' \
        ! -path '/var/cache/apt*' -printf '%p %y %m %u %g %s %T@ %l\n' | sort
    find /opt /etc/companion /boot /usr/local -type f -print0 | sort -z | xargs -0 sha256sum
}

# What is there besides the games, without times: to compare before and after.
traces() {
    find /opt /etc /boot /usr/local /var/lib /var/cache -xdev \
        ! -path '/var/lib/systemd/*' ! -path '/var/lib/apt/*' ! -path '/var/cache/apt/*' \
        ! -name 'passwd*' ! -name 'group*' ! -name 'shadow*' ! -name 'gshadow*' \
        ! -name 'sub?id*' ! -path '/etc/systemd/system/companion.service.d*' \
        -printf '%p %y %m %u %g %l\n' | sort
}

# release VERSION: the maker's upstream has a new version.
release() {
    (
        cd /home/maker/upstream
        sed -i "s/^version = .*/version = \"$1\"/" pyproject.toml
        as_maker git commit -qam "$1"
    )
}

setting() { sed -i "/^#\?$1=/d" /etc/companion/companion.conf; echo "$1=$2" >>/etc/companion/companion.conf; }

useradd --create-home maker 2>/dev/null || useradd maker
chown -R maker: /home/maker
mv "$clone" /home/maker/upstream
as_maker git config --global user.name Maker
as_maker git config --global user.email maker@example.org
as_maker git -C /home/maker/upstream init -q
as_maker git -C /home/maker/upstream add .
as_maker git -C /home/maker/upstream commit -qm 'As it is'
as_maker git clone -q /home/maker/upstream "$clone"
cp /boot/firmware/config.txt /proof/config.txt
traces >/proof/before
# No vault and no camera is here. A unit may wait long for a slow Pi; here it need not.
mkdir -p /etc/systemd/system/companion.service.d /etc/companion
printf '[Service]\nTimeoutStartSec=40\n' >/etc/systemd/system/companion.service.d/proof.conf
sed -e 's/^#\?\(COMPANION_VAULT\)=.*/\1=none/' "$clone/systemd/companion.conf" >/etc/companion/companion.conf
grep -q '^COMPANION_VAULT=none' /etc/companion/companion.conf || echo COMPANION_VAULT=none >>/etc/companion/companion.conf
holds "the machine is ready"

install="$clone/systemd/install"
export PIP_NO_INDEX=1 PIP_FIND_LINKS=/bundle/table-companion/wheels
run "$install"
serves
said 'Ready: http://'
first=$(version)
# Compiled modules take half the time; the versions below do without.
export PIP_NO_COMPILE=1
holds "one command installs $first on $(. /etc/os-release; echo "$PRETTY_NAME") and it serves on port 80"

[ "$(ps -o user= -p "$(systemctl show -P MainPID companion)")" = companion ] || no "it runs as its own user"
[ "$(stat -c '%U %a' /var/lib/companion)" = 'companion 700' ] || no "the games are closed to others"
[ -z "$(find /var/lib/companion ! -user companion)" ] || no "the games are its own"
[ "$(as_maker git -C "$clone" status --porcelain)" = '' ] || no "nothing is left in the maker's clone"
/opt/companion/current/bin/python -c 'import cv2, numpy; assert numpy.__file__.startswith("/usr/lib/python3"), numpy' ||
    no "OpenCV works with the system's numpy"
holds "it runs as its own user, and OpenCV works with the system's numpy"

diff <(sed '/^# table-companion: begin/,$d' /boot/firmware/config.txt) /proof/config.txt || no "config.txt's own lines stay"
cmp /boot/firmware/config.txt.before-companion /proof/config.txt || no "the old config.txt is kept"
[ "$(tail -n 4 /boot/firmware/config.txt | tr '\n' ' ')" = '[all] gpio=17=op,dl dtparam=strict_gpiod # table-companion: end ' ] || no "config.txt"
said 'sudo reboot'
holds "config.txt holds the coil's pin low at boot, and the old file is kept"

listing >/proof/one
pid=$(systemctl show -P MainPID companion)
run "$install"
listing >/proof/two
diff /proof/one /proof/two || no "a second run changes nothing"
[ "$(systemctl show -P MainPID companion)" = "$pid" ] || no "a second run does not restart"
said 'nothing had to be changed'
holds "a second run changes nothing and says so"

refused as_maker "$install"
said 'type sudo'
refused "$install" install /nowhere
said '/nowhere'
refused "$install" upgrade
said 'got upgrade'
holds "what is no use is refused in words"

cat >/proof/settings <<'END'
# A comment
COMPANION_A=plain value
COMPANION_B="in quotes #"
COMPANION_C='in single ones'
 COMPANION_D=spaces around  
COMPANION_E=$(echo no) `no` $HOME;

COMPANION_F=
END
cp /etc/companion/companion.conf /proof/kept.conf
cp /proof/settings /etc/companion/companion.conf
systemd-run --quiet --wait --pipe -p EnvironmentFile=/proof/settings env | grep '^COMPANION_[A-F]=' | sort >/proof/theirs
ln -s /usr/bin/env /proof/env
sed 's#/opt/companion/current/bin/companion#/proof/env#' /usr/local/bin/companion >/proof/wrapper
env -i PATH="$PATH" bash /proof/wrapper | grep '^COMPANION_[A-F]=' | sort >/proof/ours
cp /proof/kept.conf /etc/companion/companion.conf
diff /proof/theirs /proof/ours || no "the command reads the settings as systemd does"
[ "$(wc -l </proof/ours)" = 6 ] || no "six settings"
holds "the command companion reads the settings file as systemd does"

chmod 700 /home/maker
refused companion games import "$game"
said 'systemctl stop companion'
run systemctl stop companion
run companion games import "$game"
run systemctl start companion
serves
run companion backup /home/maker/evening.zip
[ "$(stat -c '%U %a' /home/maker/evening.zip)" = 'root 600' ] || no "the backup is closed to others"
[ -z "$(find /var/lib/companion ! -user companion)" ] || no "root leaves no file of its own among the games"
id=$(companion games list | cut -d' ' -f1)
# What another machine made before, or else this one.
if [ ! -e /proof/evening.zip ]; then
    cp /home/maker/evening.zip /proof
    (. /etc/os-release && echo "$PRETTY_NAME") >/proof/made-on
fi
companion games export "$id" >/proof/exported
cmp /proof/exported "$game" || no "the game came in whole"
refused as_maker companion games list
said 'with sudo'
holds "a game is imported while the service is stopped, and refused while it runs; a backup is made beside it"

release 1.9.1
run "$install" update
serves
[ "$(version)" = 1.9.1-1 ] || no "1.9.1 is in use"
[ "$(versions)" = "$first 1.9.1-1 " ] || no "one older version is kept"
cmp /etc/companion/companion.conf /proof/kept.conf || no "settings stay"
holds "update pulls and serves the new version, and keeps one older"

(cd /home/maker/upstream && printf '\n# A new default.\n' >>systemd/companion.conf && as_maker git commit -qam 'New default' && as_maker git tag good)
(cd /home/maker/upstream && as_maker sed -i '/^from __future__/a raise SystemExit("broken on purpose")' serving.py && as_maker git commit -qam 'Broken')
pid=$(systemctl show -P MainPID companion)
refused "$install" update
{ [ "$(version)" = 1.9.1-1 ] && [ "$(systemctl show -P MainPID companion)" = "$pid" ]; } || no "1.9.1 goes on undisturbed"
[ "$(versions | wc -w)" = 2 ] || no "the broken version leaves nothing"
holds "a version that does not import never serves, and the one in use goes on"

never_ready() {
    as_maker git -C /home/maker/upstream checkout -q good -- serving.py
    (cd /home/maker/upstream && as_maker sed -i "s/^    logging.basicConfig.*/    $1/" serving.py && as_maker git commit -qam "$2")
    refused "$install" update
    said 'serves again'
    serves
    [ "$(version)" = 1.9.1-1 ] || no "1.9.1 is in use again"
    [ "$(versions | wc -w)" = 2 ] || no "the broken version leaves nothing"
    cmp /etc/companion/companion.conf /proof/kept.conf || no "settings stay"
}
never_ready 'raise SystemExit(3)' 'Ends at once'
holds "a version that ends at once is rolled back, and the one before serves again"
never_ready 'signal.pause()' 'Never ready'
holds "a version that is never ready is rolled back, and the one before serves again"

as_maker git -C /home/maker/upstream checkout -q good -- serving.py
release 1.9.2
run "$install" update
{ [ "$(version)" = 1.9.2-1 ] && [ "$(versions)" = '1.9.1-1 1.9.2-1 ' ]; } || no "two versions"
said "$(basename /etc/companion/companion.conf).new"
cmp /etc/companion/companion.conf /proof/kept.conf || no "settings stay"
cmp /etc/companion/companion.conf.new /opt/companion/current/systemd/companion.conf || no "new defaults beside them"
holds "settings that were changed stay, and new defaults lie beside them"

rm -r /opt/companion/versions/1.9.1-1
mkdir /opt/companion/versions/1.9.3-1
setting COMPANION_PIN_COIL 18
run "$install"
{ grep -qx 'gpio=18=op,dl' /boot/firmware/config.txt && ! grep -q 'gpio=17' /boot/firmware/config.txt; } || no "the other pin"
[ "$(grep -c 'begin' /boot/firmware/config.txt)" = 1 ] || no "one block"
[ "$(ls /opt/companion/versions)" = 1.9.2-1 ] || no "a version that was left half made is gone"
holds "another pin of the coil goes to config.txt, and what a power cut left half made goes"

run "$install" uninstall
said 'The games stay'
{ [ -e /var/lib/companion/companion.sqlite ] && [ ! -e /opt/companion ]; } || no "only the games stay"
! curl -s -o /dev/null http://localhost/table || no "nothing serves"
diff /boot/firmware/config.txt /proof/config.txt || no "config.txt is as it was"
run "$install" uninstall
run "$install"
systemctl stop companion
companion games export "$id" | cmp - "$game" || no "the games are there again"
holds "uninstalled and installed again, the games are still there"

run rm -rf /var/lib/companion
run systemctl start companion
refused companion restore /proof/evening.zip
said 'systemctl stop companion'
run systemctl stop companion
run companion restore /proof/evening.zip
said '1 game restored'
companion games export "$id" | cmp - "$game" || no "the game came back whole"
[ -z "$(find /var/lib/companion ! -user companion)" ] || no "what is restored is its own"
run systemctl start companion
serves
holds "a backup made on $(cat /proof/made-on) is restored on a machine without games, and served"

rm -rf /etc/systemd/system/companion.service.d
run "$install" uninstall --with-games
rm -f /boot/firmware/config.txt.before-companion
traces >/proof/after
diff /proof/before /proof/after || no "nothing is left"
! ls -d /run/companion* 2>/dev/null || no "nothing is left in /run"
! getent passwd companion || no "no user is left"
holds "uninstalled with games, nothing is left"

# From the bundle: no git, no network, and of Python only what every system has.
unset PIP_NO_INDEX PIP_FIND_LINKS
dpkg --force-depends --purge git python3-venv "$(basename "$(readlink /usr/bin/python3)")-venv" >/dev/null 2>&1
! python3 -c 'import ensurepip' 2>/dev/null || no "no venv package"
traces >/proof/before
mkdir /etc/companion
sed 's/^#\?\(COMPANION_VAULT\)=.*/\1=none/' /bundle/table-companion/systemd/companion.conf >/etc/companion/companion.conf
install=/bundle/table-companion/systemd/install
began=$SECONDS
run bash "$install"
said 'No camera of a Pi'
said 'Ready: http://'
serves
[[ $(version) = 1.* ]] || no "the version is the wheel's"
holds "one command installs $(version) from the bundle, without git and a network, and it serves"
listing >/proof/one
run bash "$install"
listing >/proof/two
diff /proof/one /proof/two || no "a second run from the bundle changes nothing"
holds "a second run from the bundle changes nothing"
refused bash "$install" update
said 'newer bundle'
run /opt/companion/current/systemd/install uninstall --with-games
rm -f /boot/firmware/config.txt.before-companion
traces >/proof/after
diff /proof/before /proof/after || no "nothing is left of the bundle"
holds "removed by the copy that was installed, nothing is left"
