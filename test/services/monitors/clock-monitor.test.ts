import { expect, test } from 'vitest';
import { joinMessages } from '../../../src/core/health/problems.ts';
import { ClockMonitor } from '../../../src/services/monitors/clock-monitor.ts';
import { createClock } from '../../../src/system/clock.ts';
import { createLog } from '../../../src/system/log/log.ts';
import { at, openBar } from '../../engine/bar.ts';

const { log } = createLog({ level: 'fatal', write: () => {} });

/** A Pi that boots in 1970 and gets the time from `synchronizeTo`. */
function bootWithoutTime() {
  let flag: 'absent' | 'present' = 'absent';
  let wallMs = Date.UTC(1970, 0, 1);
  let monoMs = 5_000;
  const readings = {
    bootId: 'boot-9',
    monoMs: () => monoMs,
    uptimeMs: () => monoMs,
    wallMs: () => wallMs,
    flagFile: () => flag,
  };
  return {
    readings,
    pass(ms: number) {
      monoMs += ms;
      wallMs += ms;
    },
    synchronizeTo(trueMs: number) {
      wallMs = trueMs;
      flag = 'present';
    },
  };
}

test('a drink poured before the clock was set gets its true time afterwards', () => {
  const pi = bootWithoutTime();
  const bar = openBar();
  const clock = createClock({ readings: pi.readings });
  const problems: (string | null)[] = [];
  const { clockCorrection } = bar.engine.drinks;
  const monitor = new ClockMonitor({
    clock,
    reportProblem: (current) => problems.push(joinMessages(current)),
    log,
  });
  monitor.start(clockCorrection);
  monitor.poll(clockCorrection);
  expect(problems.at(-1)).toMatch(/The time of this Pi is not set yet/);

  const drink = bar.engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 200, source: 'post' }, clock.now());
  expect(drink.timeCertain).toBe(false);
  pi.pass(90_000);
  const trueMs = Date.UTC(2026, 10, 20, 21, 30);
  pi.synchronizeTo(trueMs);
  monitor.poll(clockCorrection);

  const corrected = bar.engine.drinks.get(drink.id)!.drink;
  expect(corrected).toMatchObject({ timeCertain: true, pourTimeMs: trueMs - 90_000 });
  expect(problems.at(-1)).toBeNull();
  expect(bar.engine.site.checkDatabase()).toEqual([]);
});

test('before the clock is set, time does not start below the newest certain time in the database', () => {
  const bar = openBar();
  bar.engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 200, source: 'post' }, at(3_600_000));
  const clock = createClock({ readings: bootWithoutTime().readings });
  new ClockMonitor({ clock, reportProblem() {}, log }).start(bar.engine.drinks.clockCorrection);
  expect(clock.now().wallMs).toBeGreaterThanOrEqual(at(3_600_000).wallMs);
  expect(clock.now().synced).toBe(false);
});

test('a clock that is set while the database is closed corrects the times when it is open again', () => {
  const pi = bootWithoutTime();
  const bar = openBar();
  const clock = createClock({ readings: pi.readings });
  const monitor = new ClockMonitor({ clock, reportProblem() {}, log });
  const { clockCorrection } = bar.engine.drinks;
  monitor.start(clockCorrection);
  const drink = bar.engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 200, source: 'post' }, clock.now());
  const trueMs = Date.UTC(2026, 10, 20, 21, 30);
  pi.synchronizeTo(trueMs);
  monitor.poll(null);
  expect(bar.engine.drinks.get(drink.id)!.drink.timeCertain).toBe(false);
  monitor.poll(clockCorrection);
  expect(bar.engine.drinks.get(drink.id)!.drink).toMatchObject({ timeCertain: true, pourTimeMs: trueMs });
});
