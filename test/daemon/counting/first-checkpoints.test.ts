import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { type Counting, startCounting } from '../../../src/daemon/counting/counting.ts';
import { createSimulatedPins, type SimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';
import { createPourJournal } from '../../../src/store/journal/pour-journal.ts';
import { createClock } from '../../../src/system/clock.ts';
import { createLog } from '../../../src/system/log.ts';
import { openBar, openingMs } from '../../engine/bar.ts';

const { log } = createLog({ level: 'fatal', write: () => {} });
let folder: string;
let journalPath: string;
let bar: ReturnType<typeof openBar>;
let counting: Counting;
let pins: SimulatedPins;
let nowMs: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-first-checkpoints-'));
  bar = openBar();
  nowMs = 100_000;
  const path = join(folder, 'tapster.json');
  const meters = [
    { port: 'flow0', pin: 17 },
    { port: 'flow1', pin: 27 },
  ];
  writeFileSync(path, JSON.stringify({ database: 'tapster.db', gpio: { driver: 'simulated' }, meters }));
  const { config } = loadConfig({ path, env: {}, cwd: folder });
  journalPath = `${config.database}.journal`;
  const lines = meters.map(({ port, pin }) => ({ name: `pi.${port}`, pin }));
  pins = createSimulatedPins({ meters: lines, toggles: [], nowMonoMs: () => nowMs });
  counting = startCounting({
    config,
    isFlowWhileShut: () => false,
    log,
    bus: createEventBus((fault) => {
      throw fault;
    }),
    clock: createClock({
      readings: {
        monoMs: () => nowMs,
        uptimeMs: () => nowMs,
        wallMs: () => openingMs + nowMs,
        bootId: 'boot-1',
        flagFile: () => 'unsupported',
      },
    }),
    reporters: () => () => undefined,
    pins: { input: pins, toggles: pins, simulator: null, attempts: [], everySecond: () => undefined },
    database: { requireEngine: () => bar.engine },
  });
});

afterEach(async () => {
  await counting.close();
  bar.store.close();
  rmSync(folder, { recursive: true });
});

/** Runs the heartbeats of `ms` milliseconds without a call of `everySecond`. */
function heartbeats(ms: number): void {
  for (const endMs = nowMs + ms; nowMs < endMs; ) {
    nowMs += 50;
    counting.everyHeartbeat();
  }
}

/** The pours that a power cut now would leave in the journal. */
function journaledTicks(): Record<string, number> {
  const copy = join(folder, 'copy.journal');
  copyFileSync(journalPath, copy);
  const journal = createPourJournal({ path: copy });
  const pours = journal.recover().map(({ pour }) => [pour.meter, pour.ticks]);
  journal.close();
  return Object.fromEntries(pours);
}

test('a new pour is in the journal 250 ms after its first tick', () => {
  heartbeats(1_000);
  pins.pulse('pi.flow0', 300, 50);
  heartbeats(250);
  expect(journaledTicks()['pi.flow0']).toBeGreaterThanOrEqual(3);
});

test('a pour that begins while another runs has a first checkpoint of its own', () => {
  pins.pulse('pi.flow0', 300, 50);
  heartbeats(500);
  pins.pulse('pi.flow1', 300, 50);
  heartbeats(250);
  expect(Object.keys(journaledTicks())).toEqual(['pi.flow0', 'pi.flow1']);
});

test('the later checkpoints are written by the second only', () => {
  pins.pulse('pi.flow0', 300, 50);
  heartbeats(250);
  const first = journaledTicks()['pi.flow0'];
  heartbeats(700);
  expect(journaledTicks()['pi.flow0']).toBe(first);
  counting.everySecond();
  expect(journaledTicks()['pi.flow0']).toBeGreaterThan(40);
});

test('a drip is not written', () => {
  pins.pulse('pi.flow0', 2, 50);
  heartbeats(2_000);
  expect(journaledTicks()).toEqual({});
});

test('a slow pour is written with the third tick, which makes it a pour', () => {
  pins.pulse('pi.flow0', 10, 2);
  heartbeats(1_050);
  expect(journaledTicks()).toEqual({ 'pi.flow0': 3 });
});
