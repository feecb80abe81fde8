#!/bin/sh
# Installs Tapster as a service from this checkout. It may be run again at any time to upgrade.
#
#   sudo sh systemd/install.sh            install or upgrade, then start
#   sudo sh systemd/install.sh --no-start install without starting the service (images, tests)
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

# ---- Check permissions and machine ----
[ "$(uname -s)" = Linux ] || refuse "it needs Linux, and this is $(uname -s)."
[ -n "$root" ] || [ "$(id -u)" = 0 ] || refuse "it needs root. Try: sudo sh systemd/install.sh"
case $(uname -m) in
  aarch64 | arm64 | x86_64 | armv7l) ;;
  armv6l) refuse "this Pi (ARMv6: Pi 1, Zero, Zero W) is too old for the pin driver. A Zero 2 W or a Pi 2 or later works." ;;
  *) refuse "the processor $(uname -m) is not supported; it needs 64-bit ARM, ARMv7 or x86-64." ;;
esac
if [ -z "$root" ] && dpkg-query -W -f '${Status}' tapster 2> /dev/null | grep -q 'ok installed'; then
  refuse "the package tapster is installed. Upgrade that, or remove it first: sudo apt remove tapster"
fi
# Not uname: a 32-bit system on a Pi 4 or 5 has a 64-bit kernel.
case $(dpkg --print-architecture 2> /dev/null || :) in
  armhf | armel) say "Note: this system is 32-bit: Tapster runs from a checkout here, with Node.js 20 or 22, and has no package; 64-bit Raspberry Pi OS (Pi 3, 4, 5, Zero 2 W) has one." ;;
esac
if [ -z "$root" ]; then
  [ -d /run/systemd/system ] || [ "$start" = no ] || refuse "systemd is not running. On such a system start it manually: npm start"
fi
command -v node > /dev/null 2>&1 || refuse "Node.js is missing. On Raspberry Pi OS 13 and Debian 13: apt-get install nodejs npm"
node -e 'const [a,b]=process.versions.node.split(".").map(Number);process.exit(a>20||(a===20&&b>=19)?0:1)' \
  || refuse "Node.js $(node --version) is too old; it needs 20.19 or later (Raspberry Pi OS 13 and Debian 13 have it)."
command -v npm > /dev/null 2>&1 || refuse "npm is missing. Install it with: apt-get install npm"

# ---- Build the program and copy it completely, so that a running daemon never sees a partial copy ----
opt=$root/opt/tapster
# An earlier run was interrupted by a power cut between the two renames.
[ -e "$opt" ] || [ ! -e "$opt.old" ] || mv "$opt.old" "$opt"
say "Building …"
(
  cd "$source_tree"
  # After an upgrade the libraries may have changed; npm stores its copy of the lock file in node_modules.
  if [ ! -s node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    npm ci --no-audit --no-fund
    sync -f .
  fi
  node tools/build.mjs --if-missing daemon page
)
# Built as root in a user's checkout: restore the owner, so that the user's next npm start can write there.
[ "$(id -u)" != 0 ] || chown -R --reference="$source_tree" "$source_tree/dist" "$source_tree/node_modules"
say "Copying to $opt …"
rm -rf "$opt.new" "$opt.old"
mkdir -p "$root/opt"
# Keep 64 MiB of the card free for the database.
needed=$(du -sk "$source_tree/dist" "$source_tree/node_modules" | awk '{ sum += $1 } END { print sum + 65536 }')
free=$(df -Pk "$root/opt" | awk 'NR == 2 { print $4 }')
[ "$free" -gt "$needed" ] || refuse "$root/opt has $((free / 1024)) MiB free and $((needed / 1024)) are needed. Free some space and run this again."
# An incomplete copy must not fill the card.
trap 'rm -rf "$opt.new"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$opt.new"
for part in dist docs hardware locales systemd node_modules package.json package-lock.json README.md LICENSE THIRD-PARTY.md CHANGELOG.md; do
  [ ! -e "$source_tree/$part" ] || cp -a "$source_tree/$part" "$opt.new/"
done
(cd "$opt.new" && npm prune --omit=dev --no-audit --no-fund > /dev/null 2>&1) || say "Note: development packages could not be pruned; they only take space."
chmod -R go-w,a+rX "$opt.new"
[ -n "$root" ] || chown -R root:root "$opt.new"

# ---- Check that the copy is complete and accepts the present settings. Until then the old program is not touched ----
empty=$(find "$opt.new/dist" -type f -size 0 ! -name '.built-*' | head -n 1)
[ -z "$empty" ] || refuse "the build is damaged. Remove $source_tree/dist and run this again."
# Detect a truncated library, or one for another Node.js version, now and not at the next boot.
(cd "$opt.new" && node --input-type=module -e '
  import { readFileSync } from "node:fs";
  const names = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).dependencies);
  // Another library needs it to be loaded before.
  if (names.includes("reflect-metadata")) await import("reflect-metadata");
  for (const name of names) {
    const library = await import(name);
    if (name === "better-sqlite3") new library.default(":memory:").close();
  }') || refuse "a library does not load (see above). Remove $source_tree/node_modules and run this again."
settings=$root/etc/tapster/tapster.json
first_settings=$source_tree/hardware/profiles/two-taps.json
if [ -e "$settings" ]; then
  node "$opt.new/dist/main.js" check --config "$settings" \
    || refuse "the settings have the errors above. Correct $settings and run this again; the installed program is unchanged."
else
  node "$opt.new/dist/main.js" check --config "$first_settings" > /dev/null || refuse "it does not start (see above)."
fi

# After a power cut from here on there is the old or the new program, but no empty files.
sync -f "$opt.new"
if [ ! -e "$opt" ]; then
  mv "$opt.new" "$opt"
elif mv -T --exchange "$opt.new" "$opt" 2> /dev/null; then # atomic, with coreutils 9.5 and later
  mv "$opt.new" "$opt.old"
else
  mv "$opt" "$opt.old"
  mv "$opt.new" "$opt"
fi
mkdir -p "$root/usr/local/bin"
ln -sfn /opt/tapster/dist/main.js "$root/usr/local/bin/tapster"

# ---- User, folders, pins, service ----
# place FILE TARGET: world-readable, owned by root; synced to disk before it gets its name, since systemd treats an empty
# unit file as masked.
place() {
  ! cmp -s "$source_tree/$1" "$root$2" || return 0
  mkdir -p "$(dirname "$root$2")"
  install -m 0644 "$source_tree/$1" "$root$2.new"
  sync "$root$2.new"
  mv "$root$2.new" "$root$2"
}
place systemd/tapster.sysusers /usr/lib/sysusers.d/tapster.conf
place systemd/tapster.tmpfiles /usr/lib/tmpfiles.d/tapster.conf
place systemd/60-tapster.rules /usr/lib/udev/rules.d/60-tapster.rules
place systemd/tapster.service /etc/systemd/system/tapster.service

if [ ! -e "$settings" ]; then
  place hardware/profiles/two-taps.json /etc/tapster/tapster.json
  say "Wrote $settings for two taps: check its pins before you connect anything."
else
  say "Kept $settings as it is."
fi

if [ -n "$root" ]; then
  systemd-sysusers --root="$root" > /dev/null 2>&1 || say "Note: users will be created at the first boot of that tree."
  rm -rf "$opt.old"
  say "Installed into $root."
  exit 0
fi

command -v systemd-sysusers > /dev/null 2>&1 || refuse "systemd-sysusers is missing; the daemon's user cannot be created."
systemd-sysusers /usr/lib/sysusers.d/tapster.conf
systemd-tmpfiles --create /usr/lib/tmpfiles.d/tapster.conf
if command -v udevadm > /dev/null 2>&1; then
  udevadm control --reload 2> /dev/null || :
  udevadm trigger --subsystem-match=gpio --subsystem-match=w1 2> /dev/null || :
fi
[ "$start" = yes ] || {
  sync
  rm -rf "$opt.old"
  say "Installed, not started."
  exit 0
}

systemctl daemon-reload
systemctl enable --quiet tapster.service
# The unit and the settings must survive a power cut as well.
sync
systemctl restart tapster.service || {
  printf 'Tapster is installed but does not start. Its log shows the cause: sudo journalctl -u tapster -n 50\n' >&2
  [ ! -e "$opt.old" ] || printf 'The previous program is kept in %s.\n' "$opt.old" >&2
  exit 1
}
rm -rf "$opt.old"

# ---- Show health, addresses and, while the set-up is open, the code in force: as the daemon itself knows them ----
say ""
say "Tapster is running."
node "$opt/dist/main.js" status --wait 60 || say "Something does not work yet (see above)."
say "Check the wiring:              sudo -u tapster tapster doctor"
say "Show this again:               sudo tapster status"
say "Add an account by command:     sudo -u tapster tapster user add NAME --staff --password-stdin"
