import { expect, test } from 'vitest';
import type { Problem } from '../../../../../src/core/health/problems.ts';
import { type CdevLoop, runCdevLoop } from '../../../../../src/devices/gpio/drivers/cdev/cdev-loop.ts';
import type { CdevCommand } from '../../../../../src/devices/gpio/drivers/cdev/cdev-messages.ts';
import {
  createRingMemory,
  RingReader,
  RingWriter,
} from '../../../../../src/devices/gpio/drivers/cdev/edge-ring.ts';
import {
  createControlMemory,
  SharedControl,
} from '../../../../../src/devices/gpio/drivers/cdev/shared-control.ts';
import { InterruptCounters } from '../../../../../src/devices/gpio/interrupts.ts';
import { LossCounters } from '../../../../../src/devices/gpio/loss-counters.ts';
import { type FakeEvent, FakeKernel } from '../../fake-kernel.ts';

const meters = [
  { name: 'pi.flow0', pin: 17, bias: 'pull-up', edge: 'falling' },
  { name: 'pi.flow1', pin: 27, bias: 'pull-up', edge: 'falling' },
] as const;
const relay = { name: 'pi.relay0', pin: 22, activeLow: false };

/** Two taps and a relay on a fake kernel; time passes only while the thread waits. */
function createRig() {
  const kernel = new FakeKernel(54);
  const ring = createRingMemory(2);
  const memory = createControlMemory({ lineCount: 2, relayCount: 1 });
  const control = new SharedControl(memory);
  const commands: CdevCommand[] = [];
  const reports: { problem: Problem; isOver: boolean }[] = [];
  const script: { atMs: number; act: () => void }[] = [];
  let nowMs = 1_000;
  kernel.onWait = (limitMs) => {
    nowMs += limitMs;
    while (script[0] && script[0].atMs <= nowMs) script.shift()!.act();
  };
  const consumer = 'tapster-1';
  const interrupts = new Map<number, number>();
  const loop: CdevLoop = {
    kernel,
    nowMs: () => nowMs,
    ring: new RingWriter(ring),
    control,
    losses: new LossCounters({ lineCount: 2, seqnoCountsInterrupts: true }),
    interrupts: new InterruptCounters(() =>
      [...interrupts].map(([hwirq, count]) => ({
        irq: `${hwirq}`,
        count,
        chip: 'x',
        hwirq,
        consumer: 'tapster-1',
      })),
    ),
    consumer,
    meters: { fd: 50, lines: meters, spare: null, faults: [] },
    planIndex: [0, 1],
    relays: new Map([[0, { fd: 60, relay }]]),
    wakeFd: 70,
    nextCommand: () => commands.shift(),
    report: (problem, isOver) => reports.push({ problem, isOver }),
  };
  /** Runs the thread for `ms`, with the steps at their times. */
  const run = (ms: number, steps: readonly { atMs: number; act: () => void }[] = []) => {
    const endMs = nowMs + ms;
    script.push(...steps.map((step) => ({ ...step, atMs: step.atMs + nowMs })), {
      atMs: endMs,
      act: () => control.requestStop(),
    });
    runCdevLoop(loop);
  };
  return {
    kernel,
    control,
    commands,
    reports,
    interrupts,
    run,
    reader: new RingReader(ring),
    startMs: nowMs,
  };
}

/** A pour on one line: edges every `gapMs`, numbered from `from`. */
function pour(
  offset: number,
  ticks: number,
  options: { startMs: number; gapMs: number; from?: number },
): FakeEvent[] {
  const from = options.from ?? 1;
  return Array.from({ length: ticks }, (_, k) => ({
    offset,
    stampMs: options.startMs + k * options.gapMs,
    seqno: from + k,
    lineSeqno: from + k,
  }));
}

test('a pour has the kernel’s time stamps, no matter when the thread reads it', () => {
  const { kernel, reader, run } = createRig();
  kernel.events = pour(27, 600, { startMs: 1_000.25, gapMs: 2.5 });
  run(3_000);
  const { batches, untilMonoMs } = reader.drain();
  expect(batches.map(({ line, stampsMonoMs, lost }) => [line, stampsMonoMs.length, lost])).toEqual([
    [1, 600, 0],
  ]);
  expect(batches[0]!.stampsMonoMs[599]).toBeCloseTo(1_000.25 + 599 * 2.5, 6);
  expect(untilMonoMs).toBeGreaterThan(3_700);
});

test('`untilMonoMs` stays behind the clock, since an edge may still be in transit', () => {
  const { reader, run, startMs } = createRig();
  let early = 0;
  run(1_000, [{ atMs: 200, act: () => (early = reader.drain().untilMonoMs) }]);
  // No event was queued at the start, and the thread has not polled since.
  expect(early).toBe(startMs - 10);
  const { untilMonoMs } = reader.drain();
  expect(untilMonoMs).toBe(startMs + 800 - 10);
});

test('a flood on one tap does not delay the end of a pour on another', () => {
  const { kernel, reader, run } = createRig();
  kernel.events = pour(17, 1_000, { startMs: 500, gapMs: 1 });
  let early = 0;
  run(1_000, [{ atMs: 4, act: () => (early = reader.drain().untilMonoMs) }]);
  // Four reads without a pause; the last event is stamped 1499 ms.
  expect(early).toBe(1_489);
});

test('events dropped from the kernel’s queue count as lost on their tap', () => {
  const { kernel, reader, run, interrupts } = createRig();
  kernel.events = [
    ...pour(17, 3, { startMs: 1_000, gapMs: 5 }),
    ...pour(17, 3, { startMs: 1_100, gapMs: 5, from: 24 }),
  ];
  interrupts.set(17, 0);
  run(1_000);
  const [batch] = reader.drain().batches;
  expect([batch!.line, batch!.stampsMonoMs.length, batch!.lost]).toEqual([0, 6, 20]);
});

test('two edges merged into one event are found in the interrupt table soon after the pour', () => {
  const { kernel, reader, run, interrupts } = createRig();
  interrupts.set(17, 0);
  interrupts.set(27, 0);
  kernel.events = [
    { offset: 17, stampMs: 1_000, seqno: 1, lineSeqno: 1 },
    { offset: 27, stampMs: 1_001, seqno: 3, lineSeqno: 1 },
  ];
  let early: (number | null)[] = [];
  run(1_000, [
    {
      atMs: 1,
      act: () => {
        interrupts.set(17, 1);
        interrupts.set(27, 2);
      },
    },
    { atMs: 190, act: () => (early = [reader.lost(0), reader.lost(1)]) },
  ]);
  expect(early).toEqual([0, 1]);
});

test('a relay opens on command and shuts at its time limit without one', () => {
  const { kernel, control, commands, run } = createRig();
  const states: (boolean | null)[] = [];
  commands.push({ kind: 'open', relay: 0, command: 1, maxMs: 450 });
  const recordState = () => states.push(control.relayAfter(0, 1));
  run(1_000, [
    { atMs: 200, act: recordState },
    { atMs: 700, act: recordState },
  ]);
  expect(states).toEqual([true, false]);
  expect(kernel.switched.map(({ on }) => on)).toEqual([true, false, false]);
});

test('a relay shuts when its tap has poured the allowed ticks', () => {
  const { kernel, commands, run } = createRig();
  commands.push({ kind: 'open', relay: 0, command: 1, maxMs: 60_000, line: 0, maxTicks: 50 });
  kernel.events = pour(17, 50, { startMs: 1_000, gapMs: 1 });
  let switchedBeforeStop: boolean[] = [];
  run(1_000, [{ atMs: 500, act: () => (switchedBeforeStop = kernel.switched.map(({ on }) => on)) }]);
  expect(switchedBeforeStop).toEqual([true, false]);
});

test('the relays shut when heartbeats stop, and stay open while they continue', () => {
  const silent = createRig();
  silent.commands.push({ kind: 'open', relay: 0, command: 1, maxMs: 60_000 });
  silent.run(3_000);
  expect(silent.reports).toHaveLength(1);
  expect(silent.control.relayAfter(0, 1)).toBe(false);

  const alive = createRig();
  alive.commands.push({ kind: 'open', relay: 0, command: 1, maxMs: 60_000 });
  let isOpen: boolean | null = null;
  alive.run(5_000, [
    ...[1_000, 2_000, 3_000, 4_000].map((atMs) => ({ atMs, act: () => alive.control.heartbeat() })),
    { atMs: 4_900, act: () => (isOpen = alive.control.relayAfter(0, 1)) },
  ]);
  expect([isOpen, alive.reports]).toEqual([true, []]);
});

test('every relay is off when the thread ends', () => {
  const { kernel, commands, run } = createRig();
  commands.push({ kind: 'open', relay: 0, command: 1, maxMs: 60_000 });
  run(300);
  expect(kernel.switched.at(-1)).toEqual({ fd: 60, on: false });
});

test('a removed chip is reported once, and the thread neither spins nor ends', () => {
  const { kernel, reports, reader, run } = createRig();
  run(2_000, [{ atMs: 500, act: () => (kernel.isGone = true) }]);
  expect(reports.map(({ isOver }) => isOver)).toEqual([true]);
  expect(reader.drain().untilMonoMs).toBeGreaterThan(2_000);
});

test('the present levels can be read', () => {
  const { control, run } = createRig();
  expect(control.level(0)).toBeNull();
  run(300);
  expect([control.level(0), control.level(1)]).toEqual([1, 0]);
});
