import { mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/daemon/load-config.ts';
import { type Daemon, startDaemon } from '../../src/daemon/start-daemon.ts';
import { createLog } from '../../src/system/log/log.ts';
import { at } from '../engine/bar.ts';
import { openPty } from '../kit/pty.ts';
import { createStaffClient, eventually, makeTokenBar, withDatabase } from '../kit/token-bar.ts';

// A real daemon with its own timers.
vi.setConfig({ testTimeout: 40_000 });

const silent = createLog({ level: 'fatal', write: () => {} }).log;
const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openBar(change: object = {}) {
  const bar = makeTokenBar(change);
  closing.push(bar.remove);
  const { config } = loadConfig({ path: bar.configFile, env: {} });
  const daemon: Daemon = await startDaemon({ config, log: silent });
  closing.push(() => daemon.close());
  return { ...bar, ...createStaffClient(`http://127.0.0.1:${daemon.port()}`, bar.staffKey), daemon };
}

const isOpen = (valves: readonly object[]) => valves.length === 1;
const isShut = (valves: readonly object[]) => valves.length === 0;

test('a token opens the valve, the drink belongs to its owner, and the valve shuts at the limit', async () => {
  const bar = await openBar({ grants: { max_volume_ml: 200 } });
  expect(await bar.valves()).toEqual([]);
  bar.present();
  const [valve] = await eventually(bar.valves, isOpen);
  expect(valve).toMatchObject({ flow_toggle: { name: 'pi.relay0' }, manual: false });
  await bar.pulse(1_050);
  await eventually(bar.valves, isShut);
  // Flow right after the valve shut belongs to the same drink.
  const [drink] = await eventually(bar.drinks, (drinks) => drinks.length === 1);
  expect(drink).toMatchObject({ user_id: 'anna', ticks: 1_050, volume_ml: 210 });
  expect(await bar.grants()).toMatchObject([
    { user: 'anna', open: false, ended_reason: 'max_volume', taps: ['1'] },
  ]);
});

test('removing an iButton shuts the valve, and a later drink has no user', async () => {
  const bar = await openBar();
  bar.present();
  await eventually(bar.valves, isOpen);
  bar.take();
  await eventually(bar.valves, isShut);
  expect(await bar.grants()).toMatchObject([{ ended_reason: 'detach', volume_ml: 0 }]);
  await bar.pulse(100);
  const [drink] = await eventually(bar.drinks, (drinks) => drinks.length === 1);
  expect(drink).toMatchObject({ user_id: null });
});

test('an unknown iButton opens nothing and is listed for staff', async () => {
  const bar = await openBar();
  bar.present('01-0000000000aa');
  const unknown = async () =>
    ((await bar.request('admin/unknown-tokens')).body.result as { unknown_tokens: object[] }).unknown_tokens;
  expect(await eventually(unknown, (tokens) => tokens.length === 1)).toMatchObject([
    { auth_device: 'core.onewire', device: 'pi', token_value: expect.stringMatching(/^..0000000000aa01$/) },
  ]);
  expect(await bar.valves()).toEqual([]);
  expect(await bar.grants()).toEqual([]);
});

test('staff can close a tap during a pour', async () => {
  const bar = await openBar();
  bar.present();
  await eventually(bar.valves, isOpen);
  const { body } = await bar.request('admin/taps/1/deauthorize', {});
  expect(body.result).toEqual({ ended: 1, board: null });
  expect(await bar.valves()).toEqual([]);
  expect(await bar.grants()).toMatchObject([{ open: false, ended_reason: 'command' }]);
});

test('staff can open a valve for a time, and what flows is recorded without a user', async () => {
  const bar = await openBar();
  expect((await bar.request('flow-toggles/1/open', { seconds: 601 })).status).toBe(400);
  expect((await bar.request('flow-toggles/9/open', { seconds: 5 })).status).toBe(404);
  expect((await bar.request('flow-toggles/1/open', { seconds: 60 })).body.result).toMatchObject({
    valve: { flow_toggle: { name: 'pi.relay0' }, manual: true, grant_id: null, seconds_left: 60 },
  });
  await bar.pulse(100);
  const [drink] = await eventually(bar.drinks, (drinks) => drinks.length === 1);
  expect(drink).toMatchObject({ user_id: null, ticks: 100 });
  expect(isOpen(await bar.valves())).toBe(true);
  expect((await bar.request('flow-toggles/1/close', {})).body.result).toEqual({ board: null });
  expect(await bar.valves()).toEqual([]);
  await bar.request('flow-toggles/1/open', { seconds: 1 });
  await eventually(bar.valves, isShut);
});

test('shutdown shuts the valves and stores the end of the grants', async () => {
  const bar = await openBar();
  bar.present();
  await eventually(bar.valves, isOpen);
  await bar.daemon.close();
  closing.pop();
  const { config } = loadConfig({ path: bar.configFile, env: {} });
  bar.take();
  const again = await startDaemon({ config, log: silent });
  closing.push(() => again.close());
  const staff = createStaffClient(`http://127.0.0.1:${again.port()}`, bar.staffKey);
  expect(await staff.grants()).toMatchObject([{ open: false, ended_reason: 'stopped' }]);
  expect(await staff.valves()).toEqual([]);
});

test('a card at a serial reader opens the tap; unplugging the reader is a health problem until it returns', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-card-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const port = join(folder, 'usb-reader');
  let pty = openPty();
  closing.push(() => pty.unplug());
  symlinkSync(pty.path, port);
  const card = Buffer.from('\x020415AABBCCCC\r\n\x03', 'latin1');

  const bar = await openBar({ readers: [{ type: 'serial', port, tap: 'Left' }] });
  withDatabase(bar.database, (engine) =>
    engine.access.tokens.create({ device: 'core.rfid', value: '0415aabbcc', username: 'bert' }, at(0)),
  );
  /** Presents the card again until the port is open and the valve opens. */
  const swipe = () =>
    eventually(
      async () => {
        pty.write(card);
        return bar.valves();
      },
      (valves) => valves.length === 1,
    );
  await swipe();
  await bar.pulse(500);
  const [drink] = await eventually(bar.drinks, (drinks) => drinks.length === 1);
  expect(drink).toMatchObject({ user_id: 'bert', ticks: 500 });

  await bar.request('admin/taps/deauthorize', {});
  pty.unplug();
  unlinkSync(port);
  const parts = await eventually(bar.health, ({ readers }) => readers !== 'ok');
  expect(parts.readers).toContain(port);
  expect(parts.counting).toBe('ok');
  pty = openPty();
  symlinkSync(pty.path, port);
  await eventually(bar.health, ({ readers }) => readers === 'ok');
  await swipe();
});
