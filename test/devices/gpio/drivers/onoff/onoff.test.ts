import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OnoffLibrary, openOnoff } from '../../../../../src/devices/gpio/drivers/onoff/onoff.ts';
import type { Roots } from '../../../../../src/devices/gpio/host-info.ts';
import type { OpenPins } from '../../../../../src/devices/gpio/open-pins.ts';
import type { PinPlan } from '../../../../../src/devices/gpio/pin-plan.ts';

let folder: string;
let roots: Roots;
let pins: OpenPins | null = null;
let opened: FakeGpio[] = [];

/** A fake of the library: a test pulses its lines. */
class FakeGpio {
  readonly line: number;
  readonly direction: string;
  readonly option: unknown;
  readonly written: number[] = [];
  isExported = true;
  pulse: () => void = () => undefined;

  constructor(line: number, direction: string, option: unknown) {
    if (line === 512 + 9) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
    this.line = line;
    this.direction = direction;
    this.option = option;
    opened.push(this);
  }
  readSync(): 0 | 1 {
    return 1;
  }
  writeSync(value: 0 | 1): void {
    this.written.push(value);
  }
  watch(callback: (error: null) => void): void {
    this.pulse = () => callback(null);
  }
  unexport(): void {
    this.isExported = false;
  }
}

const library: OnoffLibrary = { Gpio: FakeGpio };

beforeEach(() => {
  opened = [];
  folder = mkdtempSync(join(tmpdir(), 'onoff-'));
  roots = { dev: join(folder, 'dev'), sys: join(folder, 'sys'), proc: join(folder, 'proc') };
  const chip = join(roots.sys, 'class/gpio/gpiochip512');
  mkdirSync(chip, { recursive: true });
  writeFileSync(join(chip, 'label'), 'pinctrl-bcm2835\n');
  writeFileSync(join(chip, 'base'), '512\n');
  writeFileSync(join(chip, 'ngpio'), '54\n');
});
afterEach(async () => {
  await pins?.input.close();
  pins = null;
  rmSync(folder, { recursive: true });
});

const plan: PinPlan = {
  meters: [
    { name: 'pi.flow0', pin: 17, bias: 'pull-up', edge: 'falling' },
    { name: 'pi.flow1', pin: 9, bias: 'pull-up', edge: 'falling' },
  ],
  relays: [{ name: 'pi.relay0', pin: 22, activeLow: true }],
  faults: [],
};

async function open(): Promise<OpenPins> {
  pins = await openOnoff({ plan, roots, report: () => undefined }, async () => library);
  return pins;
}

test('lines are opened by base plus offset, and one in use is a fault', async () => {
  const { input } = await open();
  expect(opened.map(({ line, direction, option }) => [line, direction, option])).toEqual([
    [512 + 22, 'high', { activeLow: true }],
    [512 + 17, 'in', 'falling'],
  ]);
  expect(input.faults.map((fault) => fault.name)).toEqual(['pi.flow1']);
  expect(input.description[0]?.message).toMatch(/512.*loses ticks/);
});

test('ticks are stamped on receipt, and losses are unknown without a table', async () => {
  const { input } = await open();
  const meter = opened.find(({ direction }) => direction === 'in')!;
  meter.pulse();
  meter.pulse();
  const before = input.drain();
  expect(before.lines.map(({ meter: name, stampsMonoMs }) => [name, stampsMonoMs.length])).toEqual([
    ['pi.flow0', 2],
  ]);
  const [first, second] = Array.from(before.lines[0]!.stampsMonoMs);
  expect(second! >= first!).toBe(true);
  expect(input.drain().untilMonoMs).toBeGreaterThanOrEqual(second!);
  expect(input.lines()).toMatchObject([{ name: 'pi.flow0', pin: 17, received: 2, level: 1 }]);
});

test('an export left by a crash is released first', async () => {
  mkdirSync(join(roots.sys, 'class/gpio/gpio529'));
  await open();
  expect(readFileSync(join(roots.sys, 'class/gpio/unexport'), 'utf8')).toBe('529');
});

test('a free line is not unexported', async () => {
  await open();
  expect(existsSync(join(roots.sys, 'class/gpio/unexport'))).toBe(false);
});

test('a relay is switched, and close switches it off and releases every line', async () => {
  const { input, toggles } = await open();
  const relay = opened.find(({ direction }) => direction === 'high')!;
  toggles.open('pi.relay0', { maxMs: 60_000 });
  expect([relay.written, toggles.isOpen('pi.relay0')]).toEqual([[1], true]);
  await input.close();
  pins = null;
  expect(relay.written.at(-1)).toBe(0);
  expect(opened.map((one) => one.isExported)).toEqual([false, false]);
});

test('relay limits out of range are rejected', async () => {
  const { toggles } = await open();
  expect(() => toggles.open('pi.relay0', { maxMs: 0 })).toThrow();
  expect(() => toggles.open('pi.relay0', { maxMs: Number.POSITIVE_INFINITY })).toThrow();
  expect(() => toggles.open('pi.relay0', { maxMs: 100, maxTicks: 5, meter: 'pi.nowhere' })).toThrow();
  expect(() => toggles.open('pi.nothing', { maxMs: 100 })).toThrow();
});
