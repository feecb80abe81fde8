import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { joinMessages } from '../../../src/core/health/problems.ts';
import type { EndedPour } from '../../../src/core/pours/pour.ts';
import { PourRecorder } from '../../../src/services/counting/pour-recorder.ts';
import { createPourJournal, type PourJournal } from '../../../src/store/journal/pour-journal.ts';
import { at, hour, openBar } from '../../engine/bar.ts';

let folder: string;
let file: string;
let bar: ReturnType<typeof openBar>;
let journal: PourJournal;
let recorder: PourRecorder;
let problems: (string | null)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-recorder-'));
  file = join(folder, 'tapster.db');
  bar = openBar(file);
  journal = createPourJournal({ path: `${file}.journal` });
  problems = [];
  recorder = new PourRecorder({
    pours: () => bar.engine.drinks.pours,
    journal,
    clock: { now: () => at(60_000) },
    reportStoring: (current) => problems.push(joinMessages(current)),
    reportJournal: (current) => problems.push(joinMessages(current)),
    findSource: (meter) => (meter.startsWith('pi.') ? 'pin' : 'serial'),
    isFlowWhileShut: ({ pourId }) => pourId.startsWith('shut'),
  });
});

afterEach(() => {
  journal.close();
  bar.store.close();
  rmSync(folder, { recursive: true });
});

function createPour(pourId: string, ticks = 330): EndedPour {
  return {
    pourId,
    meter: 'pi.flow0',
    bootId: 'boot-1',
    ticks,
    startedMonoMs: hour + 10_000,
    durationMs: 6_000,
    series: `0:${ticks}`,
    reachedMaxDuration: false,
    rejectedEdges: 0,
    ticksLost: 0,
    doubts: [],
    recovered: false,
  };
}

/** Locks the database from another connection, so that writes fail as on a full disk. */
function lockDatabase(): () => void {
  const other = new Sqlite(file);
  other.exec('BEGIN IMMEDIATE');
  return () => {
    other.exec('ROLLBACK');
    other.close();
  };
}

const recorded = () => bar.engine.drinks.newest(10).map(({ pourId }) => pourId);

test('an ended pour is recorded as a drink at once', () => {
  recorder.record(createPour('a'));
  expect(recorded()).toEqual(['a']);
  expect(recorder.waiting).toBe(0);
  expect(problems).toEqual([]);
});

test('a pour of a serial board has its source, and its coarse times are accepted', () => {
  recorder.record({ ...createPour('b', 40), meter: 'kegboard.flow0', durationMs: 30 });
  recorder.record({ ...createPour('a', 40), durationMs: 30 });
  // 40 mL in 30 ms is impossible at a pin; a board reports times in steps of 100 ms.
  expect(bar.engine.drinks.held()).toMatchObject([
    { pourId: 'a', source: 'pin', heldReason: 'impossible_flow' },
    { pourId: 'b', source: 'serial', heldReason: 'unbound_meter' },
  ]);
});

test('a pour that the database refuses waits in the journal, is reported, and is stored later', () => {
  const release = lockDatabase();
  recorder.record(createPour('a'));
  expect(recorder.waiting).toBe(1);
  expect(journal.waiting().map(({ pourId }) => pourId)).toEqual(['a']);
  expect(problems.at(-1)).toMatch(/waits for the database/);

  release();
  recorder.retry();
  expect(recorded()).toEqual(['a']);
  expect(journal.waiting()).toEqual([]);
  expect(problems.at(-1)).toBeNull();
});

test('a pour through a shut valve is marked, also after it has waited in the journal', () => {
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const unsubscribe = recorder.subscribe(bus);
  const release = lockDatabase();
  bus.publish({ type: 'pour.ended', pour: createPour('shut-1') });
  expect(journal.waiting()).toMatchObject([{ pourId: 'shut-1', flowWhileShut: true }]);
  release();
  recorder.retry();
  bus.publish({ type: 'pour.ended', pour: createPour('other') });
  unsubscribe();
  expect(bar.engine.drinks.newest(10).map(({ flowWhileShut }) => flowWhileShut)).toEqual([false, true]);
});

test('a pour that is stored ends the retry pause of the waiting ones', () => {
  const release = lockDatabase();
  recorder.record(createPour('a'));
  // The second attempt is 2 s after the first, the third 4 s after that.
  for (let second = 0; second < 3; second++) recorder.retry();
  release();
  recorder.record(createPour('b'));
  recorder.retry();
  expect(recorded()).toEqual(['a', 'b']);
  expect(problems.at(-1)).toBeNull();
});

test('drips that cannot be stored are reported until they are', () => {
  const { ticksTotal } = bar.engine.taps.hardware.meters().find(({ name }) => name === 'pi.flow0')!;
  const release = lockDatabase();
  recorder.addDrip('pi.flow0', 'd1', { ticks: 2 });
  recorder.flushDrips();
  expect(problems.at(-1)).toMatch(/Drips cannot be stored/);
  release();
  recorder.flushDrips();
  expect(problems.at(-1)).toBeNull();
  expect(bar.engine.taps.hardware.meters().find(({ name }) => name === 'pi.flow0')!.ticksTotal).toBe(
    ticksTotal + 2,
  );
});

test('a waiting pour is recovered once from the journal after a power cut', () => {
  const release = lockDatabase();
  recorder.record(createPour('a'));
  release();
  journal.close();

  const afterTheCut = createPourJournal({ path: `${file}.journal` });
  const found = afterTheCut.recover();
  expect(found.map(({ pour }) => pour.pourId)).toEqual(['a']);
  for (const one of found) if (one.kind === 'ended') recorder.record(one.pour);
  recorder.record(createPour('a'));
  expect(recorded()).toEqual(['a']);
  afterTheCut.close();
});

test('drips make no drink but count in the meter’s lifetime total', () => {
  const before = bar.engine.taps.hardware.meters().find(({ name }) => name === 'pi.flow0')!.ticksTotal;
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const unsubscribe = recorder.subscribe(bus);
  bus.publish({ type: 'pour.dripped', meter: 'pi.flow0', pourId: 'd1', ticks: 2 });
  bus.publish({ type: 'pour.dripped', meter: 'pi.flow0', pourId: 'd2', ticks: 1 });
  recorder.flushDrips();
  recorder.flushDrips();
  unsubscribe();
  bus.publish({ type: 'pour.dripped', meter: 'pi.flow0', pourId: 'd3', ticks: 1 });
  recorder.flushDrips();
  expect(bar.engine.taps.hardware.meters().find(({ name }) => name === 'pi.flow0')!.ticksTotal).toBe(
    before + 3,
  );
  expect(recorded()).toEqual([]);
});
