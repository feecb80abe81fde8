import { expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import type { Problem } from '../../../src/core/health/problems.ts';
import { startDripMonitor } from '../../../src/services/monitors/drip-monitor.ts';
import { openBar } from '../../engine/bar.ts';

const minuteMs = 60_000;

test('a tap that drips for hours is a problem, which ends two hours after the drips', () => {
  const { engine } = openBar();
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const clock = { ms: 0 };
  let problems: readonly Problem[] = [];
  const monitor = startDripMonitor({
    bus,
    engine: () => engine,
    nowMonoMs: () => clock.ms,
    reportProblem: (reported) => {
      problems = reported;
    },
  });
  for (let i = 1; i <= 6; i++) {
    expect(problems).toEqual([]);
    clock.ms = i * 15 * minuteMs;
    bus.publish({ type: 'pour.dripped', meter: 'pi.flow0', pourId: `p${i}`, ticks: 2 });
    monitor.everyMinute();
  }
  expect(problems).toMatchObject([{ code: 'tap_dripping', params: { tap: 'Left' } }]);
  clock.ms += 130 * minuteMs;
  monitor.everyMinute();
  expect(problems).toEqual([]);
});
