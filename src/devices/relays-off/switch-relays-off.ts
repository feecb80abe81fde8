import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { type Chip, chooseChip, chooseSysfsChip, listChips, listSysfsChips } from '../gpio/chips.ts';
import type { GpioKernel } from '../gpio/gpio-uapi.ts';
import { type HostInfo, type Roots, readHostInfo } from '../gpio/host-info.ts';
import { requestRelays } from '../gpio/line-request.ts';
import type { StoredRelay } from './relay-file.ts';

/**
 * How long a line that is in use is tried again, milliseconds. The kernel frees the lines of a killed process
 * when its last thread has left the kernel, for a write to a worn card after a second or more; the service's
 * `TimeoutStopSec` is 10 s.
 */
const busyLimitMs = 4_000;
const retryMs = 50;
const consumer = 'tapster-relays-off';

/** Where and with what the relays are switched off. */
interface SwitchOptions {
  readonly roots: Roots;
  readonly kernel: GpioKernel;
  readonly nowMs: () => number;
  /** Blocks for this many milliseconds. */
  readonly wait: (ms: number) => void;
}

/** The relays that were switched off, and one sentence for each that was not. */
interface SwitchResult {
  readonly switched: readonly StoredRelay[];
  readonly problems: readonly string[];
}

/**
 * Drives every relay to its off level and releases its line: on a kernel that keeps the level of an output it
 * stays there, on others the line becomes an input whose pull resistor points to the off level. A relay that
 * fails does not affect the others. Never throws; takes at most about 4 s.
 */
export function switchRelaysOff(relays: readonly StoredRelay[], options: SwitchOptions): SwitchResult {
  const { nowMs, wait } = options;
  const attempt = new SwitchAttempt(options);
  const endMs = nowMs() + busyLimitMs;
  let failed = relays.filter((relay) => !attempt.switchOff(relay));
  while (failed.some((relay) => attempt.isWorthRetrying(relay)) && nowMs() < endMs) {
    wait(retryMs);
    failed = failed.filter((relay) => !attempt.switchOff(relay));
  }
  return {
    switched: relays.filter((relay) => !failed.includes(relay)),
    problems: failed.map((relay) => `${relay.name}: ${attempt.problem(relay)}`),
  };
}

/** Switches relays off and remembers the latest problem of each. */
class SwitchAttempt {
  readonly #options: SwitchOptions;
  readonly #hostInfo: HostInfo;
  readonly #chips = new Map<string | null, Chip>();
  readonly #problems = new Map<StoredRelay, string>();

  constructor(options: SwitchOptions) {
    this.#options = options;
    this.#hostInfo = readHostInfo(options.roots);
  }

  /** False when the relay cannot be switched off now; `problem` tells why. */
  switchOff(relay: StoredRelay): boolean {
    try {
      this.#switchOff(relay);
      return true;
    } catch (fault) {
      this.#problems.set(relay, fault instanceof Error ? fault.message : String(fault));
      return false;
    }
  }

  problem(relay: StoredRelay): string {
    return this.#problems.get(relay) ?? '';
  }

  /** A line becomes free when its owner has ended; a missing chip does not appear. */
  isWorthRetrying({ chip }: StoredRelay): boolean {
    return this.#chips.has(chip);
  }

  #switchOff(relay: StoredRelay): void {
    const { kernel } = this.#options;
    // A line that a driver exported through sysfs stays exported after a crash and keeps its level; it cannot be
    // requested.
    if (this.#switchThroughSysfs(relay)) return;
    const context = { kernel, hostInfo: this.#hostInfo, chip: this.#findChip(relay.chip), consumer };
    const { granted, faults } = requestRelays(context, [relay]);
    for (const { fd } of granted) kernel.close(fd);
    const [fault] = faults;
    if (fault) throw new AppError('unavailable', fault.problem);
  }

  #findChip(name: string | null): Chip {
    const { roots, kernel } = this.#options;
    const known = this.#chips.get(name);
    if (known) return known;
    const chip = chooseChip(
      listChips(roots, (path) => kernel.chipInfo(path)),
      { hostInfo: this.#hostInfo, ...(name === null ? {} : { configuredChip: name }) },
    );
    this.#chips.set(name, chip);
    return chip;
  }

  #switchThroughSysfs({ chip, pin, activeLow }: StoredRelay): boolean {
    const { roots } = this.#options;
    try {
      const configuredChip = chip === null ? {} : { configuredChip: chip };
      const { base } = chooseSysfsChip(listSysfsChips(roots), {
        hostInfo: this.#hostInfo,
        ...configuredChip,
      });
      // `r+` fails for a line that is not exported. The direction is a level: `low` is an output at low level.
      const file = join(roots.sys, `class/gpio/gpio${base + pin}/direction`);
      writeFileSync(file, activeLow ? 'high' : 'low', { flag: 'r+' });
      return true;
    } catch {
      return false;
    }
  }
}
