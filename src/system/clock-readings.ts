import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { dirname } from 'node:path';
import type { WallReading } from '../core/clock-rules.ts';
import { monotonicMs } from './monotonic.ts';

/** What systemd-timesyncd touches once it has heard the time. */
export const timesyncFlag = '/run/systemd/timesync/synchronized';

/** The readings a clock is made of; a test feeds its own. */
export interface ClockReadings {
  /** Kernel-monotonic milliseconds. */
  monoMs(): number;
  /** Milliseconds since boot with sleep counted in, as a laptop that runs the demo has it. */
  uptimeMs(): number;
  /** What the system believes the unix milliseconds to be. */
  wallMs(): number;
  /** Whether the time service has heard the time; `unsupported` where no such service is known. */
  flagFile(): WallReading['flagFile'];
  /** The kernel's boot id. */
  readonly bootId: string;
}

/** The readings of this machine. */
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
      // timesyncd makes its folder early in the boot, before any ordinary service starts.
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
    // No such file in some sandboxes.
  }
  // Stamps of two runs must then never be taken for stamps of one boot.
  return randomUUID();
}
