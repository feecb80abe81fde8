#!/bin/sh
# Installs Tapster as a service from this checkout. Run it again at any time: it only brings things up to date.
#
#   sudo sh systemd/install.sh            install or upgrade, then start
#   sudo sh systemd/install.sh --no-start put everything in place, start nothing (images, tests)
#
# TAPSTER_ROOT=/some/tree installs into that tree instead of / and starts nothing.
set -eu

say() { printf '%s\n' "$*"; }
refuse() {
  printf 'Tapster was not installed: %s\n' "$*" >&2
  exit 1
}

root=${TAPSTER_ROOT:-}
start=yes
[ -z "$root" ] || start=no
for word in "$@"; do
  case $word in
    --no-start) start=no ;;
    -h | --help)
      sed -n '2,8s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    *) refuse "\"$word\" is not an option; there is only --no-start." ;;
  esac
done

source_tree=$(cd "$(dirname "$0")/.." && pwd)

# ---- May we, and can this machine? ----
[ "$(uname -s)" = Linux ] || refuse "it needs Linux, and this is $(uname -s)."
[ -n "$root" ] || [ "$(id -u)" = 0 ] || refuse "it needs root. Try: sudo sh systemd/install.sh"
case $(uname -m) in
  aarch64 | arm64 | x86_64 | armv7l) ;;
  armv6l) refuse "this Pi (ARMv6: Pi 1, Zero, Zero W) is too old for the pin driver. A Zero 2 W or a Pi 2 or later works." ;;
  *) refuse "the processor $(uname -m) is not supported; it needs 64-bit ARM, ARMv7 or x86-64." ;;
esac
if [ -z "$root" ]; then
  [ -d /run/systemd/system ] || [ "$start" = no ] || refuse "systemd does not run here. On such a system start it by hand: npm start"
fi
command -v node > /dev/null 2>&1 || refuse "Node.js is missing. On Raspberry Pi OS 13 and Debian 13: apt-get install nodejs npm"
node -e 'const [a,b]=process.versions.node.split(".").map(Number);process.exit(a>20||(a===20&&b>=19)?0:1)' \
  || refuse "Node.js $(node --version) is too old; it needs 20.19 or later (Raspberry Pi OS 13 and Debian 13 have it)."
command -v npm > /dev/null 2>&1 || refuse "npm is missing. Install it with: apt-get install npm"

# ---- The program: built here, then copied whole, so that a running daemon never sees half of it ----
say "Building …"
(
  cd "$source_tree"
  # After an upgrade the libraries may have changed; npm leaves its own copy of the list beside what it installed.
  if [ ! -d node_modules ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    npm ci --no-audit --no-fund
  fi
  node tools/build.mjs --if-missing
)
# Built as root in somebody's checkout: give it back, or their next npm start cannot write there.
[ "$(id -u)" != 0 ] || chown -R --reference="$source_tree" "$source_tree/dist" "$source_tree/node_modules"
say "Copying to $root/opt/tapster …"
opt=$root/opt/tapster
rm -rf "$opt.new"
mkdir -p "$opt.new"
for part in dist hardware systemd node_modules package.json package-lock.json README.md LICENSE THIRD-PARTY.md CHANGELOG.md; do
  [ ! -e "$source_tree/$part" ] || cp -a "$source_tree/$part" "$opt.new/"
done
(cd "$opt.new" && npm prune --omit=dev --no-audit --no-fund > /dev/null 2>&1) || say "Note: development packages could not be pruned; they only take space."
chmod -R go-w,a+rX "$opt.new"
[ -n "$root" ] || chown -R root:root "$opt.new"
# Whoever pulls the plug from here on finds the old program or the new one, not files of no length.
sync -f "$opt.new"
rm -rf "$opt.old"
[ ! -e "$opt" ] || mv "$opt" "$opt.old"
mv "$opt.new" "$opt"
rm -rf "$opt.old"
mkdir -p "$root/usr/local/bin"
ln -sf /opt/tapster/dist/main.js "$root/usr/local/bin/tapster"

# ---- User, folders, pins, service ----
place() { # place FILE TARGET: world-readable, root's
  mkdir -p "$(dirname "$root$2")"
  install -m 0644 "$source_tree/systemd/$1" "$root$2"
}
place tapster.sysusers /usr/lib/sysusers.d/tapster.conf
place tapster.tmpfiles /usr/lib/tmpfiles.d/tapster.conf
place 60-tapster.rules /usr/lib/udev/rules.d/60-tapster.rules
place tapster.service /etc/systemd/system/tapster.service

mkdir -p "$root/etc/tapster"
if [ ! -e "$root/etc/tapster/tapster.json" ]; then
  install -m 0644 "$source_tree/hardware/profiles/two-taps.json" "$root/etc/tapster/tapster.json"
  say "Wrote $root/etc/tapster/tapster.json for two taps: look at the pins in it before you wire."
else
  say "Kept $root/etc/tapster/tapster.json as it is."
fi

if [ -n "$root" ]; then
  systemd-sysusers --root="$root" > /dev/null 2>&1 || say "Note: users will be made at the first boot of that tree."
  say "Installed into $root."
  exit 0
fi

command -v systemd-sysusers > /dev/null 2>&1 || refuse "systemd-sysusers is missing; the daemon's user cannot be made."
systemd-sysusers /usr/lib/sysusers.d/tapster.conf
systemd-tmpfiles --create /usr/lib/tmpfiles.d/tapster.conf
if command -v udevadm > /dev/null 2>&1; then
  udevadm control --reload 2> /dev/null || :
  udevadm trigger --subsystem-match=gpio --subsystem-match=w1 2> /dev/null || :
fi
[ "$start" = yes ] || {
  say "Installed, not started."
  exit 0
}

/opt/tapster/dist/main.js check || refuse "the configuration has the faults above. Mend /etc/tapster/tapster.json and run this again."
systemctl daemon-reload
systemctl enable --quiet tapster.service
# The unit and the settings are to outlive a pulled plug as well.
sync
systemctl restart tapster.service

# ---- Where is it? ----
port=$(node -e 'try{process.stdout.write(String(JSON.parse(require("fs").readFileSync("/etc/tapster/tapster.json","utf8")).http?.port??8080))}catch{process.stdout.write("8080")}')
say ""
say "Tapster is running. Open one of these on a phone or laptop in the same network:"
say "  http://$(hostname).local:$port/"
for address in $(hostname -I 2> /dev/null); do
  case $address in
    *:*) ;; # IPv6 addresses are no fun to type behind a bar
    *) say "  http://$address:$port/" ;;
  esac
done
say "What it sees of your wiring:   sudo -u tapster tapster doctor"
say "The code its set-up asks for:  sudo journalctl -u tapster | grep 'Set-up code'"
say "An account without the page:   sudo -u tapster tapster user add NAME --staff --password-stdin"
