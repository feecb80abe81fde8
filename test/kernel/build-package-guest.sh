#!/usr/bin/env bash
# build-package-guest.sh: builds the disk of a bare Debian 13 for the package, once for each version of this script and of the
# guest's files, and prints its path. It has systemd and what the package depends on, and no Node.js: the jobs run with the
# pinned one in /kernel/bin. Exits with 77 and a message when it cannot be built.
#
# build-package-guest.sh --jobs FOLDER FILE: packs its second disk, the jobs and the packages in FOLDER.
#
# TAPSTER_KERNEL_ARCH: amd64 (default), or arm64, whose maintainer scripts run by binfmt_misc and qemu-user-static.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${TAPSTER_KERNEL_CACHE:-$HOME/.cache/tapster-kernel}
architecture=${TAPSTER_KERNEL_ARCH:-amd64}

cannot() {
  echo "$*" >&2
  exit 77
}

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"

if [ "${1:-}" = --jobs ]; then
  mkdir -p "$tree/kernel/packages"
  cp -r "$here"/guest/*.mjs "$here"/guest/{jobs,service} "$tree/kernel/"
  cp "$2"/*_"$architecture".deb "$tree/kernel/packages/"
  chmod -R a+rX "$tree"
  tar -C "$tree" --owner=0 --group=0 -cf "$3" kernel
  exit
fi

key=$(cat "$here/build-package-guest.sh" "$root/packaging/pins.json" "$here"/guest/{chips.sh,toggler.c} \
  "$here"/guest/service/*.{service,sh} | sha256sum | cut -c 1-16)
disk=$cache/package-$architecture-$key.img
if [ ! -f "$disk" ]; then
  [ "$(id -u)" = 0 ] || cannot "Building the Debian tree needs root."
  command -v mmdebstrap > /dev/null || cannot "The package mmdebstrap is missing."
  compiler=gcc
  if [ "$architecture" = arm64 ]; then
    compiler=aarch64-linux-gnu-gcc
    interpreter=/proc/sys/fs/binfmt_misc/qemu-aarch64
    [ -e /proc/sys/fs/binfmt_misc/status ] || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc || true
    [ -e $interpreter ] || update-binfmts --enable qemu-aarch64 || true
    [ -e $interpreter ] || cannot "Programs for arm64 cannot be started here: binfmt_misc is missing."
  fi
  echo "Building a bare Debian 13 for the package: one to three minutes, for arm64 about five." >&2
  nothing=$(printf -- '--dpkgopt=path-exclude=/usr/share/%s/* ' doc man locale)
  # shellcheck disable=SC2086
  mmdebstrap --quiet --architectures="$architecture" --variant=minbase --include=systemd-sysv,udev,libstdc++6 $nothing \
    --aptopt='Acquire::Languages "none"' --dpkgopt=force-unsafe-io trixie "$tree" > "$cache/package.log" 2>&1 \
    || cannot "Debian 13 cannot be installed: $(tail -n 1 "$cache/package.log")"
  mkdir -p "$tree/kernel/bin"
  node=$(cd "$root" && node -e '
    import("./packaging/pinned.mjs").then(({ fetchPinned, nodePin }) => console.log(fetchPinned(nodePin(process.argv[1]))))' "$architecture")
  tar -xzf "$node" -C "$tree/kernel" --strip-components=1 package/bin/node
  # The jobs read the database with the library of the package.
  ln -s var/lib/tapster-releases/current "$tree/tapster"
  "$compiler" -O2 -static -Wall -o "$tree/kernel/toggler" "$here/guest/toggler.c"
  cp "$here/guest/chips.sh" "$here"/guest/service/*.sh "$tree/kernel/"
  cp "$here"/guest/service/*.service "$tree/etc/systemd/system/"
  mkdir -p "$tree"/etc/systemd/system/{multi-user,sysinit}.target.wants
  ln -s ../kernel-jobs.service "$tree/etc/systemd/system/multi-user.target.wants/"
  ln -s ../chips.service "$tree/etc/systemd/system/sysinit.target.wants/"
  rm -rf "$tree"/etc/systemd/system/getty.target.wants
  # A machine-id avoids the first-boot set-up.
  echo 0123456789abcdef0123456789abcdef > "$tree/etc/machine-id"
  for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer e2scrub_all.timer \
    e2scrub_reap.service systemd-pcrphase.service systemd-hwdb-update.service ldconfig.service; do
    ln -sf /dev/null "$tree/etc/systemd/system/$unit"
  done
  echo bar > "$tree/etc/hostname"
  echo '127.0.0.1 localhost bar' > "$tree/etc/hosts"
  rm -f "$cache/package-$architecture"-*.img
  truncate -s 2G "$disk.new"
  PATH=$PATH:/sbin:/usr/sbin mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=1 -d "$tree" "$disk.new" >&2
  mv "$disk.new" "$disk"
fi
echo "$disk"
