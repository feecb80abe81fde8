import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { logLogin } from '../../../src/http/routes/note-login.ts';
import { createMaintenance } from '../../../src/services/site/maintenance.ts';
import { openStore } from '../../../src/store/store.ts';

const drinks = 120;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maintenance-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const momentAt = (minute: number) => ({
  monoMs: minute * 60_000,
  wallMs: Date.UTC(2026, 4, 2, 17, minute),
  synced: true,
  bootId: 'boot-1',
});

function open() {
  const store = openStore({ file: join(folder, 'tapster.db') });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  let id = 0;
  const ids = { next: () => `id-${++id}` };
  const engine = createEngine({ store, bus, ids, settings: { maxFlowMlPerS: 200 } });
  const clock = { now: () => momentAt(500), setManually() {} };
  return {
    store,
    engine,
    maintenance: createMaintenance({ engine: () => engine, clock, log: pino({ enabled: false }), logLogin }),
  };
}

/** A regular with more drinks than a step removes, and somebody else. */
function openBar() {
  const bar = open();
  const { engine } = bar;
  engine.taps.hardware.provision({
    controller: { name: 'pi', modelName: 'Raspberry Pi' },
    meters: [{ portName: 'flow0', ticksPerMl: 2 }],
    toggles: [],
    taps: [{ name: 'Left', meterPort: 'flow0' }],
  });
  for (const username of ['zebedee', 'bert']) engine.users.addUser({ username }, momentAt(0));
  for (let i = 0; i < drinks; i++) pour(bar, i, 'zebedee');
  return bar;
}

const pour = ({ engine }: ReturnType<typeof open>, minute: number, username: string) =>
  engine.drinks.pours.report(
    { tap: 'pi.flow0', ticks: 200 + minute, username, source: 'post' },
    momentAt(minute),
  );

const drinksOf = ({ engine }: ReturnType<typeof open>) =>
  engine.lists.drinks({ limit: 1000 }).items.map(({ username }) => username);

test('an interrupted erasure continues after a restart, in steps between which pours are recorded', () => {
  const bar = openBar();
  const before = bar.engine.reports.statistics.get({ kind: 'site' })!;
  bar.engine.users.personalData.erase('zebedee', systemActor, momentAt(drinks));
  expect(bar.engine.users.user('zebedee')).toBeNull();
  expect(bar.engine.lists.users({}).items.map(({ username }) => username)).toEqual(['bert']);
  const countLeft = () => drinksOf(bar).filter((username) => username === '#1').length;
  for (let step = 0; countLeft() === drinks; step++) {
    expect(bar.engine.users.personalData.continueErasure()).toBe(true);
    expect(step).toBeLessThan(20);
  }
  expect(countLeft()).toBeGreaterThan(0);
  pour(bar, drinks + 1, 'bert');
  expect(bar.engine.site.checkDatabase()).toEqual([]);
  bar.store.close();

  const reopened = open();
  for (let second = 0; second < 30; second++) {
    reopened.maintenance.everySecond();
    expect(reopened.engine.site.checkDatabase()).toEqual([]);
  }
  expect(reopened.engine.users.personalData.continueErasure()).toBe(false);
  expect(drinksOf(reopened)).toEqual(['bert', ...Array<null>(drinks).fill(null)]);
  const after = reopened.engine.reports.statistics.get({ kind: 'site' })!;
  expect(after.pours).toBe(before.pours + 1);
  expect(reopened.store.faults()).toEqual([]);
  reopened.engine.users.addUser({ username: 'zebedee' }, momentAt(drinks + 2));
  reopened.store.close();
});

test('two users can be erased at the same time', () => {
  const bar = openBar();
  pour(bar, drinks + 1, 'bert');
  bar.engine.users.personalData.erase('zebedee', systemActor, momentAt(drinks + 2));
  bar.engine.users.personalData.continueErasure();
  bar.engine.users.personalData.erase('bert', systemActor, momentAt(drinks + 2));
  for (let steps = 0; bar.engine.users.personalData.continueErasure(); steps++)
    expect(steps).toBeLessThan(50);
  expect(new Set(drinksOf(bar))).toEqual(new Set([null]));
  expect(bar.engine.lists.users({}).items).toEqual([]);
  bar.store.close();
});
