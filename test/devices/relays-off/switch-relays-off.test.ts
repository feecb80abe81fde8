import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Roots } from '../../../src/devices/gpio/host-info.ts';
import { requestRelays } from '../../../src/devices/gpio/line-request.ts';
import type { StoredRelay } from '../../../src/devices/relays-off/relay-file.ts';
import { switchRelaysOff } from '../../../src/devices/relays-off/switch-relays-off.ts';
import { LevelKernel } from '../gpio/level-kernel.ts';

let folder: string;
let roots: Roots;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relays-'));
  roots = { dev: join(folder, 'dev'), sys: join(folder, 'sys'), proc: join(folder, 'proc') };
  for (const root of Object.values(roots)) mkdirSync(root);
  writeFileSync(join(roots.dev, 'gpiochip0'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

const relay: StoredRelay = { name: 'pi.relay0', chip: 'paper', pin: 24, activeLow: false };
const activeLowRelay: StoredRelay = { name: 'pi.relay1', chip: 'paper', pin: 25, activeLow: true };
const off = [0, 1];
const on = [1, 0];

/** A killed daemon that held both relays open. */
function killOpenDaemon(kernel: LevelKernel): void {
  const hostInfo = { board: 'Raspberry Pi 4 Model B', kernel: '6.12.25' };
  const chip = {
    path: join(roots.dev, 'gpiochip0'),
    name: 'gpiochip0',
    label: 'paper',
    lines: 54,
    compatible: [],
  };
  const { granted } = requestRelays({ kernel, chip, hostInfo, consumer: 'tapster-1' }, [
    relay,
    activeLowRelay,
  ]);
  for (const { fd } of granted) kernel.switchOutput(fd, true);
  kernel.killOwner();
}

const levels = (kernel: LevelKernel) => [kernel.level(24), kernel.level(25)];

/** Switches the relays off; time passes only while it waits. */
function switchOff(
  kernel: LevelKernel,
  relays: readonly StoredRelay[],
  onWait: () => void = () => undefined,
) {
  let nowMs = 0;
  const wait = (ms: number) => {
    nowMs += ms;
    onWait();
  };
  return { ...switchRelaysOff(relays, { roots, kernel, nowMs: () => nowMs, wait }), tookMs: nowMs };
}

test('relays that a killed daemon left open are off afterwards, on a chip whose outputs keep their level', () => {
  const kernel = new LevelKernel(54, true);
  killOpenDaemon(kernel);
  expect(levels(kernel)).toEqual(on);
  expect(switchOff(kernel, [relay, activeLowRelay])).toMatchObject({ problems: [], tookMs: 0 });
  expect(levels(kernel)).toEqual(off);
  expect(kernel.open.size).toBe(0);
});

test('on a chip whose outputs become inputs the pull resistors keep both relays off', () => {
  const kernel = new LevelKernel(54, false);
  killOpenDaemon(kernel);
  expect(levels(kernel)).toEqual(off);
  switchOff(kernel, [relay, activeLowRelay]);
  expect(levels(kernel)).toEqual(off);
});

test('a chip that refuses a pull resistor on an output gets the relay without one', () => {
  const kernel = new LevelKernel(54, true);
  killOpenDaemon(kernel);
  const request = kernel.requestLines;
  kernel.requestLines = (path, wanted) => {
    if (wanted.lines[0]!.flags >= 256n) throw Object.assign(new Error('refused'), { code: 'EINVAL' });
    return request(path, wanted);
  };
  expect(switchOff(kernel, [relay, activeLowRelay]).problems).toEqual([]);
  expect(levels(kernel)).toEqual(off);
});

test('a line that the dying daemon still holds is tried again until it is free', () => {
  const kernel = new LevelKernel(54, true);
  killOpenDaemon(kernel);
  kernel.owners.set(24, 'tapster-1');
  let waits = 0;
  const { problems, tookMs } = switchOff(kernel, [relay, activeLowRelay], () => {
    // The second relay did not wait for the first.
    expect(kernel.level(25)).toBe(1);
    if (++waits === 10) kernel.owners.delete(24);
  });
  expect({ problems, tookMs }).toEqual({ problems: [], tookMs: 500 });
  expect(levels(kernel)).toEqual(off);
});

test('a line that stays in use is given up after four seconds, with its owner, and the others are off', () => {
  const kernel = new LevelKernel(54, true);
  killOpenDaemon(kernel);
  kernel.owners.set(24, 'other-program');
  const { switched, problems, tookMs } = switchOff(kernel, [relay, activeLowRelay]);
  expect(switched).toEqual([activeLowRelay]);
  expect(problems).toEqual([
    expect.stringMatching(/^pi\.relay0: GPIO 24 .* is already taken by “other-program”/),
  ]);
  expect(tookMs).toBe(4_000);
});

test('a relay on a missing chip is a problem at once and does not keep the others on', () => {
  const kernel = new LevelKernel(54, true);
  killOpenDaemon(kernel);
  const lost = { ...relay, name: 'pi.relay7', chip: 'extension' };
  const { problems, tookMs } = switchOff(kernel, [lost, relay, activeLowRelay]);
  expect(tookMs).toBe(0);
  expect(problems).toEqual([expect.stringContaining('labelled “extension”')]);
  expect(levels(kernel)).toEqual(off);
});

test('each relay is switched on its own chip', () => {
  writeFileSync(join(roots.dev, 'gpiochip1'), '');
  const kernel = new LevelKernel(54, true);
  kernel.chipInfo = ((path: string) => ({
    name: path.slice(-9),
    label: path.endsWith('0') ? 'paper' : 'extension',
    lines: 54,
  })) as LevelKernel['chipInfo'];
  const paths: string[] = [];
  const request = kernel.requestLines;
  kernel.requestLines = (path, wanted) => {
    paths.push(path.slice(folder.length));
    return request(path, wanted);
  };
  expect(switchOff(kernel, [relay, { ...activeLowRelay, chip: 'extension' }]).problems).toEqual([]);
  expect(paths).toEqual(['/dev/gpiochip0', '/dev/gpiochip1']);
});

test('a relay that the driver onoff left exported is switched off through sysfs', () => {
  const chip = join(roots.sys, 'class/gpio/gpiochip512');
  mkdirSync(chip, { recursive: true });
  for (const [file, text] of Object.entries({ label: 'paper', base: '512', ngpio: '54' }))
    writeFileSync(join(chip, file), text);
  const exported = join(roots.sys, 'class/gpio/gpio537');
  mkdirSync(exported);
  writeFileSync(join(exported, 'direction'), 'out\n');
  const kernel = new LevelKernel(54, true);
  kernel.owners.set(25, 'sysfs');
  expect(switchOff(kernel, [relay, activeLowRelay])).toMatchObject({ problems: [], tookMs: 0 });
  expect(readFileSync(join(exported, 'direction'), 'utf8')).toMatch(/^high/);
  expect(kernel.requests.map(({ lines }) => lines[0]!.offset)).toEqual([24]);
});
