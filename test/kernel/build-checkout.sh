#!/usr/bin/env bash
# build-checkout.sh FILE: packs the second disk of the Debian guest: a built checkout (its libraries are on
# the first disk) and the jobs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
dist=${TAPSTER_KERNEL_DIST:-$root/dist}
file=${1:?the file to write}
product=$(mktemp -d)
trap 'rm -rf "$product"' EXIT
chmod 755 "$product"
checkout=$product/home/pi/tapster
mkdir -p "$checkout/node_modules" "$product/kernel"
for part in docs hardware locales systemd tools package.json package-lock.json .npmrc README.md LICENSE CHANGELOG.md; do
  cp -r "$root/$part" "$checkout/"
done
cp -r "$dist" "$checkout/dist"
# The build and the libraries are newer than the sources, as after `npm ci && npm run build`.
touch -d '1 hour ago' "$checkout/package.json" "$checkout/package-lock.json"
touch "$checkout"/dist/.built-{daemon,page}
cp "$root/node_modules/.package-lock.json" "$checkout/node_modules/"
touch "$checkout/node_modules/.package-lock.json"
cp -r "$here"/guest/*.mjs "$here"/guest/{jobs,service} "$product/kernel/"
chmod -R a+rX "$product"
tar -C "$product" --owner=0 --group=0 -cf "$file" home kernel
