import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { feedWatchdog } from '../../src/daemon/run-daemon.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Feeds a watchdog with an interval of 10 s; the pulses were drained `sinceHeartbeatMs` ago. */
function createWatchdog(options: { readonly isActive?: boolean; readonly intervalMs?: number | null } = {}) {
  const { isActive = true, intervalMs = 10_000 } = options;
  let notifications = 0;
  let sinceHeartbeatMs = 50;
  let isPermitted = true;
  const stop = feedWatchdog({
    systemd: { isActive, watchdog: () => notifications++ },
    intervalMs,
    sinceHeartbeatMs: () => sinceHeartbeatMs,
    mayNotify: () => isPermitted,
  });
  return {
    stop,
    setSinceHeartbeat: (ms: number) => {
      sinceHeartbeatMs = ms;
    },
    permit: (value: boolean) => {
      isPermitted = value;
    },
    /** How often the watchdog is fed in the next minute. */
    countInOneMinute() {
      const before = notifications;
      vi.advanceTimersByTime(60_000);
      return notifications - before;
    },
  };
}

test('the watchdog is fed only while the pulses are drained', () => {
  const { countInOneMinute, setSinceHeartbeat, stop } = createWatchdog();
  expect(countInOneMinute()).toBe(6);
  setSinceHeartbeat(4_900);
  expect(countInOneMinute()).toBe(6);
  setSinceHeartbeat(5_000);
  expect(countInOneMinute()).toBe(0);
  setSinceHeartbeat(50);
  expect(countInOneMinute()).toBe(6);
  stop();
  expect(countInOneMinute()).toBe(0);
});

test('the watchdog is not fed while a restart is to repair the pins', () => {
  const { countInOneMinute, permit, stop } = createWatchdog();
  permit(false);
  expect(countInOneMinute()).toBe(0);
  permit(true);
  expect(countInOneMinute()).toBe(6);
  stop();
});

test('without a watchdog nothing is sent', () => {
  expect(createWatchdog({ isActive: false }).countInOneMinute()).toBe(0);
  expect(createWatchdog({ intervalMs: null }).countInOneMinute()).toBe(0);
});
