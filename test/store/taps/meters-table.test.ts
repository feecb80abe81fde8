import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';

let store: Store;
let controllerId: number;

beforeEach(() => {
  store = openStore({ file: ':memory:' });
  controllerId = store.controllers.add({ name: 'pi', modelName: null, serialNumber: null }).id;
});
afterEach(() => store.close());

const add = (portName = 'flow0') =>
  store.taps.meters.add({ controllerId, portName, ticksPerMl: 2, calibrated: false });

test('a meter that nobody has measured says so', () => {
  const meter = add();
  expect(meter).toMatchObject({
    name: 'pi.flow0',
    calibrated: false,
    uFactor: null,
    measuredBy: null,
    curve: null,
    ticksTotal: 0,
    lastCountedMs: null,
  });
  expect(store.taps.meters.byId(meter.id)).toEqual(meter);
  const { ticksTotal: _ticks, lastCountedMs: _last, ...config } = meter;
  expect(store.taps.meters.byName('pi.flow0')).toEqual(config);
});

test('a factor keeps by what it was measured until somebody sets another one', () => {
  const { id } = add();
  const measured = { ticksPerMl: 3, uFactor: 0.01, measuredBy: { hz: 150, ticks: 900 }, uLagS: 0.02 };
  store.taps.meterEvidence.setFactor(id, measured, { ticksPerMl: 2, uFactor: 0.05 });
  expect(store.taps.meters.byId(id)).toMatchObject({ ...measured, calibrated: true });
  store.taps.meters.calibrate(id, 4);
  const set = { ticksPerMl: 4, calibrated: true, uFactor: null, measuredBy: null, uLagS: null };
  expect(store.taps.meters.byId(id)).toMatchObject(set);
  store.taps.meters.restoreCalibration({ id, ...measured, calibrated: true });
  expect(store.taps.meters.byId(id)).toMatchObject(measured);
  store.taps.meters.restoreCalibration({ id, ...set, calibrated: false });
  expect(store.taps.meters.byId(id)).toMatchObject({ ...set, calibrated: false });
});

test('a curve follows the factor of its meter', () => {
  const { id } = add();
  const curve = { points: [{ hz: 10, ticksPerMl: 2 }], offsetTicks: 0 };
  store.taps.meters.setCurve(id, curve, 2);
  expect(store.taps.meters.byId(id)!.curve).toEqual(curve);
  store.taps.meters.calibrate(id, 4);
  expect(store.taps.meters.byId(id)!.curve!.points).toEqual([{ hz: 10, ticksPerMl: 4 }]);
  store.taps.meters.setCurve(id, null, 4);
  expect(store.taps.meters.byId(id)!.curve).toBeNull();
});

test('ticks belong to a name: the meter that has it takes over what was counted under it', () => {
  store.taps.meters.countWithoutMeter('pi.flow0', 5);
  store.taps.meters.countWithoutMeter('pi.flow0', 2);
  const { id, ticksTotal } = add();
  expect(ticksTotal).toBe(7);
  store.taps.meters.count(id, 3);
  store.taps.meters.rename(id, 'flow1');
  store.taps.meters.remove(id);
  expect([add('flow0'), add('flow1'), add('flow2')].map((meter) => meter.ticksTotal)).toEqual([10, 10, 0]);
});

test('the time of the last pour never goes back', () => {
  const { id } = add();
  for (const [ms, expected] of [
    [null, null],
    [0, null],
    [50, 50],
    [40, 50],
    [null, 50],
    [60, 60],
  ] as const) {
    store.taps.meters.count(id, 1, ms);
    expect(store.taps.meters.byId(id)!.lastCountedMs).toBe(expected);
  }
  expect(store.taps.meters.byId(id)!.ticksTotal).toBe(6);
});

test('a tap has at most one meter, and an unknown name none', () => {
  const tapId = store.taps.add({ name: 'Left', notes: '', sortOrder: 0, number: 1 });
  const [one, other] = [add('flow0'), add('flow1')];
  store.taps.meters.bind(one.id, tapId);
  expect(store.taps.meters.byTap(tapId)).toMatchObject({ id: one.id, tapId });
  expect(() => store.taps.meters.bind(other.id, tapId)).toThrow('UNIQUE');
  store.taps.meters.unbindTap(tapId);
  store.taps.meters.bind(other.id, tapId);
  expect(store.taps.meters.byTap(tapId)!.id).toBe(other.id);
  store.taps.meters.unbind(other.id);
  expect(store.taps.meters.byTap(tapId)).toBeNull();
  for (const name of ['pi.flow9', 'x.flow0', 'flow0', '.flow0', ''])
    expect(store.taps.meters.byName(name)).toBeNull();
});
