import type { Moment } from '../../src/core/clock/moment.ts';
import { type BusEvent, createEventBus } from '../../src/core/event-bus.ts';
import { omitUndefined } from '../../src/core/omit-undefined.ts';
import type { EndedPour } from '../../src/core/pours/pour.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { EngineSettings } from '../../src/engine/shared/parts.ts';
import type { HardwareDeclaration } from '../../src/engine/taps/provision.ts';
import { openStore } from '../../src/store/store.ts';
import type { SwitchedOn } from '../kit/extensions.ts';

/** Friday 1 May 2026, 18:00 UTC: opening time. */
export const openingMs = Date.UTC(2026, 4, 1, 18);

export const minute = 60_000;
export const hour = 60 * minute;

/** A moment so long after opening, by a set clock, one hour into the boot. */
export function at(afterOpeningMs: number, options: Partial<Moment> = {}): Moment {
  return {
    monoMs: hour + afterOpeningMs,
    wallMs: openingMs + afterOpeningMs,
    synced: true,
    bootId: 'boot-1',
    ...options,
  };
}

/** What the configuration file of the bar declares. */
export const hardwareOfBar: HardwareDeclaration = {
  controller: { name: 'pi', modelName: 'Raspberry Pi' },
  meters: [
    { portName: 'flow0', ticksPerMl: 1 },
    { portName: 'flow1', ticksPerMl: 2 },
    { portName: 'flow2', ticksPerMl: null },
  ],
  toggles: [{ portName: 'relay0' }],
  taps: [
    { name: 'Left', meterPort: 'flow0', togglePort: 'relay0' },
    { name: 'Right', meterPort: 'flow1' },
  ],
};

/**
 * A bar with two taps. `pi.flow0` has 1 tick per millilitre and a full 30 L keg of lager; `pi.flow1` has 2
 * and no keg; `pi.flow2` has no tap.
 */
export function openBar(file = ':memory:', settings: Partial<EngineSettings> = {}, switchedOn?: SwitchedOn) {
  const bar = openEmptyBar(file, settings, switchedOn);
  const keg = bar.engine.kegs.start(
    bar.left.id,
    {
      beverage: { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' },
      sizeKey: 'euro-30-liter',
    },
    at(0),
  );
  return { ...bar, keg };
}

/** The same bar without a keg. */
export function openEmptyBar(
  file = ':memory:',
  settings: Partial<EngineSettings> = {},
  switchedOn?: SwitchedOn,
) {
  const store = openStore({ file, ...omitUndefined({ extensions: switchedOn?.all }) });
  const events: BusEvent[] = [];
  const bus = createEventBus((fault) => {
    throw fault;
  });
  for (const type of ['drink.recorded', 'database.changed'] as const)
    bus.on(type, (event) => events.push(event));
  let count = 0;
  const engine = createEngine(
    {
      store,
      bus,
      ids: { next: () => `id-${++count}` },
      settings: { maxFlowMlPerS: 200, passwordLogN: 4, ...settings },
    },
    switchedOn?.engine,
  );
  engine.taps.hardware.provision(hardwareOfBar);
  const left = engine.taps.find('pi.flow0')!.tap;
  const right = engine.taps.find('pi.flow1')!.tap;
  return { store, engine, bus, events, left, right };
}

let pours = 0;

/**
 * A plausible pour from our own GPIO pins that ended at `endedAt`: 300 ticks in ten seconds on the left tap.
 */
export function pour(endedAt: Moment, options: Partial<EndedPour> = {}): EndedPour {
  const durationMs = options.durationMs ?? 10_000;
  return {
    pourId: `pour-${++pours}`,
    meter: 'pi.flow0',
    ticks: 300,
    startedMonoMs: endedAt.monoMs - durationMs,
    durationMs,
    series: '0:150 5000:150',
    reachedMaxDuration: false,
    bootId: endedAt.bootId,
    rejectedEdges: 0,
    ticksLost: 0,
    doubts: [],
    recovered: false,
    ...options,
  };
}
