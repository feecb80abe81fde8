#!/usr/bin/env bash
# machine.sh KERNEL SHARE "KERNEL PARAMETERS" [QEMU-OPTIONS]: runs the emulated machine in place of this
# shell.
#
# One processor whose time follows the instructions it executes (4 ns each, 250 MIPS: about a slow single-core
# Pi), so that no result depends on the load of the host, and waiting in the guest takes no time on the host.
set -euo pipefail
kernel=$1 share=$2 parameters=$3
shift 3
exec qemu-system-x86_64 -accel tcg,thread=single -smp 1 -icount "shift=2,sleep=off" -rtc base=utc,clock=vm \
  -cpu Nehalem -m 1024 -nodefaults -no-reboot -nographic -kernel "$kernel" \
  -append "console=ttyS0 quiet panic=-1 tsc=reliable $parameters" \
  -virtfs "local,path=$share,mount_tag=share,security_model=none,id=share" "$@"
