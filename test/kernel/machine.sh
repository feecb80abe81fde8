#!/usr/bin/env bash
# machine.sh KERNEL SHARE "KERNEL PARAMETERS" [QEMU-OPTIONS]: runs the emulated machine in place of this
# shell; with TAPSTER_KERNEL_ARCH=arm64 one with the processor of a Pi 4.
#
# One processor whose time follows the instructions it executes (4 ns each, 250 MIPS: about a slow single-core
# Pi), so that no result depends on the load of the host, and waiting in the guest takes no time on the host.
set -euo pipefail
kernel=$1 share=$2 parameters=$3
shift 3
case ${TAPSTER_KERNEL_ARCH:-amd64} in
  amd64)
    machine=(qemu-system-x86_64 -cpu Nehalem)
    console="ttyS0 tsc=reliable"
    ;;
  arm64)
    machine=(qemu-system-aarch64 -M virt -cpu cortex-a72)
    console=ttyAMA0
    ;;
esac
exec "${machine[@]}" -accel tcg,thread=single -smp 1 -icount "shift=2,sleep=off" -rtc base=utc,clock=vm \
  -m 1024 -nodefaults -no-reboot -nographic -kernel "$kernel" \
  -append "console=$console quiet panic=-1 $parameters" \
  -virtfs "local,path=$share,mount_tag=share,security_model=none,id=share" "$@"
