import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '../../src/core/app-error.ts';
import type { WallReading } from '../../src/core/clock/clock-rules.ts';
import { createClock } from '../../src/system/clock.ts';
import { machineReadings } from '../../src/system/clock-readings.ts';

const second = 1_000;
const may = Date.UTC(2026, 4, 9, 20, 0, 0);
const twoMonthsEarlier = Date.UTC(2026, 2, 9, 20, 0, 0);

/** A Pi whose clock and time service are controlled by the test. */
function createMachine(options: { wallMs: number; flag?: WallReading['flagFile']; monoMs?: number }) {
  const machine = {
    wall: options.wallMs,
    mono: options.monoMs ?? 10 * second,
    slept: 0,
    flag: options.flag ?? 'absent',
  };
  return {
    readings: {
      monoMs: () => machine.mono,
      uptimeMs: () => machine.mono + machine.slept,
      wallMs: () => machine.wall,
      flagFile: () => machine.flag as WallReading['flagFile'],
      bootId: 'boot-1',
    },
    advance(ms: number) {
      machine.mono += ms;
      machine.wall += ms;
    },
    sleep(ms: number) {
      machine.slept += ms;
      machine.wall += ms;
    },
    stepWallTo(ms: number) {
      machine.wall = ms;
    },
    synchronizeTo(ms: number) {
      machine.wall = ms;
      machine.flag = 'present';
    },
    setTimeService(flag: WallReading['flagFile']) {
      machine.flag = flag;
    },
  };
}

test('a Pi with a set clock is synced at once, and nothing needs correction', () => {
  const machine = createMachine({ wallMs: may, flag: 'present' });
  const clock = createClock({ readings: machine.readings, newestSyncedMs: null });
  expect(clock.now()).toEqual({ monoMs: 10_000, wallMs: may, synced: true, bootId: 'boot-1' });
  expect(clock.poll()).toBe('unchanged');
  expect(clock.source).toBe('system');
});

test('a Pi that boots two months early starts at the newest stored time and is not synced', () => {
  const machine = createMachine({ wallMs: twoMonthsEarlier });
  const clock = createClock({ readings: machine.readings, newestSyncedMs: may });
  expect(clock.now()).toMatchObject({ wallMs: may, synced: false });
  machine.advance(90 * second);
  expect(clock.now()).toMatchObject({ wallMs: may + 90 * second, synced: false });
});

test('setting the time during a run is reported once and does not change durations', () => {
  const machine = createMachine({ wallMs: twoMonthsEarlier });
  const clock = createClock({ readings: machine.readings, newestSyncedMs: null });
  const before = clock.now();
  machine.advance(30 * second);
  expect(clock.poll()).toBe('unchanged');
  machine.synchronizeTo(may);
  expect(clock.now().synced).toBe(false);
  expect(clock.poll()).toBe('synced-now');
  expect(clock.poll()).toBe('unchanged');
  const after = clock.now();
  expect(after).toMatchObject({ wallMs: may, synced: true });
  expect(after.monoMs - before.monoMs).toBe(30 * second);
});

test('once the clock is set, its time applies even if it is before the newest stored time', () => {
  const machine = createMachine({ wallMs: may });
  const clock = createClock({ readings: machine.readings, newestSyncedMs: may + 3600 * second });
  expect(clock.now().wallMs).toBe(may + 3600 * second);
  machine.synchronizeTo(may);
  clock.poll();
  expect(clock.now()).toMatchObject({ wallMs: may, synced: true });
});

test('a set clock that steps back is followed; an unset one advances on its own', () => {
  const set = createMachine({ wallMs: may, flag: 'present' });
  const followed = createClock({ readings: set.readings });
  set.stepWallTo(may - 5 * second);
  expect(followed.poll()).toBe('unchanged');
  expect(followed.now().wallMs).toBe(may - 5 * second);

  const unset = createMachine({ wallMs: may });
  const held = createClock({ readings: unset.readings, newestSyncedMs: twoMonthsEarlier });
  for (const leap of [twoMonthsEarlier, may + 3600 * second]) {
    unset.stepWallTo(leap);
    expect(held.poll()).toBe('unchanged');
    expect(held.now()).toMatchObject({ wallMs: may, synced: false });
  }
  unset.advance(30 * second);
  expect(held.now().wallMs).toBe(may + 30 * second);
});

test.each([-3600, 3600, -90, 90])('a step of %s s of a trusted clock is reported once', (s) => {
  const machine = createMachine({ wallMs: may, flag: 'unsupported' });
  const clock = createClock({ readings: machine.readings, buildYear: 2026 });
  machine.advance(20 * second);
  expect(clock.poll()).toBe('unchanged');
  machine.advance(second);
  machine.stepWallTo(may + (21 + s) * second);
  expect(clock.poll()).toEqual({ steppedMs: s * second });
  expect(clock.poll()).toBe('unchanged');
  expect(clock.now()).toMatchObject({ wallMs: may + (21 + s) * second, synced: true });
});

test('sleep is not reported as a step of the clock', () => {
  const machine = createMachine({ wallMs: may, flag: 'present' });
  const clock = createClock({ readings: machine.readings });
  machine.sleep(8 * 3600 * second);
  machine.advance(second);
  expect(clock.poll()).toBe('unchanged');
});

test('a stopped time service does not unset the clock', () => {
  const machine = createMachine({ wallMs: may, flag: 'present' });
  const clock = createClock({ readings: machine.readings });
  machine.setTimeService('absent');
  expect(clock.poll()).toBe('unchanged');
  expect(clock.now().synced).toBe(true);
});

test('without a known time service the year decides', () => {
  const old = createMachine({ wallMs: Date.UTC(2025, 11, 31), flag: 'unsupported' });
  const clock = createClock({ readings: old.readings, buildYear: 2026 });
  expect(clock.now().synced).toBe(false);
  old.stepWallTo(Date.UTC(2026, 0, 1));
  expect(clock.poll()).toBe('synced-now');
  expect(clock.now().synced).toBe(true);
});

test('a plausible year is not enough while the time service is not synchronized', () => {
  const machine = createMachine({ wallMs: may, flag: 'absent' });
  const clock = createClock({ readings: machine.readings });
  expect(clock.poll()).toBe('unchanged');
  expect(clock.now().synced).toBe(false);
});

test('a manually set time advances on its own until the time service has the time', () => {
  const machine = createMachine({ wallMs: twoMonthsEarlier });
  const clock = createClock({ readings: machine.readings, newestSyncedMs: null });
  clock.setManually(may);
  expect(clock.source).toBe('manual');
  expect(clock.poll()).toBe('synced-now');
  machine.advance(60 * second);
  expect(clock.now()).toMatchObject({ wallMs: may + 60 * second, synced: true });

  machine.synchronizeTo(may + 75 * second);
  expect(clock.poll()).toBe('synced-now');
  expect(clock.source).toBe('system');
  expect(clock.now().wallMs).toBe(may + 75 * second);
});

test.each([
  [Date.UTC(2025, 11, 31), 'invalid_request'],
  [Date.UTC(2099, 0, 1), 'invalid_request'],
  [Number.NaN, 'invalid_request'],
])('the time cannot be set manually to %s', (wallMs, code) => {
  const clock = createClock({
    readings: createMachine({ wallMs: twoMonthsEarlier }).readings,
    buildYear: 2026,
  });
  expect(codeOf(() => clock.setManually(wallMs))).toBe(code);
  expect(clock.now().synced).toBe(false);
});

test('the time cannot be set manually when the clock is synchronized, even if just now', () => {
  const machine = createMachine({ wallMs: twoMonthsEarlier });
  const clock = createClock({ readings: machine.readings });
  machine.synchronizeTo(may);
  expect(codeOf(() => clock.setManually(may + second))).toBe('conflict');
});

test('machineReadings reads the flag file, its folder and the boot id', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-clock-'));
  const service = join(folder, 'timesync');
  const flagFile = join(service, 'synchronized');
  const bootIdFile = join(folder, 'boot_id');
  writeFileSync(bootIdFile, '0b7cb3e1-4f5e-4d2a-8d1e-0d8f2f6f3c11\n');
  const readings = machineReadings({ flagFile, bootIdFile });
  expect(readings.bootId).toBe('0b7cb3e1-4f5e-4d2a-8d1e-0d8f2f6f3c11');
  expect(readings.flagFile()).toBe('unsupported');
  mkdirSync(service);
  expect(readings.flagFile()).toBe('absent');
  writeFileSync(flagFile, '');
  expect(readings.flagFile()).toBe('present');
  expect(readings.monoMs()).toBeLessThanOrEqual(readings.monoMs());
  expect(readings.uptimeMs()).toBeGreaterThanOrEqual(readings.monoMs() - second);

  const nameless = () => machineReadings({ flagFile, bootIdFile: join(folder, 'none') }).bootId;
  expect(nameless()).not.toBe(nameless());
  rmSync(folder, { recursive: true });
});

function codeOf(action: () => void): string | null {
  try {
    action();
  } catch (fault) {
    if (fault instanceof AppError) return fault.code;
    throw fault;
  }
  return null;
}
