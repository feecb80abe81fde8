import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MainLoopToggles } from '../../../src/devices/gpio/main-loop-toggles.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** Two relays, one of which the kernel may refuse to switch. */
function openRelays() {
  const levels = [false, false];
  const problems: string[] = [];
  let isBroken = false;
  let ticks = 0;
  const toggles = new MainLoopToggles({
    names: ['pi.relay0', 'pi.relay1'],
    faults: [],
    set(relay, on) {
      if (isBroken && relay === 0) throw new Error('EIO');
      levels[relay] = on;
    },
    report: (problem, relay) => problems.push(`${relay}: ${problem.code}`),
    findLine: (meter) => (meter === 'pi.flow0' ? 0 : -1),
    countTicks: () => ticks,
  });
  return {
    toggles,
    levels,
    problems,
    setBroken(broken: boolean) {
      isBroken = broken;
    },
    pour(count: number) {
      ticks += count;
      vi.advanceTimersByTime(50);
    },
  };
}

const limit = { maxMs: 60_000, meter: 'pi.flow0', maxTicks: 100 };

test('a relay shuts at its last allowed tick', async () => {
  const { toggles, levels, pour } = openRelays();
  toggles.open('pi.relay0', limit);
  pour(99);
  expect(levels[0]).toBe(true);
  pour(1);
  expect([levels[0], toggles.isOpen('pi.relay0')]).toEqual([false, false]);
  await toggles.close();
});

test('a relay that cannot be shut is reported once and tried again, and the other one shuts', async () => {
  const { toggles, levels, problems, setBroken, pour } = openRelays();
  toggles.open('pi.relay0', limit);
  toggles.open('pi.relay1', limit);
  setBroken(true);
  pour(100);
  pour(0);
  expect(levels).toEqual([true, false]);
  expect(toggles.isOpen('pi.relay0')).toBe(true);
  expect(problems).toEqual(['pi.relay0: relay_not_shut']);
  setBroken(false);
  pour(0);
  expect([levels[0], toggles.isOpen('pi.relay0')]).toEqual([false, false]);
  await toggles.close();
});

test('a relay that cannot be shut by command is tried again', async () => {
  const { toggles, levels, setBroken, pour } = openRelays();
  toggles.open('pi.relay0', limit);
  setBroken(true);
  expect(() => toggles.shut('pi.relay0')).toThrow('EIO');
  setBroken(false);
  pour(0);
  expect(levels[0]).toBe(false);
  await toggles.close();
});

test('close shuts every relay that can be shut', async () => {
  const { toggles, levels, setBroken } = openRelays();
  toggles.open('pi.relay0', limit);
  toggles.open('pi.relay1', limit);
  setBroken(true);
  await toggles.close();
  expect(levels).toEqual([true, false]);
});
