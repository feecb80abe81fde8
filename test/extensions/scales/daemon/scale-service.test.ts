import { expect, test } from 'vitest';
import { createScaleService } from '../../../../src/extensions/scales/daemon/scale-service.ts';
import { at, minute, openBar, pour } from '../../../engine/bar.ts';

function openService() {
  const bar = openBar();
  let passedMs = 0;
  const warnings: unknown[] = [];
  const service = createScaleService({
    bus: bar.bus,
    clock: { now: () => at(passedMs) },
    engine: () => bar.engine,
    log: { warn: (details: unknown) => void warnings.push(details) } as never,
  });
  const tap = () => bar.engine.taps.find(bar.left.id)!;
  return {
    ...bar,
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
  for (let count = 0; count < 9; count++) bar.service.everyMinute();
  expect(bar.stored()).toBeNull();
  bar.service.everyMinute();
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

test('weights that cannot be stored are logged, and stored with the next batch', () => {
  const bar = openService();
  bar.weigh(30_000);
  const { write } = bar.store.scaleReadings;
  Object.assign(bar.store.scaleReadings, {
    write() {
      throw new Error('disk full');
    },
  });
  bar.service.close();
  expect(bar.warnings).toHaveLength(1);
  Object.assign(bar.store.scaleReadings, { write });
  bar.service.close();
  expect(bar.stored()).toMatchObject({ weightG: 30_000 });
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
