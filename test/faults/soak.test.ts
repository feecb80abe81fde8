import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { monotonicMs } from '../../src/system/clock-readings.ts';
import { type RunningDaemon, startDaemon } from '../kit/daemon.ts';
import { openLiveStream } from '../kit/live-stream.ts';
import { withDatabase } from '../kit/token-bar.ts';
import { createBoard, PostingController, pairBoard } from './fake-clients.ts';
import { type FaultBar, fourMeters, fourTaps, idleMs, makeFaultBar, pulse, request } from './fault-bar.ts';
import { readNumber, recordMeasurement, seededRandom } from './measurements.ts';

/** Seven days of a bar at 200 times real time take 3024 s; the short form runs at the same pace. */
const soakS = readNumber('TAPSTER_FAULT_SOAK_S', 20);
const pace = 200;

/** Activities of a bar per day. */
const daily = { pours: 300, posts: 200, boardPours: 100, kegChanges: 6, boardReboots: 2, pageVisits: 30 };

/** Bound of the process's memory: 200 MB in MiB. */
const maxMiB = 190;

/** Bound of the growth of anonymous memory from the second to the last third of a long soak. */
const maxGrowth = 1.1;

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  daemon = undefined;
  bar?.remove();
});

/** Mean pause between two activities at `pace`. */
const meanPauseMs = (perDay: number) => 86_400_000 / perDay / pace;

interface Sample {
  readonly atMs: number;
  readonly allMiB: number;
  readonly ownMiB: number;
  readonly files: number;
}

function takeSample(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  const files = readdirSync(`/proc/${pid}/fd`).length;
  return { atMs: monotonicMs(), allMiB: mib('VmRSS'), ownMiB: mib('RssAnon'), files };
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** Creates three 1-Wire sensors; the returned function detaches or attaches a random one. */
function createSensors(bar: FaultBar, random: () => number) {
  const bus = join(bar.path, 'w1');
  const away = join(bar.path, 'w1-away');
  for (const folder of [bus, away]) mkdirSync(folder);
  const names = [1, 2, 3].map((n) => `28-00000000000${n}`);
  for (const name of names) {
    mkdirSync(join(bus, name));
    const scratchpad = '4b 01 4b 46 7f ff 05 10 e1';
    writeFileSync(
      join(bus, name, 'w1_slave'),
      `${scratchpad} : crc=e1 YES\n${scratchpad} t=${3_000 + names.length}\n`,
    );
  }
  const attached = new Set(names);
  return () => {
    const name = names[Math.floor(random() * names.length)]!;
    if (attached.delete(name)) renameSync(join(bus, name), join(away, name));
    else {
      renameSync(join(away, name), join(bus, name));
      attached.add(name);
    }
  };
}

test('a week of a bar stores every pour and leaks no memory', {
  timeout: (soakS + 120) * 1_000,
}, async (context) => {
  const random = seededRandom();
  bar = makeFaultBar({ ...fourTaps, onewire: { directory: '', interval_s: 5 } });
  const faultBar = bar;
  const config = JSON.parse(readFileSync(faultBar.configFile, 'utf8')) as { onewire: { directory: string } };
  config.onewire.directory = join(faultBar.path, 'w1');
  writeFileSync(faultBar.configFile, JSON.stringify(config));
  const toggleSensor = createSensors(faultBar, random);
  daemon = await startDaemon(faultBar);
  const { url } = daemon;
  const pid = daemon.child.pid!;

  const board = createBoard(() => url);
  await pairBoard(board, url, faultBar);
  await board.deliverAll();
  const filesBefore = takeSample(pid).files;
  const untilMs = monotonicMs() + soakS * 1_000;
  const isRunning = () => monotonicMs() < untilMs;
  /** Repeats an activity at random intervals with the given daily rate. */
  const repeat = async (perDay: number, work: () => Promise<unknown> | unknown) => {
    for (;;) {
      await pause(Math.min(2 * random() * meanPauseMs(perDay), Math.max(0, untilMs - monotonicMs())));
      if (!isRunning()) return;
      await work();
    }
  };

  const poured: { readonly meter: string; readonly ticks: number }[] = [];
  const controller = new PostingController('post');
  const boardPours: string[] = [];
  const samples: Sample[] = [];
  let kegChanges = 0;
  let visits = 0;
  const stream = await openLiveStream(url);
  let messageCount = 0;
  const reading = stream
    .until(() => {
      messageCount++;
      return false;
    })
    .catch(() => {});

  await Promise.all([
    ...fourMeters.map((meter) =>
      repeat(daily.pours / fourMeters.length, async () => {
        const ticks = 50 + Math.floor(random() * 550);
        await pulse(url, meter, ticks, 400);
        poured.push({ meter, ticks });
        await pause((ticks * 1_000) / 400 + idleMs + 500);
      }),
    ),
    repeat(daily.posts, () => controller.post(url, faultBar, 1)),
    repeat(daily.boardPours, async () => {
      boardPours.push(board.pour(0, 200));
      await board.deliverAll();
    }),
    repeat(daily.boardReboots, async () => {
      await board.deliverAll();
      board.reboot();
      await board.deliverAll();
    }),
    repeat(daily.kegChanges, async () => {
      const tap = encodeURIComponent(fourMeters[Math.floor(random() * 4)]!);
      const endReply = await request(url, faultBar, `/api/taps/${tap}/end-keg`, {});
      // A keg with a running pour cannot be ended.
      if (endReply.status !== 200) return;
      const startReply = await request(url, faultBar, `/api/taps/${tap}/start-keg`, {
        beverage_name: `Beer ${kegChanges % 5}`,
        producer_name: 'The cellar',
        style_name: 'Lager',
      });
      expect(startReply.status).toBe(200);
      kegChanges++;
    }),
    repeat(daily.pageVisits, async () => {
      for (const path of ['/', '/api/taps', '/api/drinks?limit=50', '/api/stats', '/api/sessions']) {
        const answer = await fetch(`${url}${path}`);
        expect(answer.status, path).toBe(200);
        await answer.arrayBuffer();
      }
      visits++;
    }),
    repeat(daily.kegChanges * 4, toggleSensor),
    repeat(86_400 / pace, () => samples.push(takeSample(pid))),
  ]);
  stream.close();
  await reading;
  await pause(idleMs + 2_000);
  const last = takeSample(pid);
  expect(await daemon.stop()).toBe(0);

  const database = new Sqlite(faultBar.database, { readonly: true });
  const stored = database
    .prepare<[], { meter: string; ticks: number }>(
      `SELECT meter, ticks FROM drinks WHERE source = 'pin' ORDER BY id`,
    )
    .all();
  const countOf = database
    .prepare<[string], number>('SELECT count(*) FROM reported_pours WHERE pour_id = ?')
    .pluck();
  for (const meter of fourMeters) {
    const ticks = (pours: readonly { meter: string; ticks: number }[]) =>
      pours.filter((pour) => pour.meter === meter).map((pour) => pour.ticks);
    expect(ticks(stored), meter).toEqual(ticks(poured));
  }
  for (const pourId of [...controller.confirmed.keys(), ...boardPours]) expect(countOf.get(pourId)).toBe(1);
  database.close();
  const integrityErrors = withDatabase(faultBar.database, (engine, store) => [
    ...store.faults(),
    ...engine.site.checkDatabase(),
  ]);
  expect(integrityErrors).toEqual([]);

  const peak = Math.max(...samples.map(({ allMiB }) => allMiB));
  const third = samples.length / 3;
  const [middle, end] = [samples.slice(third, 2 * third), samples.slice(2 * third)].map((part) =>
    median(part.map(({ ownMiB }) => ownMiB)),
  );
  const days = ((soakS * pace) / 86_400).toFixed(2);
  recordMeasurement(context, { what: `Soak: days simulated at ${pace} × real time`, found: days });
  const pours = poured.length + controller.confirmed.size + boardPours.length;
  recordMeasurement(context, { what: '  pours, each stored once with all ticks', found: `${pours}` });
  recordMeasurement(context, {
    what: '  kegs changed / page visits',
    found: `${kegChanges} / ${visits}`,
  });
  recordMeasurement(context, {
    what: '  messages to the live stream that stayed open',
    found: `${messageCount}`,
  });
  recordMeasurement(context, {
    what: '  peak memory',
    found: `${Math.round(peak)} MiB`,
    allowed: `${maxMiB} MiB`,
  });
  const own = `${middle!.toFixed(1)} / ${end!.toFixed(1)} MiB`;
  recordMeasurement(context, {
    what: '  anonymous memory, second third / last third',
    found: own,
    allowed: '+ 10 % (long form)',
  });
  recordMeasurement(context, {
    what: '  open files before / after',
    found: `${filesBefore} / ${last.files}`,
  });
  expect(poured.length).toBeGreaterThan(0);
  expect(messageCount).toBeGreaterThan(0);
  expect(peak).toBeLessThan(maxMiB);
  expect(last.files).toBeLessThanOrEqual(filesBefore + 4);
  // In a short run the JavaScript engine still warms up.
  if (soakS >= 600) expect(end!).toBeLessThan(middle! * maxGrowth);
});
