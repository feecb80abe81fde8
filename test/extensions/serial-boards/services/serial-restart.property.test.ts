import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { propertyRuns } from '../../../kit/slow.ts';
import { BoardDouble } from '../kit/board-double.ts';
import { openSerialBar } from './serial-bar.ts';

// A run plays some minutes in steps of 50 ms.
vi.setConfig({ testTimeout: 300_000 });

const hourMs = 3_600_000;
const serialNumber = 'KB-0000-0000-deadbeef';
const meters = ['flow0', 'flow1'];

const meter = fc.constantFrom(...meters);
const seconds = fc.integer({ min: 1, max: 40 });
const harmless = [
  fc.record({ kind: fc.constant('pour' as const), meter, seconds: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant('rest' as const), seconds }),
  fc.record({ kind: fc.constant('kill' as const) }),
  fc.record({ kind: fc.constant('stop' as const) }),
  fc.record({ kind: fc.constant('start' as const) }),
  fc.record({ kind: fc.constant('unplug' as const), meter, ticks: fc.nat(400), seconds }),
  fc.record({ kind: fc.constant('reboot' as const), hours: fc.integer({ min: 0, max: 72 }) }),
];
const harmful = [
  fc.record({ kind: fc.constant('reset' as const) }),
  fc.record({
    kind: fc.constant('replace' as const),
    ticks: fc.nat(3_000),
    hours: fc.integer({ min: 1, max: 30 }),
  }),
  fc.record({ kind: fc.constant('damage' as const) }),
  fc.record({ kind: fc.constant('clockless reboot' as const), hours: fc.nat(72) }),
  fc.record({ kind: fc.constant('wrong clock' as const), hours: fc.integer({ min: -48, max: 48 }) }),
  fc.record({ kind: fc.constant('drip' as const), meter }),
];
type Action = { readonly kind: string } & Partial<Record<'seconds' | 'ticks' | 'hours', number>> & {
    readonly meter?: string;
  };

type BoardOptions = NonNullable<ConstructorParameters<typeof BoardDouble>[1]>;

/** What happened to one meter after its first drink. */
interface Outcome {
  readonly poured: number;
  readonly counted: number;
  readonly hasUnknownLoss: boolean;
}

/** Plays the actions at a bar whose board counts both meters; ends with a drink of each. */
async function play(actions: readonly Action[], options: BoardOptions, ranHours: number): Promise<Outcome[]> {
  const bar = openSerialBar();
  let board = new BoardDouble(bar.now() - ranHours * hourMs, options);
  const poured = new Map(meters.map((name) => [name, 0]));
  let isRunning = false;
  let replacements = 0;
  const start = () => {
    if (!isRunning) bar.start();
    isRunning = true;
  };
  const pulse = (name: string, ticks: number) => {
    board.pulse(name, ticks);
    poured.set(name, poured.get(name)! + ticks);
  };
  const pour = async (name: string, forSeconds: number) => {
    for (let n = 0; n < forSeconds * 10; n++) {
      pulse(name, 7);
      await bar.pass(100);
    }
  };
  const pourAll = async () => {
    for (const name of meters) {
      await pour(name, 1);
      await bar.pass(9_000);
    }
  };
  const countedTicks = (name: string) =>
    bar.store.taps.meters.all().find((one) => one.name === `kegboard.${name}`)!.ticksTotal;

  bar.plugIn(board);
  start();
  await bar.pass(12_000);
  // The first total is the base, so every meter has one before the test.
  await pourAll();
  const base = new Map(
    meters.map((name) => [name, { poured: poured.get(name)!, counted: countedTicks(name) }]),
  );
  const firstDrinks = bar.drinks().length;
  for (const action of actions) {
    switch (action.kind) {
      case 'pour':
        await pour(action.meter!, action.seconds!);
        break;
      case 'rest':
        await bar.pass(action.seconds! * 1_000);
        break;
      case 'start':
        start();
        break;
      case 'stop':
        await bar.stop();
        isRunning = false;
        break;
      case 'kill':
        bar.kill();
        isRunning = false;
        break;
      case 'unplug':
        bar.unplug();
        await bar.pass(action.seconds! * 500);
        pulse(action.meter!, action.ticks!);
        await bar.pass(action.seconds! * 500);
        bar.plugIn(board);
        break;
      case 'reboot':
      case 'clockless reboot':
        bar.kill();
        isRunning = false;
        bar.skip(action.hours! * hourMs);
        bar.reboot(action.kind === 'reboot');
        break;
      case 'wrong clock':
        bar.kill();
        isRunning = false;
        bar.reboot(true, action.hours! * hourMs);
        break;
      case 'drip':
        pulse(action.meter!, 1);
        await bar.pass(8_000);
        break;
      case 'reset':
        board.reset();
        break;
      case 'damage':
        board.damagesNextReport = true;
        break;
      case 'replace':
        bar.unplug();
        board = otherBoard(bar.now(), { ...options, startTotal: 0 }, action, ++replacements);
        bar.plugIn(board);
    }
  }
  start();
  await bar.pass(20_000);
  await pourAll();
  await pourAll();
  await bar.stop();
  const drinks = bar.drinks().slice(firstDrinks);
  const outcomes = meters.map((name) => ({
    poured: poured.get(name)! - base.get(name)!.poured,
    counted: countedTicks(name) - base.get(name)!.counted,
    hasUnknownLoss: drinks.some((drink) => drink.meter === `kegboard.${name}` && drink.ticksLost === null),
  }));
  await bar.close();
  return outcomes;
}

/**
 * A board with another serial number may have counted elsewhere while it had power of its own. Boards without
 * a number get their power from the port, as Kegboards do: they start when they are plugged in.
 */
function otherBoard(
  nowMs: number,
  options: BoardOptions,
  { hours, ticks }: Action,
  number: number,
): BoardDouble {
  if (!options.serialNumber) return new BoardDouble(nowMs, options);
  const other = { ...options, serialNumber: `KB-0000-0000-${String(number).padStart(8, '0')}` };
  const board = new BoardDouble(nowMs - hours! * hourMs, other);
  for (const name of meters) board.pulse(name, ticks!);
  return board;
}

const startTotal = fc.constantFrom(0, 5_000, 2 ** 32 - 400);

// A board that has run for 100 hours proves by its uptime that it ran on for weeks without the daemon.
test('while the board keeps its power every tick is counted exactly once, whatever happens to the daemon', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(...harmless), { maxLength: 8 }),
      startTotal,
      async (actions, first) => {
        const outcomes = await play(actions, { serialNumber, startTotal: first }, 100);
        for (const { poured, counted } of outcomes) expect(counted).toBe(poured);
      },
    ),
    { numRuns: propertyRuns(60) },
  );
});

test('whatever happens to the board nothing is counted twice, and what is missing is never said to be 0', async () => {
  const board = fc.constantFrom(
    { firmware: 18, serialNumber },
    { firmware: 18, serialNumber: '' },
    { firmware: 18, serialNumber: '', resetsOnOpen: true },
    { firmware: 16, serialNumber },
    { firmware: 14, serialNumber: '' },
    { firmware: 14, serialNumber: '', resetsOnOpen: true },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(...harmless, ...harmful), { maxLength: 8 }),
      board,
      startTotal,
      async (actions, options, first) => {
        for (const { poured, counted, hasUnknownLoss } of await play(
          actions,
          {
            ...options,
            startTotal: first,
          },
          1,
        )) {
          expect(counted).toBeLessThanOrEqual(poured);
          expect(counted === poured || hasUnknownLoss).toBe(true);
        }
      },
    ),
    { numRuns: propertyRuns(100) },
  );
});
