#!/usr/bin/env bash
# Boots an emulated machine with a real Linux GPIO core and lets the built daemon count real kernel edges in it.
#
#   run.sh                 all jobs; the last line is "N passed, N failed"
#   run.sh PART-OF-A-NAME  the tests whose name contains that
#   run.sh --shell         a shell in the guest (Ctrl-a x ends it)
#
# Exit: 0 all passed, 1 something failed, 77 this machine cannot (the last line says "skipped: …").
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
export TAPSTER_KERNEL_CACHE=${TAPSTER_KERNEL_CACHE:-$HOME/.cache/tapster-kernel}

# program:package, for what the build and the machine need.
needs=(qemu-system-x86_64:qemu-system-x86 gcc:build-essential flex:flex bison:bison bc:bc cpio:cpio
  busybox:busybox-static xz:xz-utils)
files=(/usr/src/linux-source-6.1.tar.xz:linux-source-6.1 /usr/include/libelf.h:libelf-dev
  /usr/include/openssl/opensslv.h:libssl-dev)

missing() {
  for need in "${needs[@]}"; do command -v "${need%%:*}" > /dev/null || echo "${need##*:}"; done
  for file in "${files[@]}"; do [ -e "${file%%:*}" ] || echo "${file##*:}"; done
}

skip() {
  echo "skipped: $*"
  exit 77
}

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

[ -n "${TAPSTER_KERNEL_DIST:-}" ] || node "$root/tools/build.mjs" --if-missing
work=$(mktemp -d)
# Whatever ends this script ends its machines, too.
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
guest=$work/guest.cpio
mkdir -p "$TAPSTER_KERNEL_CACHE"
# Two runs at once must not build into the same cache.
exec 9> "$TAPSTER_KERNEL_CACHE/lock"
flock 9
kernel=$("$here/build-kernel.sh")
"$here/build-guest.sh" "$guest"
exec 9>&-

# machine SHARE WORDS-FOR-THE-KERNEL [QEMU-OPTIONS]: takes the place of the shell it runs in.
machine() { exec timeout --foreground -k 5 "$limit" "$here/machine.sh" "$kernel" "$1" "$2" -initrd "$guest" "${@:3}"; }

if [ "${1:-}" = --shell ]; then
  limit=86400
  (machine "$work" tapster.shell -serial mon:stdio)
  exit
fi
# The guest's own time limits are far below this one; it is for a guest that hangs.
limit=${TAPSTER_KERNEL_LIMIT:-290}
only=${1:-}
# One machine for each folder of jobs, side by side.
machines=()
for folder in "$here"/guest/jobs/*/; do
  jobs=$(basename "$folder")
  mkdir -p "$work/$jobs"
  machine "$work/$jobs" "tapster.jobs=$jobs${only:+ tapster.only=${only// /_}}" \
    -serial "file:$work/$jobs/console.txt" -monitor none < /dev/null &
  machines+=($!)
done
for one in "${machines[@]}"; do wait "$one" || echo "A machine ended with $?." >&2; done
node "$here/summary.mjs" "$work"/*/
