import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { feedWatchdog } from '../../src/daemon/feed-watchdog.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A daemon whose pulses were drained `sinceBeatMs` ago, watched by a manager that asks every ten seconds. */
function watched(options: { readonly isActive?: boolean; readonly intervalMs?: number | null } = {}) {
  const { isActive = true, intervalMs = 10_000 } = options;
  let meals = 0;
  let sinceBeatMs = 50;
  const stop = feedWatchdog({
    systemd: { isActive, watchdog: () => meals++ },
    intervalMs,
    sinceHeartbeatMs: () => sinceBeatMs,
  });
  return {
    stop,
    hang: (ms: number) => {
      sinceBeatMs = ms;
    },
    /** How often the watchdog was fed in the next minute. */
    minute() {
      const before = meals;
      vi.advanceTimersByTime(60_000);
      return meals - before;
    },
  };
}

test('the watchdog is fed while the pulses are drained, and starves when they are not', () => {
  const { minute, hang, stop } = watched();
  expect(minute()).toBe(6);
  hang(4_900);
  expect(minute()).toBe(6);
  hang(5_000);
  expect(minute()).toBe(0);
  hang(50);
  expect(minute()).toBe(6);
  stop();
  expect(minute()).toBe(0);
});

test('where nobody watches, nobody is fed', () => {
  expect(watched({ isActive: false }).minute()).toBe(0);
  expect(watched({ intervalMs: null }).minute()).toBe(0);
});
