import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventBus } from '../../../../src/core/event-bus.ts';
import { loadConfig } from '../../../../src/daemon/load-config.ts';
import { type Daemon, startDaemon } from '../../../../src/daemon/start-daemon.ts';
import { createEngine } from '../../../../src/engine/create-engine.ts';
import { extensions } from '../../../../src/extensions/all.ts';
import { openStore } from '../../../../src/store/store.ts';
import { createLog } from '../../../../src/system/log/log.ts';
import { at } from '../../../engine/bar.ts';
import { openLiveStream } from '../../../kit/live-stream.ts';
import { openPty, type Pty } from '../../../kit/pty.ts';
import { boardMessages, createCommandParser } from '../kit/serial-board.ts';

// A pseudo-terminal as port, and a board that may need seconds to start.
vi.setConfig({ testTimeout: 40_000 });

const serialNumber = 'KB-0000-0000-deadbeef';
const plugName = 'usb-Arduino_Uno-if00';
const silent = createLog({ level: 'fatal', write: () => {} }).log;

let folder: string;
let daemon: Daemon | null;
let pty: Pty;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-serial-'));
  mkdirSync(join(folder, 'by-id'));
  daemon = null;
  plugIn();
});

afterEach(async () => {
  await daemon?.close();
  pty.unplug();
  rmSync(folder, { recursive: true });
});

/** Connects a board under its stable device name. */
function plugIn(): void {
  pty = openPty();
  symlinkSync(pty.path, join(folder, 'by-id', plugName));
}

function unplug(): void {
  pty.unplug();
  unlinkSync(join(folder, 'by-id', plugName));
}

/**
 * Creates the database of a site that is set up, whose only tap has the board's first meter at 5 ticks/mL.
 */
function createDatabase(file: string): void {
  const store = openStore({ file, extensions });
  let id = 0;
  const engine = createEngine({
    store,
    bus: createEventBus((fault) => {
      throw fault;
    }),
    ids: { next: () => `id-${++id}` },
    settings: { maxFlowMlPerS: 200 },
  });
  engine.users.changeSite({ isSetUp: true });
  const controller = engine.taps.hardware.createController({ name: 'kegboard-deadbeef' });
  const meter = engine.taps.hardware.createMeter({
    controllerId: controller.id,
    portName: 'flow0',
    ticksPerMl: 5,
  });
  const tap = engine.taps.create({ name: 'Far end' });
  engine.taps.connectMeter(tap.id, meter.id);
  const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
  engine.kegs.start(tap.id, { beverage, sizeKey: 'euro-30-liter' }, at(0));
  store.close();
}

async function openBar(): Promise<string> {
  const database = join(folder, 'tapster.db');
  createDatabase(database);
  const path = join(folder, 'tapster.json');
  const config = {
    database,
    gpio: { driver: 'simulated' },
    http: { host: '127.0.0.1', port: 0 },
    onewire: { directory: join(folder, 'w1') },
    pour: { min_ml: 0, idle_ms: 1_500 },
    serial: { auto: true, directory: join(folder, 'by-id') },
  };
  writeFileSync(path, JSON.stringify(config));
  daemon = await startDaemon({ config: loadConfig({ path, env: {} }).config, log: silent });
  return `http://127.0.0.1:${daemon.port()}`;
}

/** Waits until the board receives a ping. */
async function waitForPing(): Promise<void> {
  const parseCommands = createCommandParser();
  await vi.waitFor(() => expect(parseCommands(pty.read())).toContainEqual({ kind: 'ping' }), {
    timeout: 15_000,
    interval: 50,
  });
}

interface Drink {
  readonly ticks: number;
  readonly volume_ml: number;
  readonly keg_id: number | null;
}

async function drinks(url: string): Promise<Drink[]> {
  const answer = (await (await fetch(`${url}/api/drinks`)).json()) as { result: { drinks: Drink[] } };
  return answer.result.drinks;
}

test('a pour of a serial board that resets during it becomes one drink with all ticks; counting continues after unplugging', async () => {
  const url = await openBar();
  const live = await openLiveStream(url);
  const waitForTicks = async (ticks: number) =>
    void (await live.until(({ event, data }) => event === 'pour' && data.ticks === ticks));

  await waitForPing();
  pty.write(boardMessages.hello({ serialNumber }));
  for (const total of [10, 20, 30, 40]) {
    const frame = boardMessages.meter('flow0', total);
    pty.write(frame.subarray(0, 11));
    pty.write(frame.subarray(11));
    await waitForTicks(total);
  }
  // The board loses power and restarts during the pour.
  pty.write(Uint8Array.from([0, 0x4b, 0x42, 0xff]));
  pty.write(boardMessages.hello({ serialNumber }));
  pty.write(boardMessages.meter('flow0', 10));
  await waitForTicks(50);
  pty.write(boardMessages.meter('flow0', 30));
  await waitForTicks(70);
  await live.until(({ event, data }) => event === 'snapshot' && data.drinks.length === 1);
  expect(await drinks(url)).toMatchObject([{ ticks: 70, volume_ml: 14, keg_id: 1 }]);

  unplug();
  plugIn();
  await waitForPing();
  // The board kept its power, so its total continues: ticks during the disconnection are counted too.
  pty.write(boardMessages.hello({ serialNumber, uptimeMs: 20_000 }));
  pty.write(boardMessages.meter('flow0', 45));
  await waitForTicks(15);
  await live.until(({ event, data }) => event === 'snapshot' && data.drinks.length === 2);
  expect((await drinks(url)).map(({ ticks }) => ticks)).toEqual([15, 70]);
  live.close();
});

test('a meter without a tap gives a held drink, and the board is registered in the database by its name', async () => {
  const url = await openBar();
  const live = await openLiveStream(url);
  await waitForPing();
  pty.write(boardMessages.hello({ serialNumber: 'KB-0000-0000-0000cafe' }));
  pty.write(boardMessages.meter('flow3', 12));
  const database = join(folder, 'tapster.db');
  const store = openStore({ file: database, extensions });
  await vi.waitFor(() => expect(store.drinks.page('held', 1_000, 10)).toHaveLength(1), {
    timeout: 15_000,
    interval: 100,
  });
  expect(store.drinks.page('held', 1_000, 10)).toMatchObject([
    {
      ticks: 12,
      meter: 'kegboard-0000cafe.flow3',
      heldReason: 'unbound_meter',
      source: 'serial',
      ticksLost: 0,
    },
  ]);
  expect(store.controllers.byName('kegboard-0000cafe')).toMatchObject({
    serialNumber: 'KB-0000-0000-0000cafe',
  });
  const named = (list: readonly { readonly name: string }[]) =>
    list.map(({ name }) => name).filter((name) => name.startsWith('kegboard-0000cafe.'));
  expect(named(store.taps.meters.all()).map((name) => name.slice(-5))).toEqual(['flow0', 'flow1', 'flow3']);
  expect(named(store.taps.toggles.all())).toHaveLength(4);
  store.close();
  live.close();
});
