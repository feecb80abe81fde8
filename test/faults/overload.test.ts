import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, type TestContext, test } from 'vitest';
import { type RunningDaemon, startDaemon } from '../kit/daemon.ts';
import { type FaultBar, fourMeters, fourTaps, idleMs, makeFaultBar, pulse } from './fault-bar.ts';
import { asked, note } from './figures.ts';
import { askWithoutRest, type Door, dawdle, knock, stare, talkWithoutEnd, visit } from './rude-guests.ts';

/** How long each kind of rudeness lasts, seconds. */
const rudeS = asked('TAPSTER_FAULT_RUDE_S', 5);

/** What the process may hold at its worst: 200 MB, in MiB. */
const mostMiB = 190;

/** Ticks a second at each tap: a fast glass on a meter of 5 ticks a millilitre. */
const hz = 300;

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  daemon = undefined;
  bar?.remove();
});

/** The house with its usual limits, at rest. */
async function openBar(): Promise<number> {
  bar = makeFaultBar({ ...fourTaps, http: { host: '127.0.0.1', port: 0 } });
  daemon = await startDaemon(bar);
  return Number(new URL(daemon.url).port);
}

const openFiles = () => readdirSync(`/proc/${daemon!.child.pid}/fd`).length;

/** The most memory the process has ever held, MiB. */
function worstMiB(): number {
  const status = readFileSync(`/proc/${daemon!.child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/**
 * Lets a glass run at each of the four taps while guests are rude, and an honest one asks for the taps. Every tick must
 * be in the ledger, no answer missing, and afterwards nothing may be left of the rude.
 */
async function survive(
  context: TestContext,
  name: string,
  rudeness: (port: number, isOpen: () => boolean) => Promise<unknown>,
): Promise<void> {
  const port = await openBar();
  const ticks = hz * rudeS;
  const filesBefore = openFiles();
  let isOpen = true;
  const stillOpen = () => isOpen;
  for (const meter of fourMeters) await pulse(daemon!.url, meter, ticks, hz);
  const honest = visit({ port, from: '127.0.0.9' }, stillOpen);
  const rude = rudeness(port, stillOpen);
  await pause(rudeS * 1_000);
  isOpen = false;
  const { waitsMs, refusals } = await honest;
  await rude;
  await expect.poll(openFiles, { timeout: 30_000, interval: 200 }).toBeLessThanOrEqual(filesBefore + 4);
  const worst = worstMiB();
  await pause(idleMs + 1_500);
  expect(await daemon!.stop()).toBe(0);

  const ledger = new Sqlite(bar!.database, { readonly: true });
  const glasses = ledger
    .prepare(`SELECT meter, ticks, ticks_lost AS lost FROM drinks WHERE source = 'pin' ORDER BY meter`)
    .all();
  ledger.close();
  waitsMs.sort((one, other) => one - other);
  const at = (share: number) => `${Math.round(waitsMs[Math.floor(share * (waitsMs.length - 1))]!)} ms`;
  note(context, { what: `Overload: ${name}`, found: `${refusals.length} refused`, allowed: 'none' });
  note(context, { what: `  an honest guest waits, half / at most`, found: `${at(0.5)} / ${at(1)}` });
  note(context, { what: '  most memory', found: `${Math.round(worst)} MiB`, allowed: `${mostMiB} MiB` });
  expect(glasses).toEqual(fourMeters.map((meter) => ({ meter, ticks, lost: 0 })));
  expect(refusals).toEqual([]);
  expect(waitsMs.length).toBeGreaterThan(0);
  expect(worst).toBeLessThan(mostMiB);
}

/** So many doors, spread over so many addresses of this machine. */
const doors = (port: number, count: number, addresses: number): Door[] =>
  Array.from({ length: count }, (_, i) => ({ port, from: `127.0.1.${1 + (i % addresses)}` }));

test('two hundred clients who ask without rest cost no tick, and nobody else his answer', async (context) => {
  let answers = 0;
  await survive(context, 'two hundred clients without rest', async (port, isOpen) => {
    const asked = await Promise.all(doors(port, 200, 20).map((door) => askWithoutRest(door, isOpen)));
    answers = asked.reduce((sum, one) => sum + one, 0);
  });
  note(context, { what: '  answers to them', found: `${Math.round(answers / rudeS)} a second` });
  expect(answers).toBeGreaterThan(200);
});

test.for([
  ['heads', 'GET /api/taps HTTP/1.1\r\nX-', 'x'],
  [
    'bodies',
    'POST /api/v1/taps/pi.flow0 HTTP/1.1\r\nHost: pi\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\n',
    'ticks=1&',
  ],
] as const)(
  'six hundred %s of a byte a second cost no tick, and nobody else his answer',
  async ([kind, begins, then], context) => {
    await survive(context, `six hundred ${kind} of a byte a second`, (port, isOpen) =>
      Promise.all(doors(port, 600, 3).map((door) => dawdle(door, { begins, then }, isOpen))),
    );
  },
);

test('ten thousand connections, opened and left, cost no tick, and nobody else his answer', async (context) => {
  const most = 10_000;
  await survive(context, 'ten thousand connections opened and left', async (port) => {
    const left: ReturnType<typeof knock>[] = [];
    for (const [i, door] of doors(port, most, 3).entries()) {
      left.push(knock(door));
      // As many as this process may itself have open.
      if (left.length > 800) left.shift()!.destroy();
      if (i % 50 === 49) await pause((rudeS * 1_000) / (most / 50) / 2);
    }
    for (const socket of left) socket.destroy();
  });
});

test('bodies without end cost no tick, and nobody else his answer', async (context) => {
  let mostSaid = 0;
  const head =
    'POST /api/v1/taps/pi.flow0 HTTP/1.1\r\nHost: pi\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  await survive(context, 'a hundred bodies without end', async (port, isOpen) => {
    for (const door of doors(port, 100, 3)) {
      if (isOpen()) mostSaid = Math.max(mostSaid, await talkWithoutEnd(door, head, isOpen));
    }
  });
  note(context, { what: '  most that one could say', found: `${Math.round(mostSaid / 1024)} KiB` });
});

test('a hundred and fifty pages that sleep cost no tick, and nobody else his answer', async (context) => {
  await survive(context, 'a hundred and fifty live streams never read', async (port) => {
    const sleeping = doors(port, 150, 3).map(stare);
    await pause(rudeS * 1_000);
    for (const socket of sleeping) socket.destroy();
  });
});
