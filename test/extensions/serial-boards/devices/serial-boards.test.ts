import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AppError } from '../../../../src/core/app-error.ts';
import { type BusEvent, createEventBus } from '../../../../src/core/event-bus.ts';
import type { LinkListeners } from '../../../../src/devices/serial/serial-link.ts';
import {
  createSerialBoards,
  type IdentifiedBoard,
} from '../../../../src/extensions/serial-boards/devices/serial-boards.ts';
import {
  findPorts,
  openProblem,
  type PortCandidate,
} from '../../../../src/extensions/serial-boards/devices/serial-ports.ts';
import { boardMessages } from '../kit/serial-board.ts';
import { frameOf } from './frames.ts';

const { hello, meter, temperature } = boardMessages;

/** Serial boards on fake links: ports open at once, and the clock is manual. */
function createRig(plugged: readonly PortCandidate[]) {
  let candidates = plugged;
  let nowMs = 50_000;
  const identified: IdentifiedBoard[] = [];
  const meters: string[] = [];
  const events: BusEvent[] = [];
  const opened: {
    path: string;
    listeners: LinkListeners;
    written: Uint8Array[];
    isClosed: boolean;
    atMs: number;
  }[] = [];
  const refusals = new Map<string, string>();
  const bus = createEventBus((fault) => {
    throw fault;
  });
  for (const type of ['token.presented', 'token.removed'] as const)
    bus.on(type, (event) => events.push(event));
  const boards = createSerialBoards({
    findPorts: async () => candidates,
    openLink: async (path, listeners) => {
      const refusal = refusals.get(path);
      const cable = {
        path,
        listeners,
        written: [] as Uint8Array[],
        isClosed: refusal !== undefined,
        atMs: nowMs,
      };
      opened.push(cable);
      if (refusal !== undefined) throw new Error(refusal);
      return {
        write: (bytes) => void cable.written.push(bytes),
        close: async () => {
          cable.isClosed = true;
        },
      };
    },
    nowMonoMs: () => nowMs,
    bus,
    onBoard: (board) => identified.push(board),
    onMeter: (name) => meters.push(name),
    idleMs: 5_000,
    findKept: () => [],
    onUnobserved: () => {},
    onNote: () => {},
  });
  return {
    boards,
    identified,
    meters,
    events,
    opened,
    refusals,
    /** Changes the device at a path: `null` unplugs it. */
    plug(path: string, device: string | null) {
      candidates = candidates.map((one) => (one.path === path ? { ...one, device } : one));
    },
    now: () => nowMs,
    /** Advances the clock, with heartbeat and poll every 50 ms. */
    async pass(ms: number) {
      for (const untilMs = nowMs + ms; nowMs < untilMs; ) {
        nowMs += 50;
        boards.toggles.heartbeat();
        boards.poll();
        await new Promise<void>((done) => setImmediate(done));
      }
    },
    cable: (path: string) => opened.findLast((one) => one.path === path)!,
    ticks: () => {
      const { lines } = boards.pulses.drain();
      return Object.fromEntries(lines.map((line) => [line.meter, line.stampsMonoMs.length]));
    },
  };
}

const uno: PortCandidate = { path: '/dev/uno', isDetected: false, device: '1' };
const mega: PortCandidate = { path: '/dev/mega', isDetected: false, device: '2' };

test('several boards are distinguished by their serial numbers', async () => {
  const rig = createRig([uno, mega]);
  await rig.pass(100);
  rig.cable('/dev/uno').listeners.onBytes(hello({ serialNumber: 'KB-0000-0000-000000aa' }));
  rig.cable('/dev/mega').listeners.onBytes(hello({ serialNumber: 'KB-0000-0000-000000bb' }));
  expect(rig.identified).toMatchObject([
    { controller: 'kegboard-000000aa', firmware: 18, relays: ['relay0', 'relay1', 'relay2', 'relay3'] },
    { controller: 'kegboard-000000bb' },
  ]);
  rig.cable('/dev/uno').listeners.onBytes(meter('flow0', 20));
  rig.cable('/dev/mega').listeners.onBytes(meter('flow0', 30));
  expect(rig.meters).toEqual(['kegboard-000000aa.flow0', 'kegboard-000000bb.flow0']);
  expect(rig.ticks()).toEqual({ 'kegboard-000000aa.flow0': 20, 'kegboard-000000bb.flow0': 30 });
});

test('of two boards without a number the second is not counted and has a problem', async () => {
  const rig = createRig([uno, mega]);
  await rig.pass(100);
  for (const { listeners } of rig.opened) listeners.onBytes(hello());
  expect(rig.identified).toHaveLength(1);
  expect(rig.boards.ports()[1]!.problem?.message).toContain('/dev/mega');
  expect(rig.cable('/dev/mega').isClosed).toBe(true);
  rig.cable('/dev/mega').listeners.onBytes(meter('flow0', 5));
  expect(rig.ticks()).toEqual({});
});

test('a device that cannot be opened is retried at growing intervals, and continues its count', async () => {
  const rig = createRig([uno]);
  await rig.pass(100);
  const first = rig.cable('/dev/uno');
  first.listeners.onBytes(hello({ uptimeMs: 3_600_000 }));
  first.listeners.onBytes(meter('flow0', 100));
  first.listeners.onBytes(frameOf('buttonIn'));
  rig.refusals.set('/dev/uno', 'Error: Permission denied, cannot open /dev/uno');
  first.listeners.onClosed(new Error('bad file descriptor'));
  expect(rig.events.map(({ type }) => type)).toEqual(['token.presented', 'token.removed']);
  expect(rig.boards.ports()).toMatchObject([
    { controller: null, problem: { message: expect.stringContaining('unplugged') } },
  ]);

  await rig.pass(120_000);
  const tries = rig.opened.slice(1).map(({ atMs }) => atMs);
  const gaps = tries.slice(1).map((atMs, i) => atMs - tries[i]!);
  expect(gaps[0]).toBeLessThanOrEqual(4_100);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(30_100);
  expect(tries.length).toBeLessThan(12);

  rig.refusals.clear();
  await rig.pass(31_000);
  rig.cable('/dev/uno').listeners.onBytes(hello({ uptimeMs: 3_600_000 + 151_100 }));
  rig.cable('/dev/uno').listeners.onBytes(meter('flow0', 130));
  expect(rig.ticks()).toEqual({ 'kegboard.flow0': 30 });
  expect(rig.boards.ports()).toEqual([{ path: '/dev/uno', controller: 'kegboard', problem: null }]);
});

test('an absent device is not opened; plugged in again after 45 s it is opened within 2 s', async () => {
  const rig = createRig([uno]);
  await rig.pass(100);
  const first = rig.cable('/dev/uno');
  first.listeners.onBytes(hello({ uptimeMs: 3_600_000 }));
  rig.plug('/dev/uno', null);
  first.listeners.onClosed(new Error('bad file descriptor'));
  await rig.pass(45_000);
  expect(rig.opened).toHaveLength(1);

  rig.plug('/dev/uno', '7');
  const pluggedMs = rig.now();
  await rig.pass(2_000);
  expect(rig.opened).toHaveLength(2);
  expect(rig.opened[1]!.atMs - pluggedMs).toBeLessThanOrEqual(2_000);
});

test('a device that is plugged in again ends the pause that earlier failures have reached', async () => {
  const rig = createRig([uno]);
  rig.refusals.set('/dev/uno', 'Error: Permission denied, cannot open /dev/uno');
  await rig.pass(40_000);
  const attempts = rig.opened.length;
  expect(attempts).toBeLessThan(8);
  rig.refusals.clear();
  // udev has set the group of the device node.
  rig.plug('/dev/uno', '1-changed');
  await rig.pass(2_000);
  expect(rig.opened).toHaveLength(attempts + 1);
});

test('a configured port without a device has a problem from the start, until a board answers', async () => {
  const rig = createRig([{ ...uno, device: null }]);
  await rig.pass(100);
  expect(rig.boards.ports()).toMatchObject([
    { problem: { message: expect.stringContaining('No board is plugged in') } },
  ]);
  rig.plug('/dev/uno', '1');
  await rig.pass(2_000);
  rig.cable('/dev/uno').listeners.onBytes(hello());
  expect(rig.boards.ports()).toMatchObject([{ problem: null }]);
});

test('a detected port without a Kegboard has no problem and is not retried soon; a configured one has', async () => {
  const rig = createRig([uno, { path: '/dev/modem', isDetected: true, device: '3' }]);
  await rig.pass(32_000);
  expect(rig.boards.ports()).toMatchObject([
    { path: '/dev/uno', problem: { message: expect.stringContaining('Kegboard') } },
    { path: '/dev/modem', problem: null },
  ]);
  await rig.pass(300_000);
  expect(rig.opened.filter(({ path }) => path === '/dev/modem')).toHaveLength(1);
  expect(rig.opened.filter(({ path }) => path === '/dev/uno').length).toBeGreaterThan(2);
});

test('a detected port is a problem when the service may not use it, and none when another program does', async () => {
  const rig = createRig([
    { path: '/dev/one', isDetected: true, device: '3' },
    { path: '/dev/two', isDetected: true, device: '4' },
  ]);
  rig.refusals.set('/dev/one', 'Error: Operation not permitted, cannot open /dev/one');
  rig.refusals.set('/dev/two', 'Error Resource temporarily unavailable Cannot lock port');
  await rig.pass(100);
  expect(rig.boards.ports()).toMatchObject([
    { path: '/dev/one', problem: { message: expect.stringContaining('DeviceAllow=/dev/one rw') } },
    { path: '/dev/two', problem: null },
  ]);
});

test('tokens are published with board and reader', async () => {
  const rig = createRig([{ ...uno, name: 'cellar' }]);
  await rig.pass(100);
  rig.cable('/dev/uno').listeners.onBytes(hello());
  rig.cable('/dev/uno').listeners.onBytes(frameOf('cardIn'));
  expect(rig.events).toEqual([
    { type: 'token.presented', controller: 'cellar', device: 'core.rfid', value: '0415aabbcc' },
  ]);
});

test('temperatures are checked, named after their board, and stale after a silence', async () => {
  const rig = createRig([uno]);
  await rig.pass(100);
  const { listeners } = rig.cable('/dev/uno');
  const sensor = 'kegboard.thermo-6c0316881e64ff28';
  const send = (tempC: number) => listeners.onBytes(temperature('thermo-6c0316881e64ff28', tempC));
  listeners.onBytes(hello());
  send(4.5);
  expect(await rig.boards.thermo.read()).toEqual([{ kind: 'temperature', sensor, tempC: 4.5 }]);
  send(85);
  expect(await rig.boards.thermo.read()).toMatchObject([{ kind: 'refused', sensor }]);
  send(4.4);
  send(200);
  expect(await rig.boards.thermo.read()).toEqual([{ kind: 'temperature', sensor, tempC: 4.4 }]);
  await rig.pass(20_000);
  expect(await rig.boards.thermo.read()).toEqual([]);
  for (let s = 0; s < 110; s += 10) {
    listeners.onBytes(hello({ uptimeMs: 20_000 + s * 1_000 }));
    await rig.pass(10_000);
  }
  expect(await rig.boards.thermo.read()).toMatchObject([{ kind: 'stale', sensor }]);
  expect(await rig.boards.thermo.read()).toEqual([]);
});

test('relays are opened by their full name, and shut by close', async () => {
  const rig = createRig([uno]);
  const { toggles } = rig.boards;
  const codeOf = (work: () => void) => {
    try {
      work();
      return null;
    } catch (fault) {
      return (fault as AppError).code;
    }
  };
  expect(codeOf(() => toggles.open('kegboard.relay0', { maxMs: 5_000 }))).toBe('unavailable');
  expect(toggles.isOpen('kegboard.relay0')).toBe(false);
  await rig.pass(100);
  const cable = rig.cable('/dev/uno');
  cable.listeners.onBytes(hello());
  toggles.open('kegboard.relay0', { maxMs: 5_000, meter: 'kegboard.flow0', maxTicks: 100 });
  await rig.pass(50);
  expect(cable.written).toEqual([frameOf('relay0SwitchOn')]);
  expect(toggles.isOpen('kegboard.relay0')).toBe(true);
  expect(
    codeOf(() => toggles.open('kegboard.relay0', { maxMs: 5_000, meter: 'pi.flow0', maxTicks: 9 })),
  ).toBe('invalid_request');
  await toggles.close();
  expect(cable.written.at(-1)).toEqual(frameOf('relay0SwitchOff'));
  expect(cable.isClosed).toBe(true);
  await rig.pass(5_000);
  expect(rig.opened).toHaveLength(1);
});

test('configured and plugged-in ports are found, each device once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-ports-'));
  const directory = join(folder, 'by-id');
  mkdirSync(directory);
  for (const device of ['ttyUSB0', 'ttyUSB1']) writeFileSync(join(folder, device), '');
  symlinkSync('../ttyUSB0', join(directory, 'usb-uno'));
  symlinkSync('../ttyUSB1', join(directory, 'usb-mega'));
  const boards = [{ path: join(folder, 'ttyUSB0'), name: 'cellar' }];
  const named = { ...boards[0]!, isDetected: false, device: expect.any(String) };
  expect(await findPorts({ boards, auto: false, directory })).toEqual([named]);
  expect(await findPorts({ boards, auto: true, directory })).toEqual([
    named,
    { path: join(directory, 'usb-mega'), isDetected: true, device: expect.any(String) },
  ]);
  rmSync(folder, { recursive: true });
  expect(await findPorts({ boards, auto: true, directory })).toEqual([{ ...named, device: null }]);
});

test('a device is another one after it was plugged in again or its access rights were changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-ports-'));
  const path = join(folder, 'ttyUSB0');
  const device = async () =>
    (await findPorts({ boards: [{ path }], auto: false, directory: folder }))[0]!.device;
  writeFileSync(path, '');
  const first = await device();
  expect(await device()).toBe(first);
  chmodSync(path, 0o640);
  const second = await device();
  expect(second).not.toBe(first);
  rmSync(path);
  expect(await device()).toBeNull();
  writeFileSync(path, '', { mode: 0o640 });
  expect([first, second]).not.toContain(await device());
  rmSync(folder, { recursive: true });
});

test.each([
  ['Error: No such file or directory, cannot open /dev/uno', 'plugged in'],
  ['Error: Permission denied, cannot open /dev/uno', 'dialout'],
  ['Error: Operation not permitted, cannot open /dev/uno', 'DeviceAllow=/dev/uno rw'],
  ['Error Resource temporarily unavailable Cannot lock port', 'Another program'],
  ['Inappropriate ioctl for device', 'is a serial port'],
])('"%s" gives a clear message', (message, part) => {
  expect(openProblem('/dev/uno', new Error(message)).message).toContain(part);
});
