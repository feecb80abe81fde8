#!/usr/bin/env bash
# npm run test:package: builds both packages of the present commit and tests them for real. The last line is "N passed, N failed".
# Needs root, and Debian 12 on x86_64 for the emulated machines. It takes about forty minutes on two cores.
#
#   test/packaging/run.sh [build] [lintian] [apt] [avahi] [machine] [arm64] [first-boot]    these parts only; build makes what
#                                                                                           lintian and apt use
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"
out=$root/dist-packages
parts=${*:-build lintian apt avahi machine arm64 first-boot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# check NAME COMMAND…: counts as one test; 77 means that it is not possible here.
check() {
  local name=$1 code=0
  shift
  "$@" > "$work/log" 2>&1 || code=$?
  case $code in
    0) passed=$((passed + 1)) && echo " ✓ $name" ;;
    77) echo " - $name: not counted. $(tail -n 1 "$work/log")" ;;
    *)
      failed=$((failed + 1))
      echo " ✗ $name"
      tail -n 40 "$work/log"
      ;;
  esac
}

# program:package
need() {
  local absent=()
  for one in "$@"; do command -v "${one%%:*}" > /dev/null || absent+=("${one##*:}"); done
  [ ${#absent[@]} -eq 0 ] && return 0
  [ "$(id -u)" = 0 ] && apt-get update -qq > /dev/null 2>&1 &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${absent[@]}" > /dev/null 2>&1 && return 0
  echo "the packages ${absent[*]} are missing"
  return 77
}

both_architectures() { rm -rf "$out" && npm run --silent package && cat "$out/SHA256SUMS"; }

# The files and control data of a package, whatever its compression; xz with one thread always gives the same bytes.
content() { { dpkg-deb --fsys-tarfile "$1" && dpkg-deb --ctrl-tarfile "$1"; } | sha256sum; }

reproducible() {
  npm run --silent package -- --fast --out "$work/again" || return
  for file in "$out"/*.deb; do
    [ "$(content "$file")" = "$(content "$work/again/$(basename "$file")")" ] || { echo "$file differs" && return 1; }
  done
  for file in "$out"/*.tar.gz; do
    cmp <(gzip -dc "$file") <(gzip -dc "$work/again/$(basename "$file")") || return
  done
}

without_errors() {
  need lintian:lintian || return
  ! lintian --allow-root --fail-on none "$out"/*.deb 2>&1 | tee /dev/stderr | grep -q '^E:'
}

# A bare Debian 13, whose apt installs the package from a signed repository; removed with its mounts.
from_repository() {
  need mmdebstrap:mmdebstrap gpg:gnupg || return
  [ "$(id -u)" = 0 ] || { echo "it needs root" && return 77; }
  local tree=$work/debian gnupg=$work/gnupg
  mkdir -m 700 "$gnupg"
  export GNUPGHOME=$gnupg
  gpg --batch --quiet --passphrase '' --quick-generate-key packages@example.org ed25519 sign never
  npm run --silent repository -- --key packages@example.org --url file:/repository --packages "$out" --out "$work/repository" || return
  gpgconf --kill all
  mmdebstrap --quiet --variant=minbase --include=systemd-sysv,libstdc++6 --aptopt='Acquire::Languages "none"' \
    --dpkgopt=force-unsafe-io trixie "$tree" || { echo "Debian 13 cannot be installed" && return 77; }
  cp -r "$work/repository" "$tree/repository"
  install -m 644 "$work/repository/tapster.gpg" "$tree/usr/share/keyrings/"
  install -m 644 "$work/repository/tapster.sources" "$tree/etc/apt/sources.list.d/"
  unshare --mount --fork --pid --mount-proc="$tree/proc" chroot "$tree" sh -ec '
    export DEBIAN_FRONTEND=noninteractive LC_ALL=C
    # Only this repository: what the package depends on is installed.
    apt-get update -o Dir::Etc::sourcelist=/dev/null -o APT::Update::Error-Mode=any
    apt-get install -y --no-install-recommends tapster
    tapster --version
    setpriv --reuid=tapster --regid=tapster --init-groups tapster check
    test "$(stat -c %U:%G:%a /var/lib/tapster)" = tapster:tapster:750
    test -z "$(find /usr/lib/tapster /var/lib/tapster-releases ! -user root -o -perm /022 ! -type l)"
    dpkg --verify tapster
    apt-get purge -y tapster
    test -e /etc/tapster/tapster.json
    test ! -e /usr/lib/tapster
    test ! -e /var/lib/tapster-releases'
}

# machine ARCHITECTURE
machine() {
  rm -rf "$work/packages" && mkdir -p "$work/packages"
  npm run --silent package -- --arch "$1" --fast --out "$work/one" &&
    npm run --silent package -- --arch "$1" --fast --version 99.0.0 --out "$work/two" || return
  mv "$work"/{one,two}/*.deb "$work/packages/"
  TAPSTER_KERNEL_ARCH=$1 TAPSTER_KERNEL_PACKAGES=$work/packages test/kernel/run.sh package
}

first_boot() {
  npm run --silent package -- --arch amd64 --fast --out "$work/card" || return
  TAPSTER_KERNEL_PACKAGES=$work/card test/kernel/run.sh first-boot
}

for part in $parts; do
  case $part in
    build)
      check "both packages are built within their size limits" both_architectures
      sed -n 's/.* s  \(tapster_.*\)/   \1/p' "$work/log"
      check "a second build in another folder has the same content" reproducible
      ;;
    lintian) check "lintian finds no error" without_errors ;;
    apt) check "apt installs the package on a bare Debian 13 from a signed repository, and purges it" from_repository ;;
    avahi) check "another machine finds the announcement and tapster.local" "$here/announced.sh" ;;
    machine) check "the package in an emulated machine under systemd" machine amd64 && sed -n '/✓\|✗/p' "$work/log" ;;
    arm64) check "the arm64 package in an emulated machine with a processor of a Pi 4" machine arm64 && sed -n '/✓\|✗/p' "$work/log" ;;
    first-boot) check "a card that Raspberry Pi Imager wrote installs the package at its first boot" first_boot && sed -n '/✓\|✗/p' "$work/log" ;;
    *) echo "There is no part \"$part\"." && exit 64 ;;
  esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
