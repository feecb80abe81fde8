import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findConsistencyFaults } from '../../src/config/consistency-faults.ts';
import { mergeHardware } from '../../src/config/merged-hardware.ts';
import { readMeterCatalogue } from '../../src/config/meter-catalogue.ts';
import type { MeterConfig, ToggleConfig } from '../../src/config/schema.ts';
import type { PinEntry } from '../../src/core/taps/pin-entries.ts';

const catalogue = readMeterCatalogue();
/** Few names and pins, so that many collide. */
const port = fc.constantFrom('flow0', 'flow1', 'flow2', 'relay0', 'relay1');
const pin = fc.integer({ min: 0, max: 8 });
const wired = { bias: 'pull-up', edge: 'falling' } as const;

const fixedMeter = fc
  .record({ port, pin })
  .map((one): MeterConfig => ({ ...one, min_gap_ms: 1.2, ...wired }));
const fixedToggle = fc.record({ port, pin, active_low: fc.boolean() });
/** The settings file has been checked, so it has no contradiction. */
const file = fc
  .record({
    meters: fc.array(fixedMeter, { maxLength: 4 }),
    toggles: fc.array(fixedToggle, { maxLength: 4 }),
  })
  .filter((hardware) => findConsistencyFaults(hardware, catalogue, []).length === 0);
const entry: fc.Arbitrary<PinEntry> = fc.oneof(
  fc
    .record({
      port,
      pin,
      model: fc.constantFrom(null, 'swissflow-sf800'),
      ticksPerMl: fc.constantFrom(null, 3.5),
    })
    .map((one) => ({ kind: 'meter' as const, ...one, minGapMs: 2, ...wired })),
  fc
    .record({ port, pin, activeLow: fc.boolean(), machine: fc.constantFrom('here', 'there') })
    .map((one) => ({ kind: 'relay' as const, ...one })),
);
const machine = { isOther: (mark: string | null) => mark !== 'here' };
const entries = fc.uniqueArray(entry, { maxLength: 6, selector: (one) => one.port });

test('the entries of the settings file are in force unchanged, whatever the database has', () => {
  fc.assert(
    fc.property(file, entries, (hardware, stored) => {
      const copy = structuredClone(hardware);
      const { meters, toggles } = mergeHardware(hardware, stored, catalogue, machine);
      expect(meters.slice(0, copy.meters.length)).toEqual(copy.meters);
      expect(toggles.slice(0, copy.toggles.length)).toEqual(copy.toggles);
      expect(hardware).toEqual(copy);
    }),
  );
});

test('the result has no contradiction, and every entry of the database is in force or left out', () => {
  fc.assert(
    fc.property(file, entries, (hardware, stored) => {
      const { meters, toggles, overridden, otherMachine } = mergeHardware(
        hardware,
        stored,
        catalogue,
        machine,
      );
      expect(findConsistencyFaults({ meters: [...meters], toggles: [...toggles] }, catalogue, [])).toEqual(
        [],
      );
      const added = [...meters, ...toggles].length - hardware.meters.length - hardware.toggles.length;
      expect(added + overridden.size + otherMachine.size).toBe(stored.length);
    }),
  );
});

test('an entry that shares neither name nor pin with another one is in force with its values', () => {
  fc.assert(
    fc.property(file, entry, (hardware, one) => {
      const used: (MeterConfig | ToggleConfig)[] = [...hardware.meters, ...hardware.toggles];
      fc.pre(one.kind === 'meter' || one.machine === 'here');
      fc.pre(!used.some((other) => other.port === one.port || other.pin === one.pin));
      const { meters, toggles, overridden } = mergeHardware(hardware, [one], catalogue, machine);
      expect(overridden.size).toBe(0);
      expect([...meters, ...toggles].find((other) => other.port === one.port)).toMatchObject({
        pin: one.pin,
      });
    }),
  );
});

test('no relay of another machine is in force, but its meters are', () => {
  fc.assert(
    fc.property(file, entries, (hardware, stored) => {
      const here = mergeHardware(hardware, stored, catalogue, { isOther: () => false });
      const there = mergeHardware(hardware, stored, catalogue, { isOther: () => true });
      expect(there.toggles).toEqual(hardware.toggles);
      expect(there.meters.map(({ port }) => port)).toEqual(
        expect.arrayContaining(here.meters.map(({ port }) => port)),
      );
      const left = here.toggles.slice(hardware.toggles.length).map(({ port }) => port);
      expect([...there.otherMachine]).toEqual(expect.arrayContaining(left));
    }),
  );
});

test('a model gives the calibration unless the entry has its own', () => {
  const meter = { kind: 'meter', port: 'flow0', pin: 5, minGapMs: 1.2, ...wired } as const;
  const calibration = (ticksPerMl: number | null, model: string | null) =>
    mergeHardware({ meters: [], toggles: [] }, [{ ...meter, ticksPerMl, model }], catalogue, machine)
      .meters[0]?.ticks_per_ml;
  expect(calibration(null, 'swissflow-sf800')).toBe(5.4);
  expect(calibration(3, 'swissflow-sf800')).toBe(3);
  expect(calibration(null, null)).toBeUndefined();
});

test('the bounce limit follows from the model unless the entry has its own', () => {
  const meter = { kind: 'meter', port: 'flow0', pin: 5, ticksPerMl: null, ...wired } as const;
  const limit = (minGapMs: number | null, model: string | null) =>
    mergeHardware({ meters: [], toggles: [] }, [{ ...meter, minGapMs, model }], catalogue, machine).meters[0]
      ?.min_gap_ms;
  expect(limit(null, 'swissflow-sf800')).toBe(0.2);
  expect(limit(null, 'vision-2000')).toBe(1.2);
  expect(limit(3, 'swissflow-sf800')).toBe(3);
});
