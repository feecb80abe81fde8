// Time from the end of a pour to its committed row: compared with one durable insert of as many bytes on the same disk,
// and with half a million drinks in the database compared with a thousand.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createEventBus } from '../../dist/core/event-bus.js';
import { createEngine } from '../../dist/engine/create-engine.js';
import { addDemoKegs } from '../../dist/engine/demo-data.js';
import { openStore } from '../../dist/store/store.js';
import { withFolder } from './daemon.mjs';
import { addDrinks, shapes } from './data/many-drinks.mjs';
import { median } from './median.mjs';
import { ratio } from './table.mjs';

const rounds = 300;
const warmUp = 30;
const drinkCounts = { few: 1_000, many: 500_000 };
const targetGrowth = 1.25;

/** 330 mL in six seconds, with its ticks in buckets of 100 ms. */
const samplePour = {
  ticks: 1_782,
  durationMs: 6_000,
  series: Array.from({ length: 60 }, (_, i) => `${i * 100}:30`).join(' '),
};

export const run = () =>
  withFolder(async (folder) => {
    const tapster = openTapster(join(folder, 'tapster.db'));
    const bare = openBare(join(folder, 'bare.db'));
    const ours = [];
    const bares = [];
    // In alternation, so that other load of the disk affects both alike.
    for (let i = 0; i < rounds + warmUp; i++) {
      const pourMs = timed(() => tapster.record(i));
      const bareMs = timed(() => bare.insert(i));
      if (i < warmUp) continue;
      ours.push(pourMs);
      bares.push(bareMs);
    }
    tapster.close();
    bare.close();
    const growth = measureGrowth(folder);
    return [
      {
        what: 'Pour end → committed row',
        ours: `${median(ours).toFixed(2)} ms`,
        bare: `${median(bares).toFixed(2)} ms`,
        ratio: ratio(median(ours), median(bares)),
      },
      {
        what: 'The same at 500 000 drinks to 1 000',
        ours: `${growth.many.toFixed(2)} ms`,
        bare: `${growth.few.toFixed(2)} ms`,
        ratio: ratio(growth.many, growth.few),
        target: `≤ ${targetGrowth} ×`,
        met: growth.many <= growth.few * targetGrowth,
      },
    ];
  });

/** Medians of the CPU time of a pour; the disk's share is the same with few and many drinks. */
function measureGrowth(folder) {
  const few = openFilled(join(folder, 'few.db'), drinkCounts.few);
  const many = openFilled(join(folder, 'many.db'), drinkCounts.many);
  const times = { few: [], many: [] };
  for (let i = 0; i < rounds + warmUp; i++) {
    const fewMs = cpuTimed(() => few.record(i));
    const manyMs = cpuTimed(() => many.record(i));
    if (i < warmUp) continue;
    times.few.push(fewMs);
    times.many.push(manyMs);
  }
  few.close();
  many.close();
  return { few: median(times.few), many: median(times.many) };
}

function openFilled(file, drinks) {
  openTapster(file).close();
  addDrinks(file, drinks, shapes.bar);
  return openTapster(file);
}

export function cpuTimed(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/**
 * Opens a database with taps and kegs.
 * @param {string} file
 * @param {{taps?: number, connect?: (parts: {store: object, bus: object}) => object}} [options] `connect` may subscribe to
 *   the bus and returns the store that the engine uses
 */
export function openTapster(file, { taps = 1, connect = ({ store }) => store } = {}) {
  const store = openStore({ file });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const engine = createEngine({
    store: connect({ store, bus }),
    bus,
    ids: { next: randomUUID },
    settings: { maxFlowMlPerS: 200 },
  });
  const ports = Array.from({ length: taps }, (_, i) => `flow${i}`);
  engine.taps.hardware.provision({
    controller: { name: 'pi', modelName: 'Bench' },
    meters: ports.map((portName) => ({ portName, ticksPerMl: 5.4 })),
    toggles: [],
    taps: ports.map((meterPort, i) => ({ name: `Tap ${i + 1}`, meterPort })),
  });
  const momentAt = (i) => ({
    monoMs: 60_000 + i * 60_000,
    wallMs: Date.UTC(2026, 4, 1, 18) + i * 60_000,
    synced: true,
    bootId: 'bench',
  });
  addDemoKegs(engine, momentAt(0));
  return {
    engine,
    record(i) {
      const at = momentAt(i + 1);
      const drink = engine.drinks.pours.record(
        {
          ...samplePour,
          pourId: randomUUID(),
          meter: `pi.${ports[i % taps]}`,
          bootId: 'bench',
          startedMonoMs: at.monoMs - samplePour.durationMs,
          reachedMaxDuration: false,
          rejectedEdges: 0,
          ticksLost: 0,
          doubts: [],
          recovered: false,
        },
        'pin',
        at,
      );
      if (!drink.isValid) throw new Error(`The pour was held: ${drink.heldReason}`);
    },
    close: () => store.close(),
  };
}

function openBare(file) {
  const db = new Sqlite(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(
    'CREATE TABLE drinks (id INTEGER PRIMARY KEY, pour_id TEXT, ticks INTEGER, at INTEGER, rest TEXT) STRICT',
  );
  const insert = db.prepare('INSERT INTO drinks (pour_id, ticks, at, rest) VALUES (?, ?, ?, ?)');
  return {
    insert: (i) => void insert.run(randomUUID(), samplePour.ticks, i, samplePour.series),
    close: () => db.close(),
  };
}
