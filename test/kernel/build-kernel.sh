#!/usr/bin/env bash
# Builds the guest's kernel from Debian's source, once for each kernel.config and source version,
# and prints the path of the image. Takes about eight minutes on two cores; later runs use the cached image.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${TAPSTER_KERNEL_CACHE:-$HOME/.cache/tapster-kernel}
tarball=/usr/src/linux-source-6.1.tar.xz

version=$(dpkg-query -W -f '${Version}' linux-source-6.1 2>/dev/null || stat -c %s "$tarball")
key=$( (cat "$here/kernel.config"; echo "$version") | sha256sum | cut -c 1-16)
image=$cache/bzImage-$key

if [ ! -f "$image" ]; then
  tree=$cache/build-$key
  echo "Building Linux 6.1 ($version) in $tree: about eight minutes." >&2
  rm -rf "$tree"
  mkdir -p "$tree"
  tar -xf "$tarball" -C "$tree" --strip-components=1
  make -s -C "$tree" KCONFIG_ALLCONFIG="$here/kernel.config" allnoconfig >&2
  # An option with missing prerequisites is dropped silently, so check that the whole fragment is included.
  missing=$(sed -n 's/^\(CONFIG_[A-Z0-9_]*=y\)$/\1/p' "$here/kernel.config" | grep -vxFf "$tree/.config" || true)
  if [ -n "$missing" ]; then
    echo "The kernel configuration lost: $missing" >&2
    exit 1
  fi
  nice -n 5 make -s -C "$tree" -j"$(nproc)" bzImage >&2
  cp "$tree/arch/x86/boot/bzImage" "$image.new"
  mv "$image.new" "$image"
  rm -rf "$tree"
fi
echo "$image"
