import { expect, test } from 'vitest';
import { snapshotMessage } from '../../../../src/http/live/snapshot.ts';
import { reportingControllers } from '../../../kit/reporting-controllers.ts';
import { createTestServer, openingMs } from '../../test-server.ts';
import { createTestServices } from '../../test-services.ts';
import { createStaffClient } from '../staff-client.ts';

/** A bar at whose right tap a controller counts that reports by itself. */
function openBar() {
  const server = createTestServer();
  const { engine } = server;
  const { id } = engine.taps.hardware.createController({ name: 'cellar' });
  const meter = engine.taps.hardware.createMeter({ controllerId: id, portName: 'flow0', ticksPerMl: 5 });
  engine.taps.connectMeter(server.right.id, meter.id);
  const known = { controllerId: id, device: 'cellar-board', isPaired: true, lastSeenMs: openingMs };
  const { extension, told } = reportingControllers({
    reportingControllers: () => [known],
    shownPours: () => new Map([['cellar.flow0', { pourId: 'p1', ticks: 500 }]]),
  });
  engine.useExtensions([extension]);
  const services = createTestServices({ clock: { now: server.now, setManually() {} } });
  return { ...server, told, rightTap: () => snapshotMessage({ engine, services }).taps[1]! };
}

test('closing a tap of such a controller is told to it, and the answer names it', async () => {
  const bar = openBar();
  const anna = createStaffClient(bar);
  expect(await anna.send('post', `/admin/taps/${bar.right.id}/deauthorize`)).toMatchObject({
    board: 'cellar-board',
  });
  expect(await anna.send('post', `/admin/taps/${bar.left.id}/deauthorize`)).toMatchObject({ board: null });
  await anna.send('post', '/admin/taps/deauthorize');
  expect(bar.told).toEqual([
    ['closeTaps', 'cellar-board'],
    ['closeTaps', undefined],
  ]);
});

test('no gas is looked for in its pours', async () => {
  const bar = openBar();
  const anna = createStaffClient(bar);
  expect((await anna.send('get', `/taps/${bar.right.id}/line-health`)).gas_rate).toBeNull();
});

test('its pour is live, and its meter is silent once it has not reported for long', () => {
  const bar = openBar();
  expect(bar.rightTap()).toMatchObject({
    pouring: { pour_id: 'p1', ticks: 500, volume_ml: 100 },
    meter_state: 'counting',
  });
  const passedMs = 30 * 60_000;
  bar.setClock({ monoMs: 3_600_000 + passedMs, wallMs: openingMs + passedMs });
  expect(bar.rightTap()).toMatchObject({ meter_state: 'silent', meter_seen_time: '2026-05-02T17:00:00Z' });
  bar.setClock({ synced: false });
  expect(bar.rightTap().meter_state).toBe('counting');
});
