import { afterEach, beforeEach, expect, test } from 'vitest';
import { BoardDouble } from '../kit/board-double.ts';
import { openSerialBar, sumTicks } from './serial-bar.ts';

const serialNumber = 'KB-0000-0000-deadbeef';
const hourMs = 3_600_000;

let bar: ReturnType<typeof openSerialBar>;
beforeEach(() => {
  bar = openSerialBar();
});
afterEach(() => bar.close());

/** Plugs in a board that has run for an hour, starts the daemon, and waits until the board has answered. */
async function startWith(options: ConstructorParameters<typeof BoardDouble>[1] = {}): Promise<BoardDouble> {
  const board = new BoardDouble(bar.now() - hourMs, { serialNumber, ...options });
  bar.plugIn(board);
  bar.start();
  await bar.pass(12_000);
  // The first total of a board is its base.
  await bar.pass(1_000, 5);
  await bar.pass(8_000);
  expect(bar.drinks()).toHaveLength(1);
  return board;
}

/** The drinks after the first one. */
const laterDrinks = () => bar.drinks().slice(1);

test('a daemon killed in mid-pour and started again within seconds records the whole pour as one drink', async () => {
  await startWith();
  await bar.pass(3_050, 5);
  bar.kill();
  await bar.pass(2_950, 5);
  bar.start();
  await bar.pass(3_000, 5);
  await bar.pass(30_000);
  const ticks = (9_000 / 50) * 5;
  expect(sumTicks(laterDrinks())).toBe(ticks);
  expect(laterDrinks()).toMatchObject([{ ticks, ticksLost: null }]);
});

test('a pour that goes on while the daemon is away for longer than its idle time is recorded in full', async () => {
  await startWith();
  await bar.pass(3_000, 5);
  bar.kill();
  await bar.pass(60_000, 5);
  bar.start();
  await bar.pass(3_000, 5);
  await bar.pass(30_000);
  expect(sumTicks(laterDrinks())).toBe((66_000 / 50) * 5);
  expect(laterDrinks().map(({ ticksLost }) => ticksLost)).toContain(null);
});

test('no tick is lost when the feature is switched off for a while after a pour was interrupted', async () => {
  await startWith();
  await bar.pass(3_000, 5);
  bar.kill();
  bar.start({ isOn: false });
  await bar.pass(1_000);
  expect(laterDrinks()).toMatchObject([{ recovered: true, source: 'serial' }]);
  await bar.pass(60_000, 5);
  await bar.stop();
  bar.start();
  await bar.pass(15_000);
  await bar.pass(3_000, 5);
  await bar.pass(30_000);
  expect(sumTicks(laterDrinks())).toBe((66_000 / 50) * 5);
});

test('ticks that fell while the daemon was stopped for a day are a drink of nobody at an uncertain time', async () => {
  const board = await startWith();
  await bar.stop();
  board.pulse('flow0', 295);
  bar.skip(24 * hourMs);
  bar.start();
  await bar.pass(15_000);
  await bar.pass(1_000, 5);
  await bar.pass(10_000);
  const [recovered, next] = laterDrinks();
  expect(recovered).toMatchObject({
    recovered: true,
    timeCertain: false,
    ticksLost: 0,
    username: null,
    durationMs: 0,
    source: 'serial',
  });
  // The board reports only when the next tick falls: the first ticks of that pour cannot be told apart.
  expect(recovered!.ticks).toBeGreaterThanOrEqual(295);
  expect(next).toMatchObject({ recovered: false, timeCertain: true, ticksLost: null });
  expect(recovered!.ticks + next!.ticks).toBe(295 + 100);
});

test('a restart without flow loses nothing: the next drink is complete, and its loss is not proven', async () => {
  await startWith();
  await bar.stop();
  await bar.pass(60_000);
  bar.start();
  await bar.pass(15_000);
  await bar.pass(2_000, 5);
  await bar.pass(10_000);
  await bar.pass(2_000, 5);
  await bar.pass(10_000);
  expect(laterDrinks()).toMatchObject([
    { ticks: 200, ticksLost: null },
    { ticks: 200, ticksLost: 0 },
  ]);
});

test('a board that was reset while the daemon was down: its new count is recorded, and the loss is unknown', async () => {
  const board = await startWith();
  bar.kill();
  await bar.pass(1_000, 5);
  board.reset();
  await bar.pass(3_000, 5);
  await bar.pass(60_000);
  bar.start();
  await bar.pass(15_000);
  await bar.pass(1_000, 5);
  await bar.pass(10_000);
  expect(sumTicks(laterDrinks())).toBe(300 + 100);
  for (const drink of laterDrinks()) expect(drink.ticksLost).toBeNull();
});

test('a board that is reset by opening its port: the loss of the next drink of each meter is unknown', async () => {
  const board = await startWith({ resetsOnOpen: true });
  await bar.pass(1_000, 5, 'flow1');
  await bar.pass(10_000);
  bar.kill();
  board.pulse('flow0', 295);
  await bar.pass(30_000);
  bar.start();
  await bar.pass(15_000);
  for (const meter of ['flow0', 'flow1', 'flow0']) {
    await bar.pass(1_000, 5, meter);
    await bar.pass(10_000);
  }
  expect(laterDrinks().slice(1)).toMatchObject([
    { ticks: 100, meter: 'kegboard.flow0', ticksLost: null },
    { ticks: 100, meter: 'kegboard.flow1', ticksLost: null },
    { ticks: 100, meter: 'kegboard.flow0', ticksLost: 0 },
  ]);
});

test.each([
  ['a set clock', true],
  ['a clock that is not set', false],
])(
  'after a power cut of machine and board, with %s, no pour is recorded twice and the loss is unknown',
  async (_, clockIsSet) => {
    await startWith();
    await bar.pass(2_000, 5);
    bar.kill();
    bar.reboot(clockIsSet);
    const board = new BoardDouble(bar.now(), { serialNumber });
    bar.plugIn(board);
    bar.skip(20_000);
    board.pulse('flow0', 295);
    bar.start();
    await bar.pass(15_000);
    await bar.pass(1_000, 5);
    await bar.pass(10_000);
    const [interrupted, ...rest] = laterDrinks();
    // The last checkpoint may be a second old.
    expect(interrupted!.ticks).toBeLessThanOrEqual(200);
    expect(interrupted).toMatchObject({ recovered: true, ticksLost: null });
    expect(sumTicks(rest)).toBe(295 + 100);
    for (const drink of rest) expect(drink.ticksLost).toBeNull();
  },
);

test('a counter that wraps while the daemon is down goes on', async () => {
  const board = await startWith({ startTotal: 2 ** 32 - 300 });
  bar.kill();
  board.pulse('flow0', 500);
  await bar.pass(60_000);
  bar.start();
  await bar.pass(15_000);
  await bar.pass(1_000, 5);
  await bar.pass(10_000);
  expect(board.total('flow0')).toBeLessThan(1_000);
  expect(sumTicks(laterDrinks())).toBe(500 + 100);
});

test('the total of another board is not counted, and the loss is unknown', async () => {
  await startWith();
  bar.kill();
  const other = new BoardDouble(bar.now() - 2 * hourMs, { serialNumber: 'KB-0000-0000-0badcafe' });
  other.pulse('flow0', 5_000);
  bar.plugIn(other);
  bar.start();
  await bar.pass(15_000);
  await bar.pass(2_000, 5);
  await bar.pass(10_000);
  const [drink, ...rest] = laterDrinks();
  expect(rest).toEqual([]);
  // All but the ticks of the first report, which is the base.
  expect(drink!.ticks).toBeGreaterThan(180);
  expect(drink!.ticks).toBeLessThanOrEqual(200);
  expect(drink!.ticksLost).toBeNull();
});

test('without a serial number and uptime a board cannot be told from another: nothing is added', async () => {
  const board = await startWith({ firmware: 14, serialNumber: '' });
  bar.kill();
  board.pulse('flow0', 295);
  await bar.pass(60_000);
  bar.start();
  await bar.pass(15_000);
  await bar.pass(2_000, 5);
  await bar.pass(10_000);
  expect(sumTicks(laterDrinks())).toBeLessThanOrEqual(200);
  expect(laterDrinks()).toMatchObject([{ ticksLost: null }]);
});

test('a damaged last report leaves the loss of its own pour and of the next one unknown', async () => {
  const board = await startWith();
  await bar.pass(2_000, 5);
  board.damagesNextReport = true;
  await bar.pass(100, 5);
  await bar.pass(20_000);
  await bar.pass(2_000, 5);
  await bar.pass(20_000);
  await bar.pass(2_000, 5);
  await bar.pass(20_000);
  expect(laterDrinks().map(({ ticksLost }) => ticksLost)).toEqual([null, null, 0]);
  expect(sumTicks(laterDrinks())).toBe(610);
});
