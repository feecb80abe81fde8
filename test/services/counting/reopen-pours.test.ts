import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import type { MeterPour } from '../../../src/core/pours/meter-pour.ts';
import { createMeterFeed, type MeterFeed } from '../../../src/devices/meter-feed.ts';
import { createSimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';
import { PourRecorder } from '../../../src/services/counting/pour-recorder.ts';
import { reopenPours } from '../../../src/services/counting/reopen-pours.ts';
import { createPourJournal } from '../../../src/store/journal/pour-journal.ts';
import { createLog } from '../../../src/system/log/log.ts';
import { at, hour, openBar, pour } from '../../engine/bar.ts';

const { log } = createLog({ level: 'fatal', write: () => {} });
const meters = [{ name: 'pi.flow0', minGapMs: 1.2, idleMs: 5_000, minTicks: 3, maxMs: 300_000 }];
let folder: string;
let bar: ReturnType<typeof openBar>;
let feed: MeterFeed;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-reopen-'));
  bar = openBar();
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const pins = { meters: [{ name: 'pi.flow0', pin: 17 }], toggles: [] };
  feed = createMeterFeed({
    input: createSimulatedPins({ ...pins, nowMonoMs: () => hour + 12_000 }),
    meters,
    bus,
    ids: { next: () => 'new' },
    bootId: 'boot-1',
    judgement: { noiseShare: 0.2, simultaneousMs: 20 },
    onFault: (fault) => {
      throw fault;
    },
  });
});
afterEach(() => {
  bar.store.close();
  rmSync(folder, { recursive: true });
});

/** A pour interrupted two seconds ago, as in its last checkpoint. */
const interruptedPour: MeterPour = {
  pourId: 'a',
  meter: 'pi.flow0',
  bootId: 'boot-1',
  ticks: 150,
  startedMonoMs: hour + 5_000,
  lastTickMonoMs: hour + 10_000,
  series: '0:150',
  minTicks: 3,
  rejectedEdges: 0,
  ticksLost: 0,
};

function reopenWith(open: readonly MeterPour[]): void {
  const path = join(folder, 'tapster.db.journal');
  const before = createPourJournal({ path });
  before.checkpoint(open, at(10_500));
  before.close();
  const journal = createPourJournal({ path });
  const { pours } = bar.engine.drinks;
  const recorder = new PourRecorder({
    pours: () => pours,
    journal,
    clock: { now: () => at(12_000) },
    reportStoring: () => {},
    reportJournal: () => {},
    findSource: () => 'pin',
    isFlowWhileShut: () => false,
  });
  const isRecorded = (pourId: string) => pours.knows(pourId);
  const now = at(12_000);
  reopenPours({
    journal,
    feed,
    recorder,
    isRecorded,
    now,
    meters,
    noiseShare: 0.2,
    reportProblem: () => {},
    log,
  });
  journal.close();
}

test('an interrupted pour is resumed when the daemon restarts within the idle time', () => {
  reopenWith([interruptedPour]);
  expect(feed.running()).toMatchObject([{ pourId: 'a', ticks: 150, ticksLost: null }]);
});

test('a pour that is already recorded is not resumed, or it would absorb the next one', () => {
  bar.engine.drinks.pours.record(pour(at(10_000), { pourId: 'a', ticks: 150 }), 'pin', at(10_100));
  reopenWith([interruptedPour]);
  expect(feed.running()).toEqual([]);
  expect(bar.engine.drinks.newest(5)).toHaveLength(1);
});

test('a pour interrupted for longer than the idle time is finished as recovered', () => {
  reopenWith([{ ...interruptedPour, lastTickMonoMs: hour + 6_000 }]);
  expect(feed.running()).toEqual([]);
  expect(bar.engine.drinks.newest(5)).toMatchObject([{ pourId: 'a', ticks: 150, recovered: true }]);
});
