import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { monotonicMs } from '../../src/system/monotonic.ts';
import { type RunningDaemon, startDaemon } from '../kit/daemon.ts';
import { withDatabase } from '../kit/token-bar.ts';
import { ask, type FaultBar, fourMeters, idleMs, makeFaultBar } from './fault-bar.ts';
import { asked, note, patience, seeded } from './figures.ts';
import { boardAt, drawGlasses, fallen, type Glass, letIn, PostingController, Probe } from './guests.ts';

const kills = asked('TAPSTER_FAULT_KILLS', 8);

/**
 * Nobody asked for a number: then a slow machine makes fewer cuts, so that the whole run stays short, milliseconds.
 * `TAPSTER_FAULT_MINUTES` ends a long run sooner.
 */
const enoughMs = process.env.TAPSTER_FAULT_KILLS ? asked('TAPSTER_FAULT_MINUTES', 1_440) * 60_000 : 40_000;

/** The longest life between two cuts, milliseconds. */
const longestLifeMs = 2_500;

/** A pour whose silence has lasted so much longer than it must is certainly recorded, on a busy machine too. */
const graceMs = 1_000;

/** Checkpoints are a second apart; a machine that has much else to do may be late with one. */
const mostLostMs = 3_000;

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  daemon = undefined;
  bar?.remove();
});

interface KeptPour {
  readonly meter: string;
  readonly ticks: number;
  readonly end_mono_ms: number;
}

/** Milliseconds from the start of the process until it counted, by its own word. */
const countingAfterMs = (words: string) => Number(/"sinceStartMs":(\d+)/.exec(words)?.[1] ?? Number.NaN);

test('a house whose plug is pulled again and again keeps every glass once, and of a running one all but a moment', {
  timeout: 60_000 + kills * 15_000,
}, async (context) => {
  const random = seeded();
  bar = makeFaultBar();
  const here = bar;
  let url = '';
  const drawn: { readonly glass: Glass; readonly cutMs: number }[] = [];
  const controllers = [new PostingController('post-a'), new PostingController('post-b')];
  const probe = new Probe();
  const board = boardAt(() => url);
  const boardPours: string[] = [];
  const startsMs: number[] = [];
  let mostPatience = 1;

  async function start(): Promise<void> {
    daemon = await startDaemon(here);
    url = daemon.url;
    startsMs.push(countingAfterMs(daemon.output));
    mostPatience = Math.max(mostPatience, patience());
    const unsound = withDatabase(here.database, (engine, store) => [
      ...store.faults(),
      ...engine.checkDatabase(),
    ]);
    expect(unsound).toEqual([]);
    if (probe.answered === 0) return;
    const { body } = await ask(url, here, '/api/thermo-sensors/cellar');
    const { last_temp: lastC } = body.result! as { last_temp: number };
    expect(lastC).toBeGreaterThanOrEqual(probe.answeredC);
    expect(lastC).toBeLessThanOrEqual(probe.sentC);
  }

  async function pourOnBoard(isLive: () => boolean): Promise<void> {
    while (isLive()) {
      if (board.queued < 8) boardPours.push(board.pour(0, 200));
      await board.deliver();
      await pause(60);
    }
  }

  await start();
  await letIn(board, url, bar);
  const untilMs = monotonicMs() + enoughMs;
  let cuts = 0;
  for (; cuts < kills && monotonicMs() < untilMs; cuts++) {
    if (cuts > 0) await start();
    const glasses: Glass[] = [];
    let isLive = true;
    const guests = [
      ...fourMeters.map((meter) => drawGlasses(url, { meter, random, drawn: glasses })),
      ...controllers.map((one) => one.post(url, here)),
      probe.read(url, here),
      pourOnBoard(() => isLive),
    ];
    await Promise.race([pause(random() * longestLifeMs), Promise.all(guests)]);
    const cutMs = monotonicMs();
    await daemon!.kill();
    isLive = false;
    await Promise.all(guests);
    drawn.push(...glasses.map((glass) => ({ glass, cutMs })));
  }

  // Everybody says the rest, and the last pours are settled.
  await start();
  await Promise.all(controllers.map((one) => one.post(url, here, 1)));
  await board.deliverAll();
  expect(cuts).toBeGreaterThanOrEqual(Math.min(kills, 2));
  await pause(idleMs + graceMs);
  expect(await daemon!.stop()).toBe(0);

  const ledger = new Sqlite(bar.database, { readonly: true });
  const rows = ledger
    .prepare<[], KeptPour>(
      `SELECT meter, ticks, end_mono_ms FROM drinks WHERE source = 'pin' ORDER BY end_mono_ms`,
    )
    .all();
  const countOf = ledger.prepare<[string], number>('SELECT count(*) FROM drinks WHERE pour_id = ?').pluck();
  const idOf = ledger.prepare<[string], number>('SELECT id FROM drinks WHERE pour_id = ?').pluck();

  const left = new Set(rows);
  let mostLost = 0;
  let mostLostFlowMs = 0;
  let finished = 0;
  for (const { glass, cutMs } of drawn) {
    const { meter, ticks, hz, notBeforeMs, notAfterMs, certain } = glass;
    const lengthMs = (ticks * 1_000) / hz;
    const mine = [...left].filter(
      (row) =>
        row.meter === meter &&
        row.end_mono_ms >= notBeforeMs - 1 &&
        // What ended later belongs to a glass of the next life.
        row.end_mono_ms <= Math.min(notAfterMs + lengthMs + 1, cutMs + 50),
    );
    for (const row of mine) left.delete(row);
    const kept = mine.reduce((sum, row) => sum + row.ticks, 0);
    const told = `${JSON.stringify(glass)} cut at ${cutMs}, kept ${JSON.stringify(mine)}`;
    expect(mine.length, told).toBeLessThanOrEqual(1);
    expect(kept, told).toBeLessThanOrEqual(fallen(glass, notBeforeMs, cutMs));
    if (!certain) continue;
    if (notAfterMs + lengthMs + idleMs + graceMs <= cutMs) {
      finished++;
      expect(kept, told).toBe(ticks);
      continue;
    }
    const lost = fallen(glass, notAfterMs, cutMs) - kept;
    mostLost = Math.max(mostLost, lost);
    mostLostFlowMs = Math.max(mostLostFlowMs, (lost * 1_000) / hz);
    expect((lost * 1_000) / hz, told).toBeLessThanOrEqual(mostLostMs * mostPatience);
  }
  expect([...left], 'no drink that nobody drew').toEqual([]);

  const acknowledged = controllers.flatMap(({ answered }) => [...answered]);
  for (const [pourId, id] of acknowledged) expect(idOf.all(pourId), pourId).toEqual([id]);
  for (const pourId of boardPours) expect(countOf.get(pourId), pourId).toBe(1);
  ledger.close();

  const worstStartMs = Math.max(...startsMs);
  const usualStartMs = startsMs.toSorted((a, b) => a - b)[Math.floor(startsMs.length / 2)]!;
  expect(usualStartMs).toBeLessThan(2_000 * 2 * mostPatience);
  expect(worstStartMs).toBeLessThan(10_000 * mostPatience);
  note(context, { what: 'The process killed, the kernel keeping its cache', found: `${cuts} times` });
  note(context, { what: 'Glasses drawn at four simulated taps', found: `${drawn.length}` });
  note(context, { what: 'of them ended before the cut, each kept once to the tick', found: `${finished}` });
  note(context, {
    what: 'Posts of two controllers, acknowledged and each kept once',
    found: `${acknowledged.length}`,
  });
  note(context, { what: 'Pours of a board over the network, each kept once', found: `${boardPours.length}` });
  note(context, {
    what: 'Temperatures answered, the newest there after each start',
    found: `${probe.answered}`,
  });
  note(context, {
    what: 'Most lost of a glass that ran at the cut',
    found: `${mostLost} ticks, ${Math.round(mostLostFlowMs)} ms`,
    allowed: 'about 1 s; 3 s on a busy machine',
  });
  note(context, {
    what: 'Missing, doubled or invented drinks; damaged pages; totals that are not their sums',
    found: 'none',
  });
  note(context, {
    what: 'From the start of the process to counting, half of the times / at most',
    found: `${usualStartMs} / ${worstStartMs} ms`,
    allowed: mostPatience > 1 ? `2 s; this machine was ${mostPatience.toFixed(0)} × overloaded` : '2 s',
  });
});
