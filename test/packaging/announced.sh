#!/usr/bin/env bash
# announced.sh: what Avahi makes of the package's announcement, and of the alias tapster.local as docs/https.md sets it up. Two
# machines with an avahi-daemon each, in network namespaces that one cable connects: the bar announces, the phone looks. Nothing is
# installed; Avahi and D-Bus are unpacked. Exit code 77: not possible here.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

cannot() {
  echo "$*"
  exit 77
}

if [ "${1:-}" != --machine ]; then
  [ "$(id -u)" = 0 ] || cannot "it needs root"
  command -v ip > /dev/null || cannot "the package iproute2 is missing"
  tools=$(mktemp -d)
  trap 'rm -rf "$tools"' EXIT
  chmod 755 "$tools"
  # Not those that Debian always has.
  (cd "$tools" && apt-get download -qq avahi-daemon avahi-utils libavahi-core7 libavahi-common3 libavahi-client3 libdaemon0 \
    dbus-daemon libdbus-1-3 libexpat1 && for file in *.deb; do dpkg-deb -x "$file" .; done) > "$tools/log" 2>&1 ||
    cannot "Avahi cannot be fetched: $(tail -n 1 "$tools/log")"
  sed 's/@VERSION@/1.2.3/' "$root/packaging/avahi/tapster.service" > "$tools/tapster.service"
  sed -n "s/^ExecStart=\/bin\/sh -c '\(exec avahi-publish .*\)'$/\1/p" "$root/docs/https.md" > "$tools/alias.sh"
  [ -s "$tools/alias.sh" ] || { echo "docs/https.md has no command for the alias." && exit 1; }
  export tools
  unshare --mount --net --pid --fork --kill-child bash "$0" --machine bar
  exit
fi

# ---- In the namespaces of a machine ----
name=$2
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus /run/avahi-daemon /run/etc/services
mkdir -p /etc/avahi
mount --bind /run/etc /etc/avahi
# The users that Avahi's package would add.
for file in passwd group; do
  cp "/etc/$file" "/run/$file"
  case $file in passwd) echo 'avahi:x:64999:64999::/:/bin/false' ;; group) echo 'avahi:x:64999:' ;; esac >> "/run/$file"
  mount --bind "/run/$file" "/etc/$file"
done
export LD_LIBRARY_PATH=$tools/usr/lib/x86_64-linux-gnu:$tools/lib/x86_64-linux-gnu PATH=$tools/usr/bin:$tools/usr/sbin:$PATH
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket
cat > /run/dbus/bus.conf << 'END'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow send_type="signal"/>
    <allow receive_type="method_call"/><allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/>
  </policy>
</busconfig>
END
ip link set lo up

# until LIMIT-S COMMAND…: repeats it until it succeeds.
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@" > /run/last 2>&1; do
    [ "$SECONDS" -lt "$end" ] || { echo "not within the time: $*" && cat /run/last && return 1; }
    sleep 0.5
  done
}

start_avahi() {
  dbus-daemon --config-file=/run/dbus/bus.conf --nofork --nopidfile 2> /run/dbus/log &
  until_true 30 test -S /run/dbus/system_bus_socket
  printf '[server]\nhost-name=%s\nuse-ipv6=no\n[wide-area]\nenable-wide-area=no\n' "$1" > /etc/avahi/avahi-daemon.conf
  avahi-daemon --no-drop-root --no-chroot --no-rlimits --file /etc/avahi/avahi-daemon.conf 2> /run/avahi.log &
  until_true 60 grep -q 'Server startup complete' /run/avahi.log || { cat /run/avahi.log /run/dbus/log && return 1; }
}

if [ "$name" = bar ]; then
  unshare --mount --net bash "$0" --machine phone &
  phone=$!
  # The phone moves into its own network before it looks for its end of the cable.
  until_true 30 sh -c "[ \"\$(readlink /proc/$phone/ns/net)\" != \"\$(readlink /proc/self/ns/net)\" ]"
  ip link add wlan0 type veth peer name phone0
  ip link set phone0 netns "$phone"
  ip address add 192.168.77.1/24 brd + dev wlan0
  ip link set wlan0 up
  cp "$tools/tapster.service" /etc/avahi/services/
  start_avahi taproom
  sh "$tools/alias.sh" > /run/alias.log 2>&1 &
  wait "$phone" || { cat /run/avahi.log /run/alias.log && exit 1; }
  grep -q 'tapster.service.*successfully established' /run/avahi.log
  ! grep -i 'invalid\|failed to parse\|error' /run/avahi.log
  exit
fi

until_true 30 ip link show phone0
ip address add 192.168.77.2/24 brd + dev phone0
ip link set phone0 up
start_avahi phone
resolves() { [ "$(avahi-resolve --name "$1" -4 | cut -f 2)" = "$2" ]; }
until_true 60 resolves taproom.local 192.168.77.1
echo "taproom.local is $(avahi-resolve --name taproom.local -4 | cut -f 2)"
for service in _http._tcp:8080 _https._tcp:8443 _tapster._tcp:8080; do
  # Name, type, domain, host, address, port.
  wanted="IPv4;Tapster.032on.032taproom;${service%:*};local;taproom.local;192.168.77.1;${service#*:};"
  found() { avahi-browse --parsable --no-db-lookup --resolve --terminate "${service%:*}" | tee /dev/stderr | grep "^=;phone0;$wanted"; }
  until_true 60 found
  grep "^=;phone0;$wanted" /run/last | tail -n 1
done
found() { grep '"version=1.2.3"' /run/last | grep '"role=server"' | grep '"https_port=8443"'; }
found > /dev/null
until_true 60 resolves tapster.local 192.168.77.1
echo "tapster.local is $(avahi-resolve --name tapster.local -4 | cut -f 2)"
