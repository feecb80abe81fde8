#!/usr/bin/env bash
# build-card.sh PACKAGE FILE: makes the disk of a Debian 13 before its first boot, as Raspberry Pi Imager leaves a card: cloud-init
# installed, and on the boot partition the wizard's choices, packaging/first-boot/vendor-data and the package. The operating
# system is built once for each version of this script. Exits with 77 and a message when it cannot be built.
#
# Raspberry Pi OS itself cannot boot here: its kernel is for a Pi. What is the same: Debian 13, its cloud-init, where
# cloud-init looks (/boot/firmware) and the form of the files. The boot partition is a folder here; packaging/first-boot
# is tested on a real FAT partition by test/packaging/first-boot-image.test.ts.
set -euo pipefail
package=$1 disk=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${TAPSTER_KERNEL_CACHE:-$HOME/.cache/tapster-kernel}

cannot() {
  echo "$*" >&2
  exit 77
}

key=$(sed -n '/^# ---- Operating system/,/^# ---- Card/p' "$0" | sha256sum | cut -c 1-16)
system=$cache/first-boot-$key.tar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
# ---- Operating system ----
if [ ! -f "$system" ]; then
  [ "$(id -u)" = 0 ] || cannot "Building the Debian tree needs root."
  command -v mmdebstrap > /dev/null || cannot "The package mmdebstrap is missing."
  echo "Building a Debian 13 with cloud-init: one to three minutes." >&2
  nothing=$(printf -- '--dpkgopt=path-exclude=/usr/share/%s/* ' doc man locale)
  # shellcheck disable=SC2086
  mmdebstrap --quiet --variant=minbase --include=systemd-sysv,udev,cloud-init,libstdc++6 $nothing \
    --aptopt='Acquire::Languages "none"' --dpkgopt=force-unsafe-io trixie "$tree" > "$cache/first-boot.log" 2>&1 \
    || cannot "Debian 13 cannot be installed: $(tail -n 1 "$cache/first-boot.log")"
  # Where Raspberry Pi OS 13 lets cloud-init look.
  printf 'datasource_list: [NoCloud, None]\ndatasource:\n  NoCloud:\n    seedfrom: file:///boot/firmware\n' \
    > "$tree/etc/cloud/cloud.cfg.d/99_boot-partition.cfg"
  rm -rf "$tree"/etc/systemd/system/getty.target.wants
  rm -f "$tree/etc/machine-id" "$tree"/var/cache/apt/archives/*.deb
  for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer e2scrub_all.timer \
    e2scrub_reap.service systemd-pcrphase.service systemd-hwdb-update.service ldconfig.service \
    systemd-networkd-wait-online.service; do
    ln -sf /dev/null "$tree/etc/systemd/system/$unit"
  done
  rm -f "$cache"/first-boot-*.tar
  tar -C "$tree" -cf "$system.new" .
  mv "$system.new" "$system"
  rm -rf "$tree"
fi
# ---- Card ----
mkdir -p "$tree"
tar -C "$tree" -xf "$system"
boot=$tree/boot/firmware
mkdir -p "$boot" "$tree/kernel" "$tree/etc/systemd/system/multi-user.target.wants"
# What Imager's wizard writes for host name, user and time zone.
printf 'instance-id: rpi-imager-1764000000000\n' > "$boot/meta-data"
cat > "$boot/user-data" << 'END'
#cloud-config
hostname: taproom
manage_etc_hosts: true
timezone: Europe/Berlin
users:
- name: anna
  groups: users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,sudo
  shell: /bin/bash
  lock_passwd: true
  sudo: ALL=(ALL) NOPASSWD:ALL
END
printf 'network:\n  version: 2\n  ethernets: {}\n' > "$boot/network-config"
cp "$root/packaging/first-boot/vendor-data" "$boot/"
# This machine has no network, so nothing can be loaded.
sed 's/^security_updates=yes/security_updates=no/' "$root/packaging/first-boot/tapster.conf" > "$boot/tapster.conf"
echo '# As in Raspberry Pi OS' > "$boot/config.txt"
cp "$package" "$boot/"
cp "$(command -v node)" "$tree/kernel/node"
cp -r "$here"/guest/*.mjs "$here"/guest/{jobs,first-boot} "$tree/kernel/"
cp "$here"/guest/first-boot/*.service "$tree/etc/systemd/system/"
ln -s ../first-boot-jobs.service "$tree/etc/systemd/system/multi-user.target.wants/"
truncate -s 1800M "$disk"
PATH=$PATH:/sbin:/usr/sbin mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=1 -d "$tree" "$disk" >&2
