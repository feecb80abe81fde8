#!/usr/bin/env bash
# build-kernel.sh [amd64|arm64]: builds the guest's kernel from Debian's source, once for each configuration and source version,
# and prints the path of the image. Takes about eight minutes on two cores; later runs use the cached image.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${TAPSTER_KERNEL_CACHE:-$HOME/.cache/tapster-kernel}
tarball=/usr/src/linux-source-6.1.tar.xz
architecture=${1:-amd64}

case $architecture in
  amd64) options=(ARCH=x86) target=bzImage path=arch/x86/boot/bzImage ;;
  arm64) options=(ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-) target=Image path=arch/arm64/boot/Image ;;
esac
version=$(dpkg-query -W -f '${Version}' linux-source-6.1 2>/dev/null || stat -c %s "$tarball")
configuration=("$here/kernel.config" "$here/kernel-$architecture.config")
key=$( (cat "${configuration[@]}"; echo "$version") | sha256sum | cut -c 1-16)
image=$cache/$target-$key

if [ ! -f "$image" ]; then
  tree=$cache/build-$key
  echo "Building Linux 6.1 ($version) for $architecture in $tree: about eight minutes." >&2
  rm -rf "$tree"
  mkdir -p "$tree"
  tar -xf "$tarball" -C "$tree" --strip-components=1
  cat "${configuration[@]}" > "$tree/wanted.config"
  make -s -C "$tree" "${options[@]}" KCONFIG_ALLCONFIG=wanted.config allnoconfig >&2
  # An option with missing prerequisites is dropped silently, so check that the whole fragment is included.
  missing=$(sed -n 's/^\(CONFIG_[A-Z0-9_]*=y\)$/\1/p' "$tree/wanted.config" | grep -vxFf "$tree/.config" || true)
  if [ -n "$missing" ]; then
    echo "The kernel configuration lost: $missing" >&2
    exit 1
  fi
  nice -n 5 make -s -C "$tree" "${options[@]}" -j"$(nproc)" "$target" >&2
  cp "$tree/$path" "$image.new"
  mv "$image.new" "$image"
  rm -rf "$tree"
fi
echo "$image"
