#!/usr/bin/env bash
# machine.sh KERNEL SHARE "WORDS FOR THE KERNEL" [QEMU-OPTIONS]: becomes the emulated machine.
#
# One processor whose time follows the instructions it executes (4 ns each, 250 MIPS: about a slow single-core Pi), so
# that no result depends on how busy this machine is, and waiting in the guest costs no time here.
set -euo pipefail
kernel=$1 share=$2 words=$3
shift 3
exec qemu-system-x86_64 -accel tcg,thread=single -smp 1 -icount "shift=2,sleep=off" -rtc base=utc,clock=vm \
  -cpu Nehalem -m 1024 -nodefaults -no-reboot -nographic -kernel "$kernel" \
  -append "console=ttyS0 quiet panic=-1 tsc=reliable $words" \
  -virtfs "local,path=$share,mount_tag=share,security_model=none,id=share" "$@"
