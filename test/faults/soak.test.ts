import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { monotonicMs } from '../../src/system/monotonic.ts';
import { type RunningDaemon, startDaemon } from '../kit/daemon.ts';
import { openLiveStream } from '../kit/live-stream.ts';
import { withDatabase } from '../kit/token-bar.ts';
import { ask, type FaultBar, fourMeters, fourTaps, idleMs, makeFaultBar, pulse } from './fault-bar.ts';
import { asked, note, seeded } from './figures.ts';
import { boardAt, letIn, PostingController } from './guests.ts';

/** Seven days of a bar at two hundred times its pace are 3024 s; the short form is the same pace for a moment. */
const soakS = asked('TAPSTER_FAULT_SOAK_S', 20);
const pace = 200;

/** What a bar does in a day. */
const daily = { glasses: 300, posts: 200, boardPours: 100, kegChanges: 6, boardReboots: 2, pageVisits: 30 };

/** What the process may hold at its worst: 200 MB, in MiB. */
const mostMiB = 190;

/** Growth from the second third of a long soak to its end, of what does not come from files. */
const mostGrowth = 1.1;

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  daemon = undefined;
  bar?.remove();
});

/** The mean rest between two of so many a day, milliseconds. */
const restMs = (perDay: number) => 86_400_000 / perDay / pace;

interface Look {
  readonly atMs: number;
  readonly allMiB: number;
  readonly ownMiB: number;
  readonly files: number;
}

function look(pid: number): Look {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  const files = readdirSync(`/proc/${pid}/fd`).length;
  return { atMs: monotonicMs(), allMiB: mib('VmRSS'), ownMiB: mib('RssAnon'), files };
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** Three thermometers in the kernel's folder, each of which falls off the bus now and then. */
function hangProbes(bar: FaultBar, random: () => number) {
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
  const hangs = new Set(names);
  return () => {
    const name = names[Math.floor(random() * names.length)]!;
    if (hangs.delete(name)) renameSync(join(bus, name), join(away, name));
    else {
      renameSync(join(away, name), join(bus, name));
      hangs.add(name);
    }
  };
}

test('a week of bar life leaves every glass in the ledger, and nothing in memory', {
  timeout: (soakS + 120) * 1_000,
}, async (context) => {
  const random = seeded();
  bar = makeFaultBar({ ...fourTaps, onewire: { directory: '', interval_s: 5 } });
  const here = bar;
  const config = JSON.parse(readFileSync(here.configFile, 'utf8')) as { onewire: { directory: string } };
  config.onewire.directory = join(here.path, 'w1');
  writeFileSync(here.configFile, JSON.stringify(config));
  const knockProbe = hangProbes(here, random);
  daemon = await startDaemon(here);
  const { url } = daemon;
  const pid = daemon.child.pid!;

  const board = boardAt(() => url);
  await letIn(board, url, here);
  await board.deliverAll();
  const filesBefore = look(pid).files;
  const untilMs = monotonicMs() + soakS * 1_000;
  const isOpen = () => monotonicMs() < untilMs;
  /** Does something again and again, at its own pace. */
  const often = async (perDay: number, work: () => Promise<unknown> | unknown) => {
    for (;;) {
      await pause(Math.min(2 * random() * restMs(perDay), Math.max(0, untilMs - monotonicMs())));
      if (!isOpen()) return;
      await work();
    }
  };

  const drawn: { readonly meter: string; readonly ticks: number }[] = [];
  const controller = new PostingController('post');
  const boardPours: string[] = [];
  const looks: Look[] = [];
  let kegChanges = 0;
  let visits = 0;
  const stream = await openLiveStream(url);
  let told = 0;
  const page = stream
    .until(() => {
      told++;
      return false;
    })
    .catch(() => {});

  await Promise.all([
    ...fourMeters.map((meter) =>
      often(daily.glasses / fourMeters.length, async () => {
        const ticks = 50 + Math.floor(random() * 550);
        await pulse(url, meter, ticks, 400);
        drawn.push({ meter, ticks });
        await pause((ticks * 1_000) / 400 + idleMs + 500);
      }),
    ),
    often(daily.posts, () => controller.post(url, here, 1)),
    often(daily.boardPours, async () => {
      boardPours.push(board.pour(0, 200));
      await board.deliverAll();
    }),
    often(daily.boardReboots, async () => {
      await board.deliverAll();
      board.reboot();
      await board.deliverAll();
    }),
    often(daily.kegChanges, async () => {
      const tap = encodeURIComponent(fourMeters[Math.floor(random() * 4)]!);
      const ended = await ask(url, here, `/api/taps/${tap}/end-keg`, {});
      // A keg that somebody pours from is not taken away.
      if (ended.status !== 200) return;
      const begun = await ask(url, here, `/api/taps/${tap}/start-keg`, {
        beverage_name: `Beer ${kegChanges % 5}`,
        producer_name: 'The cellar',
        style_name: 'Lager',
      });
      expect(begun.status).toBe(200);
      kegChanges++;
    }),
    often(daily.pageVisits, async () => {
      for (const path of ['/', '/api/taps', '/api/drinks?limit=50', '/api/stats', '/api/sessions']) {
        const answer = await fetch(`${url}${path}`);
        expect(answer.status, path).toBe(200);
        await answer.arrayBuffer();
      }
      visits++;
    }),
    often(daily.kegChanges * 4, knockProbe),
    often(86_400 / pace, () => looks.push(look(pid))),
  ]);
  stream.close();
  await page;
  await pause(idleMs + 2_000);
  const last = look(pid);
  expect(await daemon.stop()).toBe(0);

  const ledger = new Sqlite(here.database, { readonly: true });
  const poured = ledger
    .prepare<[], { meter: string; ticks: number }>(
      `SELECT meter, ticks FROM drinks WHERE source = 'pin' ORDER BY id`,
    )
    .all();
  const countOf = ledger.prepare<[string], number>('SELECT count(*) FROM drinks WHERE pour_id = ?').pluck();
  for (const meter of fourMeters) {
    const ticks = (glasses: readonly { meter: string; ticks: number }[]) =>
      glasses.filter((glass) => glass.meter === meter).map((glass) => glass.ticks);
    expect(ticks(poured), meter).toEqual(ticks(drawn));
  }
  for (const pourId of [...controller.answered.keys(), ...boardPours]) expect(countOf.get(pourId)).toBe(1);
  ledger.close();
  const unsound = withDatabase(here.database, (engine, store) => [
    ...store.faults(),
    ...engine.checkDatabase(),
  ]);
  expect(unsound).toEqual([]);

  const worst = Math.max(...looks.map(({ allMiB }) => allMiB));
  const third = looks.length / 3;
  const [middle, end] = [looks.slice(third, 2 * third), looks.slice(2 * third)].map((some) =>
    median(some.map(({ ownMiB }) => ownMiB)),
  );
  const days = ((soakS * pace) / 86_400).toFixed(2);
  note(context, { what: `Soak: days of bar life at ${pace} × its pace`, found: days });
  const pours = drawn.length + controller.answered.size + boardPours.length;
  note(context, { what: '  pours, each in the ledger once, to the tick', found: `${pours}` });
  note(context, { what: '  kegs changed / visits of a page', found: `${kegChanges} / ${visits}` });
  note(context, { what: '  messages to the page that stayed', found: `${told}` });
  note(context, { what: '  most memory', found: `${Math.round(worst)} MiB`, allowed: `${mostMiB} MiB` });
  const own = `${middle!.toFixed(1)} / ${end!.toFixed(1)} MiB`;
  note(context, {
    what: '  memory of its own, second third / last third',
    found: own,
    allowed: '+ 10 % (long form)',
  });
  note(context, { what: '  open files before / after', found: `${filesBefore} / ${last.files}` });
  expect(drawn.length).toBeGreaterThan(0);
  expect(told).toBeGreaterThan(0);
  expect(worst).toBeLessThan(mostMiB);
  expect(last.files).toBeLessThanOrEqual(filesBefore + 4);
  // A short look sees the engine of JavaScript warming up.
  if (soakS >= 600) expect(end!).toBeLessThan(middle! * mostGrowth);
});
