import type { Header } from '../../config/hardware-catalogue.ts';
import type { Config, MeterConfig } from '../../config/schema.ts';
import { createProblem } from '../../core/health/problems.ts';
import type { PinMeter, PinRelay } from '../../core/taps/pin-entries.ts';
import type { LineFault } from '../../devices/device-interfaces.ts';
import type {
  ChoosablePin,
  HardwareView,
  MeterModel,
  PinPart,
  SeenProbe,
  ShownRelay,
} from '../../http/hardware-ports.ts';
import type { ChangingHardware } from './hardware-in-force.ts';

/** Pins offered on a board whose header is not known: those of every Raspberry Pi. */
const usualPins = 28;

interface SnapshotParts {
  readonly config: Config;
  readonly hardware: ChangingHardware;
  readonly driver: string;
  readonly faults: readonly LineFault[];
  /** The header of this board; null for an unknown one. */
  readonly header: Header | null;
  readonly models: readonly MeterModel[];
  readonly probes: readonly SeenProbe[];
  readonly isRestartNeeded: boolean;
  readonly canRestart: boolean;
}

/** Everything about the hardware of this machine that the page shows. */
export function hardwareSnapshot(parts: SnapshotParts): HardwareView {
  const { config, hardware, driver, models, probes, isRestartNeeded, canRestart } = parts;
  const { entries } = hardware.merged;
  const fixed = { isFixed: true, ...parts };
  const meters = [
    ...config.meters.map((meter) => ({ ...toPart(meter, fixed), ...toPinMeter(meter) })),
    ...entries.flatMap((entry) => (entry.kind === 'meter' ? { ...toPart(entry, parts), ...entry } : [])),
  ];
  const relays = [
    ...config.toggles.map((toggle) => ({ ...toPart(toggle, fixed), ...toPinRelay(toggle) })),
    ...entries.flatMap((entry) =>
      entry.kind === 'relay' ? { ...toPart(entry, parts), ...toShown(entry) } : [],
    ),
  ];
  return {
    controller: config.controller.name,
    driver,
    isRestartNeeded,
    canRestart,
    meters,
    relays,
    models,
    probes,
    pins: choosablePins(
      parts.header,
      [...meters, ...relays].filter(({ state }) => state !== 'overridden'),
    ),
  };
}

function toPart(
  { port, pin }: { readonly port: string; readonly pin: number },
  { config, hardware, faults, header, isFixed = false }: SnapshotParts & { readonly isFixed?: boolean },
): PinPart {
  const name = `${config.controller.name}.${port}`;
  const part = { name, headerPin: findHeaderPin(pin, header), isFixed };
  const override = isFixed ? undefined : hardware.merged.overridden.get(port);
  if (override !== undefined) return { ...part, state: 'overridden', problem: override };
  const isWaiting = hardware.isWaiting(port);
  if (!isFixed && !isWaiting && hardware.merged.otherMachine.has(port)) {
    return { ...part, state: 'other_machine', problem: createProblem('relay_of_other_machine') };
  }
  const problem = faults.find((fault) => fault.name === name)?.problem ?? null;
  if (problem !== null) return { ...part, state: 'failed', problem };
  if (isWaiting) return { ...part, state: 'restart_needed', problem: createProblem('restart_needed') };
  return { ...part, state: 'works', problem: null };
}

const toPinMeter = ({ port, pin, model, ticks_per_ml, min_gap_ms, bias, edge }: MeterConfig): PinMeter => ({
  kind: 'meter',
  port,
  pin,
  model: model ?? null,
  ticksPerMl: ticks_per_ml ?? null,
  minGapMs: min_gap_ms,
  bias,
  edge,
});

const toShown = ({ kind, port, pin, activeLow }: PinRelay): ShownRelay => ({ kind, port, pin, activeLow });

const toPinRelay = ({ port, pin, active_low }: Config['toggles'][number]): ShownRelay => ({
  kind: 'relay',
  port,
  pin,
  activeLow: active_low,
});

function choosablePins(
  header: Header | null,
  used: readonly { readonly name: string; readonly pin: number }[],
): readonly ChoosablePin[] {
  const lines =
    header === null
      ? Array.from({ length: usualPins }, (_, pin) => ({ pin, headerPin: null, also: null, isSafe: true }))
      : header.pins.flatMap((one) =>
          one.kind === 'gpio'
            ? { pin: one.gpio, headerPin: one.header_pin, also: one.also ?? null, isSafe: one.safe }
            : [],
        );
  return lines
    .map(({ pin, headerPin, also, isSafe }): ChoosablePin => {
      const usedBy = used.find((one) => one.pin === pin)?.name ?? null;
      return { pin, headerPin, use: usedBy !== null ? 'taken' : isSafe ? 'free' : 'reserved', usedBy, also };
    })
    .sort((a, b) => a.pin - b.pin);
}

const findHeaderPin = (line: number, header: Header | null): number | null =>
  header?.pins.find((one) => one.kind === 'gpio' && one.gpio === line)?.header_pin ?? null;
