import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPigpio, type PigpioLibrary } from '../../../../../src/devices/gpio/drivers/pigpio/pigpio.ts';
import { PigpioClock } from '../../../../../src/devices/gpio/drivers/pigpio/pigpio-clock.ts';
import type { Roots } from '../../../../../src/devices/gpio/host-info.ts';
import type { PinPlan } from '../../../../../src/devices/gpio/pin-plan.ts';

let folder: string;
let roots: Roots;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pigpio-'));
  roots = { dev: folder, sys: folder, proc: folder };
});
afterEach(() => rmSync(folder, { recursive: true }));

const plan: PinPlan = {
  meters: [
    { name: 'pi.flow0', pin: 17, bias: 'pull-up', edge: 'falling' },
    { name: 'pi.flow1', pin: 40, bias: 'pull-up', edge: 'falling' },
  ],
  relays: [{ name: 'pi.relay0', pin: 22, activeLow: true }],
  faults: [],
};
const request = () => ({ plan, roots, report: () => undefined });

/** A fake of the library: a test sends the alerts. */
function createFakeLibrary() {
  const alerts = new Map<number, (level: number, tick: number) => void>();
  const written: [number, number][] = [];
  let terminated = 0;
  const library: PigpioLibrary = {
    Gpio: class {
      readonly pin: number;
      constructor(pin: number) {
        this.pin = pin;
      }
      on(_event: 'alert', listener: (level: number, tick: number) => void): void {
        alerts.set(this.pin, listener);
      }
      digitalRead(): 0 | 1 {
        return 0;
      }
      digitalWrite(level: 0 | 1): void {
        written.push([this.pin, level]);
      }
      disableAlert(): void {
        alerts.delete(this.pin);
      }
    },
    getTick: () => 1_000_000,
    initialize: () => undefined,
    terminate: () => {
      terminated++;
    },
  };
  return { library, alerts, written, terminations: () => terminated };
}

test('microseconds are converted to the monotonic clock across their wrap', () => {
  const clock = new PigpioClock(0xffff_fff0, 5_000);
  expect(clock.toMonoMs(0xffff_fff0)).toBe(5_000);
  expect(clock.toMonoMs(0x0000_03d8)).toBe(5_001);
  expect(clock.toMonoMs(0xffff_fc08)).toBe(4_999);
  clock.anchor(2_000, 9_000);
  expect(clock.toMonoMs(2_500)).toBe(9_000.5);
});

test('only the configured edge is a tick, with the sampler’s time stamp', async () => {
  const { library, alerts, terminations } = createFakeLibrary();
  const { input } = await openPigpio(request(), async () => library);
  alerts.get(17)!(0, 1_000_000);
  alerts.get(17)!(1, 1_000_700);
  alerts.get(17)!(0, 1_001_500);
  const { lines, untilMonoMs } = input.drain();
  const [first, second] = Array.from(lines[0]!.stampsMonoMs);
  expect(second! - first!).toBeCloseTo(1.5, 6);
  expect(lines[0]!.lost).toBeNull();
  expect(untilMonoMs).toBeCloseTo(second!, 6);
  expect(input.faults.map((fault) => fault.name)).toEqual(['pi.flow1']);
  await input.close();
  expect([alerts.size, terminations()]).toEqual([0, 1]);
});

test('a relay of an active-low board is off when its pin is high', async () => {
  const { library, written } = createFakeLibrary();
  const { input, toggles } = await openPigpio(request(), async () => library);
  toggles.open('pi.relay0', { maxMs: 1_000 });
  await input.close();
  expect(written).toEqual([
    [22, 1],
    [22, 0],
    [22, 1],
  ]);
});

test('on a Pi 5 the message recommends the character device, and the library is not loaded', async () => {
  mkdirSync(join(folder, 'device-tree'));
  writeFileSync(join(folder, 'device-tree/model'), 'Raspberry Pi 5 Model B Rev 1.0\0');
  const opening = openPigpio(request(), async () => {
    throw new Error('was loaded');
  });
  await expect(opening).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('“cdev”'),
  });
});

test('a missing C library gives a clear message', async () => {
  const { library } = createFakeLibrary();
  const broken = {
    ...library,
    initialize: () => {
      throw new TypeError('pigpio.gpioInitialise is not a function');
    },
  };
  await expect(openPigpio(request(), async () => broken)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('C library'),
  });
});
