import { createProblem, type Problem } from '../core/health/problems.ts';
import { maxPinEntries, type PinEntry } from '../core/taps/pin-entries.ts';
import type { MachineIdentity } from '../system/machine-identity.ts';
import { type MeterCatalogue, modelMinGapMs } from './meter-catalogue.ts';
import type { Config, MeterConfig, ToggleConfig } from './schema.ts';

/** The hardware of the settings file with that of the database. */
export interface MergedHardware {
  readonly meters: readonly MeterConfig[];
  readonly toggles: readonly ToggleConfig[];
  /** The entries of the database, also those that are overridden. */
  readonly entries: readonly PinEntry[];
  /** Port of each entry that is not used, with the reason. */
  readonly overridden: ReadonlyMap<string, Problem>;
  /** Ports of the relays that are not used because they were wired to another machine. */
  readonly otherMachine: ReadonlySet<string>;
}

/**
 * Adds the entries of the database to those of the settings file. The file wins: its entries stay as they are, and an entry
 * whose port or pin it uses is left out. The same holds for an entry before another one. A relay that was wired to another
 * machine is left out too: something else may be wired to its pin here. A meter of another machine only reads its pin.
 */
export function mergeHardware(
  file: Pick<Config, 'meters' | 'toggles'>,
  entries: readonly PinEntry[],
  catalogue: MeterCatalogue,
  machine: Pick<MachineIdentity, 'isOther'>,
): MergedHardware {
  const meters = [...file.meters];
  const toggles = [...file.toggles];
  const overridden = new Map<string, Problem>();
  const otherMachine = new Set<string>();
  for (const entry of entries) {
    const problem = findOverride(entry, meters, toggles);
    if (problem !== null) overridden.set(entry.port, problem);
    else if (entry.kind === 'meter') meters.push(toMeterConfig(entry, catalogue));
    else if (machine.isOther(entry.machine)) otherMachine.add(entry.port);
    else toggles.push({ port: entry.port, pin: entry.pin, active_low: entry.activeLow });
  }
  return { meters, toggles, entries, overridden, otherMachine };
}

function findOverride(
  { kind, port, pin }: PinEntry,
  meters: readonly MeterConfig[],
  toggles: readonly ToggleConfig[],
): Problem | null {
  const used = [...meters, ...toggles];
  if (used.some((other) => other.port === port))
    return createProblem('part_in_settings_file', { part: port });
  const owner = used.find((other) => other.pin === pin);
  if (owner !== undefined) return createProblem('pin_of_other_part', { pin, part: owner.port });
  const count = kind === 'meter' ? meters.length : toggles.length;
  return count < maxPinEntries ? null : createProblem('too_many_pin_parts', { most: maxPinEntries, kind });
}

function toMeterConfig(
  { port, pin, model, ticksPerMl, minGapMs, bias, edge }: Extract<PinEntry, { kind: 'meter' }>,
  catalogue: MeterCatalogue,
): MeterConfig {
  const known = model === null ? undefined : catalogue.get(model);
  const ticks = ticksPerMl ?? known?.ticksPerMl;
  return {
    port,
    pin,
    min_gap_ms: minGapMs ?? modelMinGapMs(known),
    bias,
    edge,
    ...(model === null ? {} : { model }),
    ...(ticks === undefined ? {} : { ticks_per_ml: ticks }),
  };
}
