#!/usr/bin/env bash
# build-guest.sh FILE: builds the guest's file system from two cpio archives, which Linux accepts one after
# the other: the base (busybox, node, production packages, the C programs) is cached; the product (dist/,
# the texts, the jobs) is packed each time.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
dist=${TAPSTER_KERNEL_DIST:-$root/dist}
cache=${TAPSTER_KERNEL_CACHE:-$HOME/.cache/tapster-kernel}
guest=${1:?the file to write}
. "$here/packages.sh"
mkdir -p "$cache"

key=$( (state_of_packages; cat "$here/build-guest.sh" "$here"/guest/{init,chips.sh,*.c}) | sha256sum | cut -c 1-16)
base=$cache/base-$key.cpio

# pack FOLDER FILE
pack() { (cd "$1" && find . | cpio -o -H newc --quiet) > "$2.new" && mv "$2.new" "$2"; }

# add_program FOLDER PROGRAM: copies a program with the libraries it is linked to.
add_program() {
  cp -L "$2" "$1/usr/bin/"
  { ldd "$2" 2>/dev/null || true; } | grep -o '/[^ )]*' | sort -u | while read -r library; do
    mkdir -p "$1$(dirname "$library")"
    cp -L "$library" "$1$library"
  done
}

if [ ! -f "$base" ]; then
  echo "Packing the guest's base system." >&2
  tree=$(mktemp -d)
  trap 'rm -rf "$tree"' EXIT
  mkdir -p "$tree"/{bin,sbin,usr/bin,usr/sbin,proc,sys,dev,run,tmp,mnt,root,etc,kernel,tapster}
  cp /bin/busybox "$tree/bin/busybox"
  "$tree/bin/busybox" --list | while read -r applet; do
    [ -e "$tree/bin/$applet" ] || ln -s busybox "$tree/bin/$applet"
  done
  echo 'root:x:0:0:root:/root:/bin/sh' > "$tree/etc/passwd"
  echo '127.0.0.1 localhost' > "$tree/etc/hosts"
  add_program "$tree" "$(command -v node)"
  # The lock of the database. Debian has it in util-linux, which every system has; busybox may lack it.
  add_program "$tree" "$(command -v flock)"
  for program in toggler holder player; do
    gcc -O2 -static -Wall -o "$tree/kernel/$program" "$here/guest/$program.c"
  done
  copy_packages "$tree/tapster"
  cp "$here/guest/init" "$tree/init"
  cp "$here/guest/chips.sh" "$tree/kernel/"
  rm -f "$cache"/base-*.cpio
  pack "$tree" "$base"
fi

product=$(mktemp -d)
trap 'rm -rf "${tree:-}" "$product"' EXIT
mkdir -p "$product/tapster" "$product/kernel"
cp -a "$dist" "$product/tapster/dist"
cp "$root/package.json" "$product/tapster/"
cp -a "$root/locales" "$product/tapster/locales"
[ ! -d "$root/hardware" ] || cp -a "$root/hardware" "$product/tapster/hardware"
cp -a "$here"/guest/*.mjs "$here"/guest/*.cjs "$here"/guest/{jobs,cuts} "$product/kernel/"
pack "$product" "$guest.product"
cat "$base" "$guest.product" > "$guest"
rm -f "$guest.product"
