import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProblem } from '../../../src/core/health/problems.ts';
import { openPins } from '../../../src/devices/gpio/choose-driver.ts';
import type { Roots } from '../../../src/devices/gpio/host-info.ts';

let folder: string;
let roots: Roots;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pins-'));
  roots = { dev: join(folder, 'dev'), sys: join(folder, 'sys'), proc: join(folder, 'proc') };
  for (const root of Object.values(roots)) mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true }));

const meters = [{ port: 'flow0', pin: 17, min_gap_ms: 1.2, bias: 'pull-up', edge: 'falling' }] as const;
const toggles = [{ port: 'relay0', pin: 22, active_low: false }];
const options = (driver: 'auto' | 'cdev' | 'onoff' | 'pigpio', chip?: string) => ({
  gpio: chip === undefined ? { driver } : { driver, chip },
  controller: 'pi',
  meters: [...meters],
  toggles,
  roots,
});

test('without GPIO every line is a fault and each attempt has a message', async () => {
  const pins = await openPins(options('auto'));
  expect(pins.driver).toBe('none');
  expect(pins.attempts).toHaveLength(2);
  expect(pins.attempts[0]).toMatch(/^cdev cannot be used: .*no GPIO character device/);
  expect(pins.attempts[1]).toMatch(/^onoff cannot be used: .*\/sys\/class\/gpio/);
  expect(pins.input.faults.map((fault) => fault.name)).toEqual(['pi.flow0', 'pi.relay0']);
  expect(pins.input.faults[0]!.problem.code).toBe('gpio_chip_none');
  const first = pins.input.drain();
  expect(first.lines).toEqual([]);
  expect(pins.input.drain().untilMonoMs).toBeGreaterThanOrEqual(first.untilMonoMs);
  await pins.input.close();
});

test('opening a relay without a driver throws the problem', async () => {
  const { toggles: relays, input } = await openPins(options('cdev'));
  expect(() => relays.open('pi.relay0', { maxMs: 100 })).toThrow(/no GPIO character device/);
  expect(() => relays.open('pi.relay9', { maxMs: 100 })).toThrow(/No relay/);
  relays.shut('pi.relay0');
  expect(relays.isOpen('pi.relay0')).toBe(false);
  await input.close();
});

test('a device file that is not a chip is named in the message', async () => {
  writeFileSync(join(roots.dev, 'gpiochip0'), '');
  const pins = await openPins(options('cdev', join(roots.dev, 'gpiochip0')));
  expect(pins.input.description[0]?.message).toContain('gpiochip0');
  expect(pins.attempts).toHaveLength(1);
  await pins.input.close();
});

test('a pin configured twice belongs to the first use, and the second is a fault', async () => {
  const pins = await openPins({
    ...options('onoff'),
    toggles: [{ port: 'relay0', pin: 17, active_low: false }],
  });
  expect(pins.input.faults).toContainEqual({
    name: 'pi.relay0',
    problem: createProblem('pin_used_twice', { pin: 17, owner: 'pi.flow0', part: 'pi.relay0' }),
  });
});

test('no driver is tried when no pins are configured', async () => {
  const pins = await openPins({ ...options('auto'), meters: [], toggles: [] });
  expect([pins.driver, pins.attempts, pins.input.faults]).toEqual(['none', [], []]);
});
