import type { MergedHardware } from '../../config/merged-hardware.ts';
import type { Config } from '../../config/schema.ts';
import { AppError } from '../../core/app-error.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Rule } from '../../core/reasons.ts';
import { maxPinEntries, type PinEntry, type PinMeter, type PinRelay } from '../../core/taps/pin-entries.ts';
import type { MeterModel, NewPinEntry, PinEntryFields } from '../../http/hardware-ports.ts';
import type { MachineIdentity } from '../../system/machine-identity.ts';

/** The values that a new meter has when it is not told otherwise; the same as those of the settings file. */
const meterDefaults = {
  model: null,
  ticksPerMl: null,
  minGapMs: null,
  bias: 'pull-up',
  edge: 'falling',
} as const;

/** The entry with its defaults; without a port it gets the next free name, `flow0` or `relay0` and so on. */
export function newEntry(
  fields: NewPinEntry,
  usedPorts: readonly string[],
  machine: MachineIdentity,
): PinEntry {
  const port = fields.port ?? nextPort(fields.kind === 'meter' ? 'flow' : 'relay', usedPorts);
  if (usedPorts.includes(port)) {
    throw fieldError('port', 'is taken by another meter or relay', { name: 'taken' });
  }
  if (fields.kind === 'relay') {
    return { activeLow: false, ...omitUndefined(fields), port, machine: machine.createMark() };
  }
  const { kind, pin, ...values } = fields;
  return { ...meterDefaults, ...(omitUndefined(values) as Partial<PinMeter>), kind, pin, port };
}

/** The entry with other fields. A relay of another machine whose fields are chosen here belongs to this one. */
export function changedEntry(entry: PinEntry, fields: PinEntryFields, machine: MachineIdentity): PinEntry {
  const changed = { ...entry, ...omitUndefined(fields) } as PinEntry;
  return changed.kind === 'relay' ? toOwnRelay(changed, machine) : changed;
}

/** The relay as one of this machine. */
export const toOwnRelay = (relay: PinRelay, machine: MachineIdentity): PinRelay =>
  machine.isOther(relay.machine) ? { ...relay, machine: machine.createMark() } : relay;

/** Throws `invalid_request` unless the entry, which is in `merged`, fits the others. */
export function validateEntry(
  entry: PinEntry,
  { merged, config, models }: { merged: MergedHardware; config: Config; models: readonly MeterModel[] },
): void {
  const { kind, port, pin } = entry;
  const others = [
    ...config.meters,
    ...config.toggles,
    ...merged.entries.filter((one) => one.port !== port && !merged.overridden.has(one.port)),
  ];
  const owner = others.find((one) => one.pin === pin);
  if (owner !== undefined) {
    const part = `${config.controller.name}.${owner.port}`;
    throw fieldError('pin', `is taken by ${part}`, { name: 'pin_taken', part });
  }
  if (entry.kind === 'meter' && entry.model !== null && !models.some(({ id }) => id === entry.model)) {
    const allowed = models.map(({ id }) => id).join(', ');
    throw fieldError('model', `must be one of ${allowed}`, { name: 'one_of', allowed });
  }
  const count = kind === 'meter' ? config.meters.length : config.toggles.length;
  if (count + merged.entries.filter((one) => one.kind === kind).length > maxPinEntries) {
    throw fieldError('pin', `must be one of at most ${maxPinEntries}`, {
      name: 'too_many_parts',
      most: maxPinEntries,
    });
  }
  const problem = merged.overridden.get(port);
  if (problem !== undefined) {
    throw new AppError('invalid_request', problem, { fields: { pin: problem.message } });
  }
}

function nextPort(prefix: string, used: readonly string[]): string {
  for (let number = 0; ; number++) {
    if (!used.includes(`${prefix}${number}`)) return `${prefix}${number}`;
  }
}

const fieldError = (field: string, allowed: string, rule: Rule): AppError =>
  new AppError('invalid_request', `${field} ${allowed}.`, {
    fields: { [field]: allowed },
    rules: { [field]: rule },
  });
