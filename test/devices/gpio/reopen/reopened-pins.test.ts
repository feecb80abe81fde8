import { beforeEach, describe, expect, test } from 'vitest';
import { textProblem } from '../../../../src/core/health/problems.ts';
import { createReopenedPins, type ReopenedPins } from '../../../../src/devices/gpio/reopen/reopened-pins.ts';
import { FakePins } from './fake-pins.ts';

const names = ['pi.flow0', 'pi.flow1', 'pi.relay0'];
const plan = {
  meters: [
    { name: 'pi.flow0', pin: 17, bias: 'pull-up', edge: 'falling' },
    { name: 'pi.flow1', pin: 27, bias: 'pull-up', edge: 'falling' },
  ],
  relays: [{ name: 'pi.relay0', pin: 22, activeLow: false }],
  faults: [{ name: 'pi.flow2', problem: textProblem('Pin 17 already belongs to pi.flow0.') }],
} as const;

let nowMs: number;
/** Times of the attempts, and the drivers that the next ones return. */
let attempts: { readonly atMs: number; readonly names: readonly string[] }[];
let next: FakePins[];
let reopened: string[];
let pins: ReopenedPins;

beforeEach(() => {
  nowMs = 0;
  attempts = [];
  next = [];
  reopened = [];
});

function start(first: FakePins, driver: 'cdev' | 'none' = 'cdev'): void {
  pins = createReopenedPins({
    plan,
    first: first.pins(driver),
    open: async (wanted) => {
      attempts.push({ atMs: nowMs, names: [...wanted] });
      const fake = next.shift();
      return fake === undefined ? allBusy(wanted).pins('none') : fake.pins();
    },
    nowMonoMs: () => nowMs,
    onReopened: (lines) => reopened.push(...lines),
    onFault: (fault) => {
      throw fault;
    },
  });
}

const allBusy = (wanted: Iterable<string>) =>
  new FakePins(wanted, Object.fromEntries([...wanted].map((name) => [name, 'taken'])));

/** Lets the seconds pass; the pins are drained once in each. */
async function seconds(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    nowMs += 1_000;
    pins.input.drain();
    await attemptsEnd();
    pins.everySecond();
    await attemptsEnd();
  }
}

/** Lets the running attempt open and release its lines. */
async function attemptsEnd(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

const faultNames = () => pins.input.faults.map(({ name }) => name);

describe('lines that could not be opened at the start', () => {
  test('are opened again after 1 s, 2 s, 4 s and so on up to 60 s, until it works', async () => {
    start(allBusy(names), 'none');
    expect(pins.input.driver).toBe('none');
    await seconds(200);
    expect(attempts.map(({ atMs }) => atMs / 1_000)).toEqual([1, 3, 7, 15, 31, 63, 123, 183]);
    next = [new FakePins(names)];
    await seconds(60);
    expect(reopened).toEqual(names);
    expect([pins.input.driver, faultNames()]).toEqual(['cdev', ['pi.flow2']]);
    await seconds(200);
    expect(attempts).toHaveLength(9);
  });

  test('are opened without touching the lines that count', async () => {
    const first = new FakePins(names, { 'pi.flow1': 'taken' });
    start(first);
    next = [new FakePins(['pi.flow1'])];
    await seconds(1);
    expect(attempts).toEqual([{ atMs: 1_000, names: ['pi.flow1'] }]);
    expect([first.isClosed, reopened, faultNames()]).toEqual([false, ['pi.flow1'], ['pi.flow2']]);
    expect(pins.input.lines().map(({ name, received }) => [name, received])).toEqual([
      ['pi.flow0', 1],
      ['pi.flow1', 1],
    ]);
  });

  test('keep the problem of the last attempt', async () => {
    start(new FakePins(names, { 'pi.flow1': 'taken' }));
    next = [new FakePins(['pi.flow1'], { 'pi.flow1': 'refused' })];
    await seconds(1);
    expect(pins.input.faults).toContainEqual({ name: 'pi.flow1', problem: textProblem('refused') });
  });

  test('release what an attempt without success has opened', async () => {
    start(new FakePins(names, { 'pi.flow1': 'taken' }));
    const useless = new FakePins(['pi.flow1'], { 'pi.flow1': 'taken' });
    next = [useless];
    await seconds(1);
    expect(useless.isClosed).toBe(true);
  });

  test('a pin that is configured twice is not tried again', async () => {
    start(new FakePins(names));
    await seconds(200);
    expect(attempts).toEqual([]);
  });
});

describe('the losses of a line that was opened late', () => {
  test('are unknown for a pour that runs when it is opened', async () => {
    start(new FakePins(names, { 'pi.flow1': 'taken' }));
    const late = new FakePins(['pi.flow1']);
    next = [late];
    await seconds(1);
    late.pulse('pi.flow1', nowMs + 40, nowMs + 50);
    expect(pins.input.drain().lines).toMatchObject([{ meter: 'pi.flow1', lost: null }]);
    late.pulse('pi.flow1', nowMs + 60);
    expect(pins.input.drain().lines).toMatchObject([{ meter: 'pi.flow1', lost: 0 }]);
  });

  test('are known for a pour that begins a second later', async () => {
    start(new FakePins(names, { 'pi.flow1': 'taken' }));
    const late = new FakePins(['pi.flow1']);
    next = [late];
    await seconds(1);
    late.pulse('pi.flow1', nowMs + 1_500);
    expect(pins.input.drain().lines).toMatchObject([{ meter: 'pi.flow1', lost: 0 }]);
  });
});

describe('a driver that has ended', () => {
  test('is closed, and its lines are opened again after a second', async () => {
    const first = new FakePins(names);
    start(first);
    first.end('The pin thread ended.');
    expect(faultNames()).toEqual(['pi.flow2', ...names]);
    next = [new FakePins(names)];
    await seconds(1);
    expect([first.isClosed, attempts]).toEqual([true, []]);
    expect(pins.input.description).toEqual([textProblem('The pin thread ended.')]);
    await seconds(1);
    expect([reopened, faultNames()]).toEqual([names, ['pi.flow2']]);
  });

  test('delivers its last edges, and the losses of its meters are unknown', async () => {
    const first = new FakePins(names);
    start(first);
    first.end('The pin thread ended.');
    nowMs += 1_000;
    first.pulse('pi.flow0', 900);
    pins.everySecond();
    expect(pins.input.drain().lines).toEqual([
      { meter: 'pi.flow0', stampsMonoMs: [900], lost: null },
      { meter: 'pi.flow1', stampsMonoMs: [], lost: null },
    ]);
  });

  test('does not keep the pours of other lines open', async () => {
    const first = new FakePins(names, { 'pi.flow1': 'taken' });
    start(first);
    const second = new FakePins(['pi.flow1']);
    next = [second];
    await seconds(1);
    first.untilMonoMs = 1_500;
    second.untilMonoMs = 1_700;
    expect(pins.input.drain().untilMonoMs).toBe(1_500);
    first.end('gone');
    second.untilMonoMs = 9_000;
    expect(pins.input.drain().untilMonoMs).toBe(9_000);
  });
});

test('a driver that does not advance for 10 s is a fault of its lines and delays no other', async () => {
  const first = new FakePins(names, { 'pi.flow1': 'taken' });
  start(first);
  const second = new FakePins(['pi.flow1']);
  next = [second];
  await seconds(1);
  first.untilMonoMs = 1_500;
  for (let i = 0; i <= 200; i++) {
    second.untilMonoMs += 50;
    pins.input.drain();
  }
  expect(faultNames()).toEqual(['pi.flow2', 'pi.flow0', 'pi.relay0']);
  expect(pins.input.drain().untilMonoMs).toBe(10_050);
  first.untilMonoMs = 11_000;
  pins.input.drain();
  expect(faultNames()).toEqual(['pi.flow2']);
});

describe('relays', () => {
  test('one that could not be opened is not connected, throws its problem, and works when it is opened', async () => {
    start(new FakePins(names, { 'pi.relay0': 'taken' }));
    expect(pins.toggles.isConnected?.('pi.relay0')).toBe(false);
    expect(() => pins.toggles.open('pi.relay0', { maxMs: 100 })).toThrow('taken');
    pins.toggles.shut('pi.relay0');
    const late = new FakePins(['pi.relay0']);
    next = [late];
    await seconds(1);
    pins.toggles.open('pi.relay0', { maxMs: 100 });
    expect([pins.toggles.isConnected?.('pi.relay0'), pins.toggles.isOpen('pi.relay0')]).toEqual([true, true]);
  });

  test('ticks limit a relay only where its driver counts them', async () => {
    const first = new FakePins(names, { 'pi.flow1': 'taken' });
    start(first);
    next = [new FakePins(['pi.flow1'])];
    await seconds(1);
    pins.toggles.open('pi.relay0', { maxMs: 100, meter: 'pi.flow0', maxTicks: 5 });
    pins.toggles.open('pi.relay0', { maxMs: 100, meter: 'pi.flow1', maxTicks: 5 });
    expect([...first.opened]).toEqual([
      'pi.relay0 {"maxMs":100,"meter":"pi.flow0","maxTicks":5}',
      'pi.relay0 {"maxMs":100}',
    ]);
  });
});

test('closing during an attempt closes what it opens', async () => {
  start(new FakePins(names, { 'pi.flow1': 'taken' }));
  const late = new FakePins(['pi.flow1']);
  next = [late];
  nowMs = 1_000;
  pins.everySecond();
  await pins.input.close();
  expect([late.isClosed, reopened]).toEqual([true, []]);
});
