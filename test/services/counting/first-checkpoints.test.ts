import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPourJournal } from '../../../src/store/journal/pour-journal.ts';
import { createCountingRig } from './counting-rig.ts';

let rig: ReturnType<typeof createCountingRig>;
beforeEach(() => {
  rig = createCountingRig();
});
afterEach(() => rig.close());

/** The pours that a power cut now would leave in the journal. */
function journaledTicks(): Record<string, number> {
  const copy = join(rig.folder, 'copy.journal');
  copyFileSync(rig.journalPath, copy);
  const journal = createPourJournal({ path: copy });
  const pours = journal.recover().map(({ pour }) => [pour.meter, pour.ticks]);
  journal.close();
  return Object.fromEntries(pours);
}

test('a new pour is in the journal 250 ms after its first tick', () => {
  rig.heartbeats(1_000);
  rig.pins.pulse('pi.flow0', 300, 50);
  rig.heartbeats(250);
  expect(journaledTicks()['pi.flow0']).toBeGreaterThanOrEqual(3);
});

test('a pour that begins while another runs has a first checkpoint of its own', () => {
  rig.pins.pulse('pi.flow0', 300, 50);
  rig.heartbeats(500);
  rig.pins.pulse('pi.flow1', 300, 50);
  rig.heartbeats(250);
  expect(Object.keys(journaledTicks())).toEqual(['pi.flow0', 'pi.flow1']);
});

test('the later checkpoints are written by the second only', () => {
  rig.pins.pulse('pi.flow0', 300, 50);
  rig.heartbeats(250);
  const first = journaledTicks()['pi.flow0'];
  rig.heartbeats(700);
  expect(journaledTicks()['pi.flow0']).toBe(first);
  rig.counting.everySecond();
  expect(journaledTicks()['pi.flow0']).toBeGreaterThan(40);
});

test('a drip is not written', () => {
  rig.pins.pulse('pi.flow0', 2, 50);
  rig.heartbeats(2_000);
  expect(journaledTicks()).toEqual({});
});

test('a slow pour is written with the third tick, which makes it a pour', () => {
  rig.pins.pulse('pi.flow0', 10, 2);
  rig.heartbeats(1_050);
  expect(journaledTicks()).toEqual({ 'pi.flow0': 3 });
});
