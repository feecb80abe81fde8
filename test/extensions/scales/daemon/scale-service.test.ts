import { expect, test, vi } from 'vitest';
import { startScaleService } from '../../../../src/extensions/scales/daemon/scale-service.ts';
import { scales as extension } from '../../../../src/extensions/scales/extension.ts';
import { at, hour, minute, pour } from '../../../engine/bar.ts';
import { manualScheduler } from '../../../http/live/streams.ts';
import { openBarWithScales } from '../scales-on.ts';

function openService() {
  const bar = openBarWithScales();
  let passedMs = 0;
  const warnings: unknown[] = [];
  const scheduler = manualScheduler();
  const service = startScaleService({
    bus: bar.bus,
    scheduler,
    clock: { now: () => at(passedMs) },
    services: () => bar.engine.findService(extension),
    log: { warn: (details: unknown) => void warnings.push(details) },
  } as unknown as Parameters<typeof startScaleService>[0]);
  const tap = () => bar.engine.taps.find(bar.left.id)!;
  return {
    ...bar,
    scheduler,
    service,
    warnings,
    weigh: (weightG: number) => bar.engine.scales.receiveAt(tap(), { weightG }, at(passedMs)),
    stored: () => bar.store.scaleReadings.last(1),
    pass(ms: number) {
      passedMs += ms;
    },
    now: () => at(passedMs),
  };
}

test('weights are stored every ten minutes, when the daemon stops, and before the database is closed', () => {
  const bar = openService();
  bar.weigh(30_000);
  bar.scheduler.advance(9 * minute);
  expect(bar.stored()).toBeNull();
  bar.scheduler.advance(minute);
  expect(bar.stored()).toMatchObject({ weightG: 30_000 });
  bar.pass(minute);
  bar.weigh(29_000);
  bar.bus.publish({ type: 'database.closing' });
  expect(bar.stored()).toMatchObject({ weightG: 29_000 });
  bar.pass(minute);
  bar.weigh(28_000);
  bar.service.close();
  expect(bar.stored()).toMatchObject({ weightG: 28_000 });
});

test('weights that were taken before the feature was switched off are stored', () => {
  const bar = openService();
  bar.weigh(30_000);
  bar.bus.publish({ type: 'features.changed' });
  expect(bar.stored()).toMatchObject({ weightG: 30_000 });
  bar.pass(minute);
  bar.weigh(29_000);
  bar.engine.useExtensions([]);
  bar.service.close();
  expect(bar.stored()).toMatchObject({ weightG: 29_000 });
  expect(bar.scheduler.waiting).toBe(0);
});

test('weights that cannot be stored are logged, and stored with the next batch', () => {
  const bar = openService();
  bar.weigh(30_000);
  const { write } = bar.store.scaleReadings;
  Object.assign(bar.store.scaleReadings, {
    write() {
      throw new Error('disk full');
    },
  });
  bar.scheduler.advance(10 * minute);
  expect(bar.warnings).toHaveLength(1);
  Object.assign(bar.store.scaleReadings, { write });
  bar.scheduler.advance(10 * minute);
  expect(bar.stored()).toMatchObject({ weightG: 30_000 });
});

test('old weights are removed step by step, every second while more are left', () => {
  const bar = openService();
  const { id } = bar.engine.scales.create({ name: 'Left', tapId: bar.left.id });
  for (let count = 0; count < 2_500; count++)
    bar.engine.scales.receive(id, { weightG: 30_000 }, at(count * minute));
  bar.engine.scales.flush();
  const left = () =>
    bar.store.scaleReadings.between({
      scaleId: id,
      sinceMs: 0,
      untilMs: Number.MAX_SAFE_INTEGER,
      limit: 9_999,
    }).length;
  bar.pass(60 * 24 * hour);
  bar.scheduler.advance(minute);
  expect(left()).toBe(1_500);
  bar.scheduler.advance(2_000);
  expect(left()).toBe(0);
  const purge = vi.spyOn(bar.engine.scales, 'purge');
  bar.scheduler.advance(30_000);
  expect(purge.mock.calls.length).toBeLessThanOrEqual(1);
});

test('a weight that falls while beer runs is no moved keg, although its ticks are stored later', () => {
  const bar = openService();
  const weighFor = (seconds: number, weightG: (second: number) => number, isFlowing = false) => {
    for (let second = 0; second < seconds; second++) {
      bar.pass(1_000);
      if (isFlowing)
        bar.bus.publish({ type: 'pour.flowing', meter: 'pi.flow0', pourId: 'p', ticks: 30 * second });
      bar.weigh(weightG(second));
    }
  };
  weighFor(31 * 60, () => 39_000);
  // A jug of 3 L through a slow tap: 100 s at 30 mL/s.
  weighFor(100, (second) => 39_000 - 30.2 * second, true);
  weighFor(8, () => 35_984);
  bar.engine.drinks.pours.record(pour(bar.now(), { ticks: 3_000 }), 'pin', bar.now());
  weighFor(180, () => 35_984);
  expect(bar.engine.scales.findings(1)).toEqual([]);
});

test('a pour that waits long for its last tick is no moved keg', () => {
  const bar = openService();
  const weighFor = (seconds: number, weightG: number) => {
    for (let second = 0; second < seconds; second++) {
      bar.pass(1_000);
      bar.weigh(weightG);
    }
  };
  weighFor(31 * 60, 39_000);
  bar.bus.publish({ type: 'pour.started', meter: 'pi.flow0', pourId: 'p' });
  bar.bus.publish({ type: 'pour.flowing', meter: 'pi.flow0', pourId: 'p', ticks: 500 });
  weighFor(300, 38_497);
  bar.engine.drinks.pours.record(pour(bar.now(), { ticks: 500 }), 'pin', bar.now());
  bar.bus.publish({ type: 'pour.dripped', meter: 'pi.flow0', pourId: 'p', ticks: 500 });
  weighFor(180, 38_497);
  expect(bar.engine.scales.findings(1)).toEqual([]);
});

test('pours that a kegboard reports minutes later are not compared with weights since then', () => {
  const bar = openService();
  let weightG = 39_000;
  const weighFor = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      bar.pass(1_000);
      bar.weigh(weightG);
    }
  };
  weighFor(31 * 60);
  for (let count = 0; count < 8; count++) {
    const poured = pour(bar.now(), { ticks: 250 });
    weightG -= 251;
    weighFor(180);
    bar.engine.drinks.pours.record(poured, 'pin', bar.now());
    weighFor(60);
  }
  expect(bar.engine.scales.findings(1)).toEqual([]);
});
