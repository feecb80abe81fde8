#!/usr/bin/env bash
# Builds the disk of a bare Debian 13, once for each version of this script and of the production packages,
# and prints its path: systemd, udev and Debian's own Node.js, this machine's npm, and in /home/pi/tapster the
# libraries of a checkout after `npm ci` (the guest has no network). Takes one to three minutes, of which the
# download is a few seconds. Exits with 77 and a message when it cannot be built.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${TAPSTER_KERNEL_CACHE:-$HOME/.cache/tapster-kernel}
. "$here/packages.sh"

cannot() {
  echo "$*" >&2
  exit 77
}

key=$( (state_of_packages; cat "$here/build-debian.sh" "$here"/guest/{chips.sh,toggler.c} "$here"/guest/service/*.{service,sh}
  ) | sha256sum | cut -c 1-16)
disk=$cache/debian-$key.img
if [ ! -f "$disk" ]; then
  [ "$(id -u)" = 0 ] || cannot "Building the Debian tree needs root."
  command -v mmdebstrap > /dev/null || cannot "The package mmdebstrap is missing."
  echo "Building a bare Debian 13: one to three minutes." >&2
  tree=$(mktemp -d)
  trap 'rm -rf "$tree"' EXIT
  chmod 755 "$tree"
  nothing=$(printf -- '--dpkgopt=path-exclude=/usr/share/%s/* ' doc man locale)
  # shellcheck disable=SC2086
  mmdebstrap --quiet --variant=minbase --include=systemd-sysv,udev,nodejs $nothing \
    --aptopt='Acquire::Languages "none"' --dpkgopt=force-unsafe-io trixie "$tree" > "$cache/debian.log" 2>&1 \
    || cannot "Debian 13 cannot be installed: $(tail -n 1 "$cache/debian.log")"

  npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  mkdir -p "$tree/usr/local/lib/node_modules" "$tree/kernel" "$tree/home/pi/tapster"
  cp -a "$npm" "$tree/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$tree/usr/local/bin/npm"
  copy_packages "$tree/home/pi/tapster"
  # Without the links in .bin npm treats the packages as changed and would download them again.
  cp -a "$root/node_modules/.bin" "$tree/home/pi/tapster/node_modules/"
  find "$tree/home/pi/tapster/node_modules/.bin" -xtype l -delete
  # The jobs expect the program in /tapster.
  ln -s home/pi/tapster "$tree/tapster"
  gcc -O2 -static -Wall -o "$tree/kernel/toggler" "$here/guest/toggler.c"
  cp "$here/guest/chips.sh" "$here"/guest/service/*.sh "$tree/kernel/"
  cp "$here"/guest/service/*.service "$tree/etc/systemd/system/"
  mkdir -p "$tree/etc/systemd/system/multi-user.target.wants"
  ln -s ../kernel-jobs.service "$tree/etc/systemd/system/multi-user.target.wants/"
  mkdir -p "$tree/etc/systemd/system/sysinit.target.wants"
  ln -s ../chips.service "$tree/etc/systemd/system/sysinit.target.wants/"
  # No logins are needed, and a machine-id avoids the first-boot set-up.
  rm -rf "$tree"/etc/systemd/system/getty.target.wants
  echo 0123456789abcdef0123456789abcdef > "$tree/etc/machine-id"
  for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer e2scrub_all.timer \
    e2scrub_reap.service systemd-pcrphase.service systemd-hwdb-update.service ldconfig.service; do
    ln -sf /dev/null "$tree/etc/systemd/system/$unit"
  done
  echo bar > "$tree/etc/hostname"
  echo '127.0.0.1 localhost bar' > "$tree/etc/hosts"

  rm -f "$cache"/debian-*.img
  truncate -s 1500M "$disk.new"
  PATH=$PATH:/sbin:/usr/sbin mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=1 -d "$tree" "$disk.new" >&2
  mv "$disk.new" "$disk"
fi
echo "$disk"
