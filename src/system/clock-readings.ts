import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { dirname } from 'node:path';
import type { WallReading } from '../core/clock/clock-rules.ts';

/** The file that systemd-timesyncd touches once it has received the time. */
const timesyncFlag = '/run/systemd/timesync/synchronized';

/** The inputs of the clock; tests pass their own. */
export interface ClockReadings {
  /** Kernel-monotonic milliseconds. */
  monoMs(): number;
  /** Milliseconds since boot including sleep, which a laptop that runs the demo may have. */
  uptimeMs(): number;
  /** The system's wall clock, Unix milliseconds. */
  wallMs(): number;
  /** Whether the time service has received the time; `unsupported` without a known time service. */
  flagFile(): WallReading['flagFile'];
  /** The kernel's boot id. */
  readonly bootId: string;
}

/**
 * Returns the kernel's monotonic clock (CLOCK_MONOTONIC), milliseconds since boot with fractions. GPIO edges
 * carry stamps of the same clock, so the two can be compared.
 */
export function monotonicMs(): number {
  // A double keeps microsecond precision for years of uptime.
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Creates the readings of this machine. */
export function machineReadings(
  options: { readonly flagFile?: string; readonly bootIdFile?: string } = {},
): ClockReadings {
  const { flagFile = timesyncFlag, bootIdFile = '/proc/sys/kernel/random/boot_id' } = options;
  return {
    monoMs: monotonicMs,
    uptimeMs: () => uptime() * 1_000,
    wallMs: Date.now,
    flagFile() {
      if (existsSync(flagFile)) return 'present';
      // timesyncd creates its folder early in the boot, before ordinary services start.
      return existsSync(dirname(flagFile)) ? 'absent' : 'unsupported';
    },
    bootId: readBootId(bootIdFile),
  };
}

function readBootId(file: string): string {
  try {
    const id = readFileSync(file, 'utf8').trim();
    if (/^[0-9a-f-]{16,64}$/.test(id)) return id;
  } catch {
    // The file does not exist in some sandboxes.
  }
  // A random id, so that stamps of two runs are never treated as stamps of one boot.
  return randomUUID();
}
