import { expect, test } from 'vitest';
import type { HardwareDeclaration } from '../../../src/engine/engine.ts';
import { at, openBar, openEmptyBar, pour } from '../bar.ts';

const declared: HardwareDeclaration = {
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
const refusedFor = (field: string) =>
  expect.objectContaining({ code: 'invalid_request', fields: { [field]: expect.any(String) } });

/** The declaration with another calibration of the first meter. */
function withCalibration(ticksPerMl: number | null): HardwareDeclaration {
  const [, ...others] = declared.meters;
  return { ...declared, meters: [{ portName: 'flow0', ticksPerMl }, ...others] };
}

test('configured hardware is created at the first start, and not again at the next', () => {
  const { engine } = openEmptyBar();
  const picture = () => [
    engine.taps.hardware.controllers(),
    engine.taps.hardware.meters(),
    engine.taps.hardware.toggles(),
    engine.taps.list(),
  ];
  const before = picture();
  engine.taps.hardware.provision(declared);
  expect(picture()).toEqual(before);
  expect(engine.taps.hardware.meters()).toMatchObject([
    { name: 'pi.flow0', ticksPerMl: 1, calibrated: true, tapId: 1 },
    { name: 'pi.flow1', ticksPerMl: 2, calibrated: true, tapId: 2 },
    { name: 'pi.flow2', ticksPerMl: 2.724, calibrated: false, tapId: null },
  ]);
  expect(engine.taps.hardware.toggles()).toMatchObject([{ name: 'pi.relay0', tapId: 1 }]);
  expect(engine.taps.list().map(({ tap }) => tap.name)).toEqual(['Left', 'Right']);
});

test('a calibration made on the page stays until the file itself changes it', () => {
  const { engine } = openEmptyBar();
  const ticksPerMl = () => engine.taps.hardware.meters()[0]?.ticksPerMl;
  engine.taps.hardware.setCalibration(1, 1.05);
  engine.taps.hardware.provision(declared);
  expect(ticksPerMl()).toBe(1.05);
  engine.taps.hardware.provision(withCalibration(5.4));
  expect(ticksPerMl()).toBe(5.4);
  engine.taps.hardware.setCalibration(1, 5.5);
  engine.taps.hardware.provision(withCalibration(5.4));
  expect(ticksPerMl()).toBe(5.5);
  engine.taps.hardware.provision(withCalibration(null));
  expect(ticksPerMl()).toBe(5.5);
});

test('connections made on the page stay', () => {
  const { engine, left, right } = openEmptyBar();
  engine.taps.connectMeter(left.id, null);
  engine.taps.connectToggle(right.id, 1, undefined, { moves: true });
  engine.taps.hardware.provision(declared);
  expect(engine.taps.find(left.id)?.tap).toMatchObject({ meter: null, toggle: null });
  expect(engine.taps.find(right.id)?.tap.toggle?.name).toBe('pi.relay0');
  expect(engine.taps.list()).toHaveLength(2);
});

test('hardware added to a tap in the file later is applied', () => {
  const { engine, left, right } = openEmptyBar();
  engine.taps.hardware.provision({
    ...declared,
    taps: [
      { name: 'Far left', meterPort: 'flow0', togglePort: 'relay0', thermoSensor: '28-000001' },
      { name: 'Right', meterPort: 'flow1' },
      { name: 'Hand pump' },
    ],
  });
  expect(engine.taps.find(left.id)?.tap).toMatchObject({
    name: 'Far left',
    meter: { name: 'pi.flow0' },
    toggle: { name: 'pi.relay0' },
    thermoSensor: { rawName: '28-000001' },
  });
  expect(engine.taps.find(right.id)?.tap.name).toBe('Right');
  expect(engine.taps.list().map(({ tap }) => tap.name)).toEqual(['Far left', 'Right', 'Hand pump']);
});

test('a meter already connected to another tap is not moved by the file', () => {
  const { engine } = openEmptyBar();
  const own = engine.taps.create({ name: 'Garden', sortOrder: 9 });
  engine.taps.connectMeter(own.id, 3);
  engine.taps.hardware.provision({
    ...declared,
    taps: [...declared.taps, { name: 'Third', meterPort: 'flow2' }],
  });
  expect(engine.taps.list()).toHaveLength(3);
  expect(engine.taps.find('pi.flow2')?.tap).toMatchObject({ id: own.id, name: 'Garden' });
});

test('a meter or toggle of another tap is refused, and nothing changes', () => {
  const { engine, left, right } = openEmptyBar();
  const toggle = engine.taps.hardware.toggles()[0]!;
  const before = engine.taps.list();
  for (const [connect, name] of [
    [() => engine.taps.connectMeter(right.id, 1), 'meter_on_other_tap'],
    [() => engine.taps.connectToggle(right.id, toggle.id), 'toggle_on_other_tap'],
    [() => engine.taps.hardware.changeMeter(1, { tapId: right.id }), 'meter_on_other_tap'],
  ] as const) {
    expect(connect).toThrow(
      expect.objectContaining({
        code: 'conflict',
        reason: { name, tap: engine.taps.find(left.id)!.tap.name },
      }),
    );
  }
  expect(engine.taps.list()).toEqual(before);
  // Its own tap is no other one.
  expect(engine.taps.connectMeter(left.id, 1).meter?.name).toBe('pi.flow0');
  expect(engine.taps.hardware.changeMeter(1, { tapId: left.id }).tapId).toBe(left.id);
});

test('hardware of another tap that is to be moved serves the new one', () => {
  const { engine, left, right } = openEmptyBar();
  expect(engine.taps.connectMeter(right.id, 1, undefined, { moves: true }).meter?.name).toBe('pi.flow0');
  expect(engine.taps.find(left.id)?.tap.meter).toBeNull();
  expect(engine.taps.hardware.meters()[1]?.tapId).toBeNull();
  expect(() => engine.taps.connectMeter(right.id, 99)).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
  expect(engine.taps.find(right.id)?.tap.meter?.name).toBe('pi.flow0');
  expect(() => engine.taps.connectMeter(99, 1)).toThrow(expect.objectContaining({ code: 'not_found' }));
});

test('a tap is found by id, by its text and by its meter only', () => {
  const { engine, left } = openEmptyBar();
  for (const ref of [left.id, String(left.id), 'pi.flow0'])
    expect(engine.taps.find(ref)?.tap.id).toBe(left.id);
  for (const ref of [
    99,
    -1,
    1.5,
    Number.NaN,
    '',
    'Left',
    'pi.flow2',
    '.flow0',
    '1e0',
    '0x1',
    '9'.repeat(30),
  ]) {
    expect(engine.taps.find(ref), String(ref)).toBeNull();
  }
});

test('another controller brings its own meters and relays', () => {
  const { engine } = openBar();
  const board = engine.taps.hardware.createController({ name: 'kegboard-1234', serialNumber: 'KB-1234' });
  expect(board).toMatchObject({ name: 'kegboard-1234', modelName: null, serialNumber: 'KB-1234' });
  expect(engine.taps.hardware.createMeter({ controllerId: board.id, portName: 'flow0' })).toMatchObject({
    name: 'kegboard-1234.flow0',
    ticksPerMl: 2.724,
    calibrated: false,
    tapId: null,
  });
  expect(
    engine.taps.hardware.createMeter({ controllerId: board.id, portName: 'flow1', ticksPerMl: 2.2 }),
  ).toMatchObject({ ticksPerMl: 2.2, calibrated: true });
  expect(engine.taps.hardware.createToggle({ controllerId: board.id, portName: 'relay0' }).name).toBe(
    'kegboard-1234.relay0',
  );
  expect(() => engine.taps.hardware.createController({ name: 'kegboard-1234' })).toThrow(refusedFor('name'));
  expect(() => engine.taps.hardware.createMeter({ controllerId: board.id, portName: 'flow0' })).toThrow(
    refusedFor('port_name'),
  );
  expect(() => engine.taps.hardware.createToggle({ controllerId: board.id, portName: 'relay0' })).toThrow(
    refusedFor('port_name'),
  );
  expect(() => engine.taps.hardware.createMeter({ controllerId: 99, portName: 'flow0' })).toThrow(
    refusedFor('controller'),
  );
});

test.each(['', ' ', 'kegboard.flow', 'x'.repeat(129)])('rejects %o as a controller’s name', (name) => {
  expect(() => openBar().engine.taps.hardware.createController({ name })).toThrow(refusedFor('name'));
});

test.each([0, -1, 0.0009, 1_001, Number.NaN, Number.POSITIVE_INFINITY])(
  'rejects %d ticks per millilitre',
  (ticksPerMl) => {
    const { engine } = openBar();
    expect(() => engine.taps.hardware.setCalibration(1, ticksPerMl)).toThrow(refusedFor('ticks_per_ml'));
  },
);

test('a new calibration affects later pours only', () => {
  const { engine } = openBar();
  const before = engine.drinks.pours.record(pour(at(0)), 'pin', at(0));
  engine.taps.hardware.setCalibration(1, 2);
  expect(engine.drinks.pours.record(pour(at(0)), 'pin', at(0)).volumeMl).toBe(150);
  expect(engine.drinks.get(before.id)?.drink.volumeMl).toBe(300);
});

test('taps are listed in sort order', () => {
  const { engine } = openEmptyBar();
  engine.taps.create({ name: 'Last', sortOrder: 7 });
  engine.taps.create({ name: 'Also first', notes: 'sticky handle', sortOrder: 0 });
  expect(engine.taps.list().map(({ tap }) => tap.name)).toEqual(['Left', 'Also first', 'Right', 'Last']);
  expect(() => engine.taps.create({ name: ' ' })).toThrow(refusedFor('name'));
  expect(() => engine.taps.create({ name: 'x', sortOrder: -1 })).toThrow(refusedFor('sort_order'));
});
