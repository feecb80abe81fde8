import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../../../../src/daemon/load-config.ts';
import { type Daemon, startDaemon } from '../../../../src/daemon/start-daemon.ts';
import { createLog } from '../../../../src/system/log/log.ts';
import { at } from '../../../engine/bar.ts';
import { openPty, type Pty } from '../../../kit/pty.ts';
import { createStaffClient, eventually, withDatabase } from '../../../kit/token-bar.ts';
import { type BoardCommand, boardMessages, createCommandParser } from '../kit/serial-board.ts';

// A pseudo-terminal as port, and a board that may need seconds to start.
vi.setConfig({ testTimeout: 40_000 });

const serialNumber = 'KB-0000-0000-deadbeef';
const silent = createLog({ level: 'fatal', write: () => {} }).log;
const card = [0xcc, 0xbb, 0xaa, 0x15, 0x04];
const button = [0x01, 0x56, 0x34, 0x12, 0, 0, 0, 0x05];

let folder = '';
let plug = '';
let pty: Pty;
let daemon: Daemon | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-serial-token-'));
  mkdirSync(join(folder, 'by-id'));
  plug = join(folder, 'by-id', 'usb-Arduino_Uno-if00');
  pty = openPty();
  symlinkSync(pty.path, plug);
});

afterEach(async () => {
  await daemon?.close();
  daemon = null;
  pty.unplug();
  rmSync(folder, { recursive: true });
});

/** Starts a daemon with a board whose meter and relay are on one tap; Anna has a card and an iButton. */
async function openBar() {
  const database = join(folder, 'tapster.db');
  const key = withDatabase(database, (engine) => {
    const { id: controllerId } = engine.taps.hardware.createController({ name: 'kegboard-deadbeef' });
    const meter = engine.taps.hardware.createMeter({ controllerId, portName: 'flow0', ticksPerMl: 5 });
    const relay = engine.taps.hardware.createToggle({ controllerId, portName: 'relay0' });
    const tap = engine.taps.create({ name: 'Far end' });
    engine.taps.connectMeter(tap.id, meter.id);
    engine.taps.connectToggle(tap.id, relay.id);
    engine.users.addUser({ username: 'anna' }, at(0));
    engine.access.tokens.create({ device: 'core.rfid', value: '0415aabbcc', username: 'anna' }, at(0));
    engine.access.tokens.create(
      { device: 'core.onewire', value: '0500000012345601', username: 'anna' },
      at(0),
    );
    engine.users.addUser({ username: 'carl', isStaff: true }, at(0));
    return engine.users.createKey('carl', 'test', at(0)).secret;
  });
  const path = join(folder, 'tapster.json');
  const config = {
    database,
    gpio: { driver: 'simulated' },
    http: { host: '127.0.0.1', port: 0 },
    onewire: { directory: join(folder, 'w1') },
    pour: { min_ml: 0, idle_ms: 1_000 },
    serial: { auto: true, directory: join(folder, 'by-id') },
  };
  writeFileSync(path, JSON.stringify(config));
  daemon = await startDaemon({ config: loadConfig({ path, env: {} }).config, log: silent });
  const staff = createStaffClient(`http://127.0.0.1:${daemon.port()}`, key);
  const parseCommands = createCommandParser();
  const commands: BoardCommand[] = [];
  const waitForCommand = (fits: (command: BoardCommand) => boolean) =>
    eventually(
      async () => commands.push(...parseCommands(pty.read())),
      () => commands.some(fits),
    );
  await waitForCommand(({ kind }) => kind === 'ping');
  pty.write(boardMessages.hello({ serialNumber }));
  await eventually(staff.health, ({ serial }) => serial === 'ok');
  // The relay can be switched once the board has identified itself.
  await eventually(
    async () => (await staff.request('flow-toggles/1/close', {})).status,
    (status) => status === 200,
  );
  const isSet = (on: boolean) => (one: BoardCommand) =>
    one.kind === 'set' && one.output === 0 && one.on === on;
  return { ...staff, waitForCommand, commands, isSet };
}

test('a card at a serial board’s reader opens its relay, and the drink belongs to the card’s owner', async () => {
  const bar = await openBar();
  pty.write(boardMessages.token('core.rfid', card, true));
  pty.write(boardMessages.token('core.rfid', card, false));
  await bar.waitForCommand(bar.isSet(true));
  expect(await bar.valves()).toMatchObject([{ flow_toggle: { name: 'kegboard-deadbeef.relay0' } }]);
  for (const total of [50, 150, 300]) pty.write(boardMessages.meter('flow0', total));
  const [drink] = await eventually(bar.drinks, (drinks) => drinks.length === 1);
  expect(drink).toMatchObject({ user_id: 'anna', ticks: 300 });
  await bar.request('admin/taps/deauthorize', {});
  bar.commands.length = 0;
  await bar.waitForCommand(bar.isSet(false));
  expect(await bar.grants()).toMatchObject([{ user: 'anna', ended_reason: 'command', volume_ml: 60 }]);
});

test('an unknown card at the same reader does not end the running grant', async () => {
  const bar = await openBar();
  pty.write(boardMessages.token('core.rfid', card, true));
  await bar.waitForCommand(bar.isSet(true));
  pty.write(boardMessages.meter('flow0', 50));
  pty.write(boardMessages.token('core.rfid', [1, 2, 3, 4, 5], true));
  pty.write(boardMessages.token('core.rfid', [1, 2, 3, 4, 5], false));
  await eventually(
    async () => JSON.stringify(await bar.request('admin/unknown-tokens')),
    (tokens) => tokens.includes('0504030201'),
  );
  for (const total of [150, 300]) pty.write(boardMessages.meter('flow0', total));
  const [drink] = await eventually(bar.drinks, (drinks) => drinks.length === 1);
  expect(drink).toMatchObject({ user_id: 'anna', ticks: 300 });
  expect(await bar.grants()).toMatchObject([{ user: 'anna', open: true }]);
});

test('removing an iButton from a serial board’s reader shuts the relay', async () => {
  const bar = await openBar();
  pty.write(boardMessages.token('onewire', button, true));
  await bar.waitForCommand(bar.isSet(true));
  pty.write(boardMessages.token('onewire', button, false));
  await bar.waitForCommand(bar.isSet(false));
  // The relay shuts before the end of the grant is stored.
  const grants = await eventually(bar.grants, ([grant]) => grant?.ended_reason !== null);
  expect(grants).toMatchObject([{ auth_device: 'core.onewire', ended_reason: 'detach' }]);
});

test('unplugging a board ends its grants and is reported by name', async () => {
  const bar = await openBar();
  pty.write(boardMessages.token('onewire', button, true));
  await bar.waitForCommand(bar.isSet(true));
  pty.unplug();
  unlinkSync(plug);
  await eventually(bar.valves, (valves) => valves.length === 0);
  expect((await bar.grants())[0]!.open).toBe(false);
  const parts = await eventually(bar.health, ({ serial }) => serial !== 'ok');
  expect(parts.serial).toContain('kegboard-deadbeef');
  expect(parts.counting).toBe('ok');
  const refused = await bar.request('flow-toggles/1/open', { seconds: 5 });
  expect(refused.status).toBe(503);
  expect((await bar.health()).toggles).toContain('kegboard-deadbeef.relay0');
});
