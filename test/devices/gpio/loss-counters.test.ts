import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LossCounters } from '../../../src/devices/gpio/loss-counters.ts';

/** Checks until all losses are assigned, long after the last tick. */
function checkUntilQuiet(losses: LossCounters, counts: readonly (number | null)[], fromMs = 10_000): void {
  for (let nowMs = fromMs; nowMs < fromMs + 5_000; nowMs += 25) losses.check(nowMs, () => counts);
}

test('a pour without a gap in the numbers has no loss', () => {
  const losses = new LossCounters({ lineCount: 2, seqnoCountsInterrupts: true });
  for (let n = 1; n <= 100; n++) losses.record(0, n, n, n * 5);
  checkUntilQuiet(losses, [100, 0]);
  expect([losses.lost(0), losses.unproven(0), losses.lost(1), losses.unproven(1)]).toEqual([0, 0, 0, 0]);
});

test('events dropped from the kernel’s queue are counted on their line at once', () => {
  const losses = new LossCounters({ lineCount: 2, seqnoCountsInterrupts: true });
  losses.record(0, 1, 1, 1);
  losses.record(0, 5, 5, 5);
  expect([losses.lost(0), losses.open]).toEqual([3, 0]);
  checkUntilQuiet(losses, [5, 0]);
  expect([losses.lost(0), losses.lost(1), losses.unproven(0)]).toEqual([3, 0, 0]);
});

test('two edges merged into one are assigned to their line by the interrupt table', () => {
  const losses = new LossCounters({ lineCount: 2, seqnoCountsInterrupts: true });
  losses.record(0, 1, 1, 1);
  losses.record(1, 3, 1, 3); // number 2 was on this line, merged with its next edge
  losses.record(0, 4, 2, 4);
  expect([losses.lost(0), losses.lost(1), losses.open]).toEqual([0, 0, 1]);
  checkUntilQuiet(losses, [2, 2]);
  expect([losses.lost(0), losses.lost(1), losses.open]).toEqual([0, 1, 0]);
  expect([losses.unproven(0), losses.unproven(1)]).toEqual([0, 0]);
});

test('numbers out of order across lines are not a loss', () => {
  const losses = new LossCounters({ lineCount: 2, seqnoCountsInterrupts: true });
  losses.record(0, 2, 1, 1.1);
  losses.record(1, 1, 1, 1);
  checkUntilQuiet(losses, [null, null]);
  expect([losses.lost(0), losses.lost(1), losses.unproven(0), losses.unproven(1)]).toEqual([0, 0, 0, 0]);
});

test('a merged edge that cannot be assigned makes only the lines with events unknown', () => {
  const losses = new LossCounters({ lineCount: 3, seqnoCountsInterrupts: true });
  losses.record(0, 1, 1, 1);
  losses.record(1, 3, 1, 3);
  checkUntilQuiet(losses, [null, null, null]);
  expect([0, 1, 2].map((line) => losses.unproven(line) > 0)).toEqual([true, true, false]);
  expect(losses.open).toBe(0);
});

test('a single line gets every merged edge, with or without the table', () => {
  const losses = new LossCounters({ lineCount: 1, seqnoCountsInterrupts: true });
  losses.record(0, 2, 1, 1);
  checkUntilQuiet(losses, [null]);
  expect([losses.lost(0), losses.unproven(0)]).toEqual([1, 0]);
});

test('a single line whose numbers prove nothing relies on the table, and is unknown without it', () => {
  const proven = new LossCounters({ lineCount: 1, seqnoCountsInterrupts: false });
  proven.record(0, 1, 1, 1);
  checkUntilQuiet(proven, [3]);
  expect([proven.lost(0), proven.unproven(0)]).toEqual([2, 0]);
  const unproven = new LossCounters({ lineCount: 1, seqnoCountsInterrupts: false });
  unproven.record(0, 1, 1, 1);
  checkUntilQuiet(unproven, [null]);
  expect(unproven.unproven(0)).toBe(1);
});

test('a line that still has edges is not evaluated by a table read in mid-pour', () => {
  const losses = new LossCounters({ lineCount: 2, seqnoCountsInterrupts: true });
  for (let n = 1; n <= 400; n++) {
    losses.record(0, n, n, n * 2.5);
    // The table is always one edge ahead.
    losses.check(n * 2.5, () => [n + 1, 0]);
  }
  expect(losses.lost(0)).toBe(0);
});

test('serial numbers may wrap', () => {
  const losses = new LossCounters({ lineCount: 2, seqnoCountsInterrupts: true });
  losses.record(0, 0x7fff_ffff, 1, 1);
  losses.record(0, 0xffff_fffe, 2, 2);
  const before = losses.open;
  losses.record(0, 1, 3, 3);
  expect(losses.open - before).toBe(2);
});

test('a single dropped event is counted before any check', () => {
  const losses = new LossCounters({ lineCount: 2, seqnoCountsInterrupts: true });
  losses.record(0, 1, 1, 1);
  losses.record(0, 3, 3, 3);
  expect(losses.lost(0)).toBe(1);
});

test('an edge in transit while the table is read is given time to arrive', () => {
  const losses = new LossCounters({ lineCount: 2, seqnoCountsInterrupts: true });
  losses.record(0, 1, 1, 1_000);
  losses.check(1_040, () => [1, 1]); // the other line's first edge has fired and is not received yet
  losses.check(1_041, () => [1, 1]);
  losses.record(1, 2, 1, 1_039.9);
  losses.check(1_075, () => [1, 1]);
  expect([losses.lost(0), losses.lost(1)]).toEqual([0, 0]);
});

test('while the numbers agree the table is not read in mid-pour, only when the line is quiet', () => {
  const losses = new LossCounters({ lineCount: 1, seqnoCountsInterrupts: true });
  let readings = 0;
  const count = () => {
    readings++;
    return [400];
  };
  for (let n = 1; n <= 400; n++) {
    losses.record(0, n, n, n * 2.5);
    losses.check(n * 2.5 + 1, count);
  }
  expect(readings).toBe(0);
  for (let nowMs = 1_001; nowMs < 5_000; nowMs += 25) losses.check(nowMs, count);
  expect(readings).toBe(1);
});

test('edges of other taps that are still in transit do not make a quiet tap’s losses unknown', () => {
  const losses = new LossCounters({ lineCount: 3, seqnoCountsInterrupts: true });
  const noCounts = () => [null, null, null];
  losses.record(2, 1, 1, 900);
  losses.record(0, 3, 1, 1_000);
  losses.check(1_000, noCounts); // number 2 is in transit
  losses.record(1, 2, 1, 999.9);
  losses.record(0, 5, 2, 1_030); // now number 4 is missing
  losses.check(1_031, noCounts);
  expect(losses.unproven(2)).toBe(0);
});

test('a line whose numbers agreed is not affected by later losses on others', () => {
  const losses = new LossCounters({ lineCount: 3, seqnoCountsInterrupts: true });
  const noCounts = [null, null, null];
  losses.record(2, 1, 1, 1_000);
  checkUntilQuiet(losses, noCounts, 2_000);
  losses.record(0, 2, 1, 20_000);
  losses.record(1, 4, 1, 20_001);
  checkUntilQuiet(losses, noCounts, 30_000);
  expect([0, 1, 2].map((line) => losses.unproven(line))).toEqual([1, 1, 0]);
});

test('for any merged, dropped or late edges the counts of quiet lines are right', () => {
  const edge = fc.record({
    line: fc.nat(2),
    fate: fc.constantFrom('seen', 'seen', 'seen', 'merged', 'dropped'),
  });
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 120 }), fc.boolean(), (edges, isReversed) => {
      const losses = new LossCounters({ lineCount: 3, seqnoCountsInterrupts: true });
      const expected = [0, 0, 0];
      const interrupts = [0, 0, 0];
      const lineSeqno = [0, 0, 0];
      const events: [number, number, number, number][] = [];
      edges.forEach(({ line, fate }, index) => {
        interrupts[line]! += 1;
        if (fate !== 'merged') lineSeqno[line]! += 1;
        if (fate === 'seen') events.push([line, index + 1, lineSeqno[line]!, index]);
        else expected[line]! += 1;
      });
      // The interrupt threads of two lines may queue two adjacent events in reverse order.
      if (isReversed) {
        for (let k = 0; k + 1 < events.length; k += 2) {
          if (events[k]![0] !== events[k + 1]![0]) [events[k], events[k + 1]] = [events[k + 1]!, events[k]!];
        }
      }
      for (const event of events) losses.record(...event);
      checkUntilQuiet(losses, interrupts);
      // An edge without a later event is known only to the table, which is read after activity.
      if (events.length === 0) return;
      expect([0, 1, 2].map((line) => losses.lost(line))).toEqual(expected);
      expect([0, 1, 2].map((line) => losses.unproven(line))).toEqual([0, 0, 0]);
    }),
  );
});
