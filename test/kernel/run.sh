#!/usr/bin/env bash
# Boots an emulated machine with a real Linux GPIO core, in which the built daemon counts real kernel edges.
#
#   run.sh                 all jobs; the last line is "N passed, N failed"
#   run.sh service         the jobs of that folder only (counting, trouble, service), or the power cuts (cuts)
#   run.sh PART-OF-A-NAME  the tests whose name contains that
#   run.sh --shell         a shell in the guest (Ctrl-a x ends it)
#   run.sh --kernel        builds the kernel only, for which no packages of npm are needed
#   run.sh --prepare       builds what the machines need and boots none
#
#   run.sh package         the Debian packages in TAPSTER_KERNEL_PACKAGES, which npm run test:package makes
#   run.sh first-boot      a card as Raspberry Pi Imager leaves it, with the first of those packages
#
# TAPSTER_KERNEL_JOBS="counting trouble" restricts "all jobs" to these folders.
# TAPSTER_KERNEL_ARCH=arm64 emulates a processor of a Pi 4 for "package", the only job that has what it needs for arm64.
#
# Exit: 0 all passed, 1 something failed, 77 not possible on this machine (the last line says "skipped: …").
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
export TAPSTER_KERNEL_CACHE=${TAPSTER_KERNEL_CACHE:-$HOME/.cache/tapster-kernel}
export TAPSTER_KERNEL_ARCH=${TAPSTER_KERNEL_ARCH:-amd64}

# program:package, required by the build and the machine.
needs=(qemu-system-x86_64:qemu-system-x86 gcc:build-essential flex:flex bison:bison bc:bc cpio:cpio
  busybox:busybox-static xz:xz-utils mmdebstrap:mmdebstrap)
files=(/usr/src/linux-source-6.1.tar.xz:linux-source-6.1 /usr/include/libelf.h:libelf-dev
  /usr/include/openssl/opensslv.h:libssl-dev)
if [ "$TAPSTER_KERNEL_ARCH" = arm64 ]; then
  needs+=(qemu-system-aarch64:qemu-system-arm aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu
    qemu-aarch64-static:qemu-user-static update-binfmts:binfmt-support arch-test:arch-test)
  files+=(/usr/aarch64-linux-gnu/lib/libc.a:libc6-dev-arm64-cross)
fi

missing() {
  for need in "${needs[@]}"; do command -v "${need%%:*}" > /dev/null || echo "${need##*:}"; done
  for file in "${files[@]}"; do [ -e "${file%%:*}" ] || echo "${file##*:}"; done
}

skip() {
  echo "skipped: $*"
  exit 77
}

[ "$TAPSTER_KERNEL_ARCH" = amd64 ] || [ "${1:-}" = package ] || skip "only \"package\" runs on $TAPSTER_KERNEL_ARCH."
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || skip "the emulated machine is built for Linux on x86_64 only."
absent=$(missing | tr '\n' ' ')
if [ -n "$absent" ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    echo "Installing $absent"
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive timeout 600 apt-get install -y -qq \
      --no-install-recommends $absent; } > /dev/null 2>&1 || true
  fi
  absent=$(missing | tr '\n' ' ')
  [ -z "$absent" ] || skip "needs the packages ${absent}(Debian 12 has them; as root this script installs them)."
fi

# The jobs of the package and the kernel need no build.
[ "${1:-}" = --kernel ] || [ -n "${TAPSTER_KERNEL_DIST:-}" ] || [ "$TAPSTER_KERNEL_ARCH" != amd64 ] || node "$root/tools/build.mjs" --if-missing
work=$(mktemp -d)
# The machines end with this script.
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
guest=$work/guest.cpio
mkdir -p "$TAPSTER_KERNEL_CACHE"
# Two concurrent runs must not build into the same cache.
exec 9> "$TAPSTER_KERNEL_CACHE/lock"
flock 9
if [ "${1:-}" = --kernel ]; then
  "$here/build-kernel.sh" "$TAPSTER_KERNEL_ARCH"
  exit
fi
read -ra folders <<< "${TAPSTER_KERNEL_JOBS:-counting trouble service cuts}"
only=${1:-}
case " counting trouble service cuts package first-boot " in *" $only "*) [ -z "$only" ] || { folders=("$only"); only=; } ;; esac
debian=
case " ${folders[*]} " in
  # The Debian tree is built while the kernel is compiled.
  *" service "*)
    { "$here/build-debian.sh" > "$work/debian" 2> "$work/debian.err" || rm "$work/debian"; } &
    debian=$!
    ;;
  *" package "*)
    { "$here/build-package-guest.sh" > "$work/debian" 2> "$work/debian.err" || rm "$work/debian"; } &
    debian=$!
    ;;
esac
kernel=$("$here/build-kernel.sh" "$TAPSTER_KERNEL_ARCH")
[ "$TAPSTER_KERNEL_ARCH" != amd64 ] || "$here/build-guest.sh" "$guest"
[ -z "$debian" ] || wait "$debian" || true
exec 9>&-
[ "$only" != --prepare ] || exit 0

# machine SHARE KERNEL-PARAMETERS [QEMU-OPTIONS]: replaces the shell it runs in.
machine() { exec timeout --foreground -k 5 "$limit" "$here/machine.sh" "$kernel" "$@"; }

if [ "${1:-}" = --shell ]; then
  limit=86400
  (machine "$work" tapster.shell -initrd "$guest" -serial mon:stdio)
  exit
fi
# For a guest that hangs: the tests' own time limits are far below this one.
limit=${TAPSTER_KERNEL_LIMIT:-900}
# While the guest only waits for its disk, its clock runs on to the next timer, and a start of a minute may end by a time limit.
# With a tick every few milliseconds a wait for the disk takes no longer than that.
steady=nohz=off
# start FOLDER: replaces the shell with the machine, or with the host's side of the power cuts.
start() {
  local parameters="tapster.jobs=$1${only:+ tapster.only=${only// /_}}"
  local out=(-serial "file:$work/$1/console.txt" -monitor none)
  mkdir -p "$work/$1"
  case $1 in
    cuts) exec timeout --foreground -k 5 "$((limit * 4))" \
      node "$here/cuts/cuts.mjs" "$kernel" "$guest" "$work/cuts" "${TAPSTER_KERNEL_DIST:-$root/dist}" ;;
    service | package)
      if [ "$1" = service ]; then
        "$here/build-checkout.sh" "$work/checkout.tar"
      else
        "$here/build-package-guest.sh" --jobs "${TAPSTER_KERNEL_PACKAGES:?the folder of the packages}" "$work/checkout.tar"
      fi
      # It installs three times and boots twice.
      limit=$((limit * 3))
      # This machine may reboot and keeps its disk until it exits; a panic must not cause endless reboots.
      machine "$work/$1" "root=/dev/vda rw systemd.show_status=0 panic=0 $steady $parameters" "${out[@]}" -action reboot=reset \
        -drive "file=$(cat "$work/debian"),if=virtio,format=raw,snapshot=on,cache=unsafe" \
        -drive "file=$work/checkout.tar,if=virtio,format=raw,readonly=on" ;;
    first-boot)
      set -- "$1" "${TAPSTER_KERNEL_PACKAGES:?the folder of the packages}"/*_amd64.deb
      "$here/build-card.sh" "$2" "$work/card.img"
      limit=$((limit * 2))
      # It restarts once, for the thermometers.
      machine "$work/$1" "root=/dev/vda rw systemd.show_status=0 panic=0 $steady $parameters" "${out[@]}" -action reboot=reset \
        -drive "file=$work/card.img,if=virtio,format=raw,snapshot=on,cache=unsafe" ;;
    *) machine "$work/$1" "$parameters" "${out[@]}" -initrd "$guest" ;;
  esac
}
machines=()
for folder in "${folders[@]}"; do
  if { [ "$folder" = service ] || [ "$folder" = package ]; } && [ ! -f "$work/debian" ]; then
    echo "$folder: not counted. $(tail -n 1 "$work/debian.err")"
    continue
  fi
  # Part of a name may match tests in any folder of jobs; the power cuts are a single test.
  if [ "$folder" = cuts ] && [ -n "$only" ]; then continue; fi
  start "$folder" < /dev/null &
  machines+=($!)
done
for one in "${machines[@]}"; do wait "$one" || echo "A machine ended with $?." >&2; done
node "$here/summary.mjs" $(for folder in "${folders[@]}"; do [ ! -d "$work/$folder" ] || echo "$work/$folder/"; done)
