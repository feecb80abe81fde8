import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Drink } from '../../../../src/core/records.ts';
import type { LinkListeners } from '../../../../src/devices/serial/serial-link.ts';
import { openStore } from '../../../../src/store/store.ts';
import { type BarFolder, makeBar, type RunningDaemon, startDaemon } from '../../../kit/daemon.ts';
import { openPty, type Pty } from '../../../kit/pty.ts';
import { eventually } from '../../../kit/token-bar.ts';
import { BoardDouble } from '../kit/board-double.ts';

// Two starts of the daemon, with a pour of 12 s across them.
vi.setConfig({ testTimeout: 120_000 });

const stepMs = 50;
const ticksPerStep = 5;

let bar: BarFolder;
let pty: Pty;
let board: BoardDouble;
let timer: NodeJS.Timeout;
/** A serial port keeps nothing for a program that does not read it. */
let isOpen = true;
let isFlowing = false;
let poured = 0;
let daemon: RunningDaemon | null = null;

/** Connects the board to the port and lets it run in real time, as the board of a bar does. */
beforeEach(() => {
  pty = openPty();
  bar = makeBar({
    gpio: { driver: 'simulated' },
    http: { host: '127.0.0.1', port: 0 },
    serial: { boards: [{ path: pty.path }] },
  });
  board = new BoardDouble(Date.now() - 3_600_000, { serialNumber: 'KB-0000-0000-deadbeef' });
  const listeners: LinkListeners = { onBytes: (bytes) => isOpen && pty.write(bytes), onClosed: () => {} };
  const link = board.open(listeners);
  isOpen = true;
  isFlowing = false;
  poured = 0;
  timer = setInterval(() => {
    const received = pty.read();
    if (received.length > 0) link.write(received);
    if (isFlowing) {
      board.pulse('flow0', ticksPerStep);
      poured += ticksPerStep;
    }
    board.step(Date.now());
  }, stepMs);
});

afterEach(async () => {
  clearInterval(timer);
  await daemon?.kill();
  daemon = null;
  pty.unplug();
  bar.remove();
});

function readDrinks(): Drink[] {
  const store = openStore({ file: bar.database, readOnly: true });
  try {
    return [...store.drinks.page('held', 1e9, 100)].reverse();
  } finally {
    store.close();
  }
}

const flowUntil = async (ticks: number) => {
  isFlowing = true;
  await vi.waitFor(() => expect(poured).toBeGreaterThanOrEqual(ticks), { timeout: 60_000, interval: 20 });
};

test('a daemon that is killed in mid-pour records every tick of a board that goes on counting', async () => {
  daemon = await startDaemon(bar);
  await eventually(
    async () => daemon!.output,
    (output) => output.includes('serial board connected'),
  );
  // The first total of the board is its base.
  await flowUntil(100);
  isFlowing = false;
  await eventually(
    async () => readDrinks(),
    (drinks) => drinks.length === 1,
  );
  const first = poured;

  await flowUntil(first + 300);
  await daemon.kill();
  isOpen = false;
  await flowUntil(first + 600);
  isOpen = true;
  daemon = await startDaemon(bar);
  await flowUntil(first + 1_200);
  isFlowing = false;
  const total = poured - first;
  const drinks = await eventually(
    async () => readDrinks().slice(1),
    (later) => later.reduce((sum, { ticks }) => sum + ticks, 0) >= total,
  );
  expect(drinks.reduce((sum, { ticks }) => sum + ticks, 0)).toBe(total);
  expect(drinks[0]).toMatchObject({ meter: 'kegboard-deadbeef.flow0', ticksLost: null });
});
