import request from 'supertest';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import type { HardwareService } from '../../../../src/http/hardware-ports.ts';
import { workingHardware } from '../../fuzz/working-hardware.ts';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient, createSuperuserClient } from '../staff-client.ts';

/** A server whose hardware records the calls. */
function createServer() {
  const calls: unknown[] = [];
  const done = { changeId: 9, isRestartNeeded: false };
  const record =
    (name: string) =>
    async (...args: unknown[]) => {
      // The last argument is who acts.
      calls.push([name, ...args.slice(0, -1)]);
      return { port: 'flow2', ...done };
    };
  const machineHardware: HardwareService = {
    ...workingHardware(),
    add: record('add'),
    change: record('change'),
    remove: record('remove'),
    undo: record('undo'),
    decideRelays: record('decide'),
  };
  return { server: createTestServer({ services: { machineHardware } }), calls };
}

test('staff see meters, relays, thermometers, pins and models with the ids of their records', async () => {
  const { server } = createServer();
  const { hardware } = await createStaffClient(server).send('get', '/hardware');
  expect(hardware).toMatchObject({
    controller: 'pi',
    restart_needed: false,
    can_restart: true,
    undo_id: null,
  });
  expect(hardware.meters).toMatchObject([
    { name: 'pi.flow0', flow_meter_id: 1, tap_id: '1', fixed: true, state: 'works' },
    { name: 'pi.flow1', flow_meter_id: 2, tap_id: '2', fixed: false, model: 'swissflow-sf800' },
  ]);
  expect(hardware.relays[1]).toMatchObject({ port: 'relay1', state: 'failed', max_open_s: 3_600 });
  expect(hardware.probes).toMatchObject([{ name: '28-00000a1b2c3d', thermo_sensor_id: null, tap_id: null }]);
  expect(hardware.pins[1]).toEqual({
    pin: 14,
    header_pin: 8,
    use: 'reserved',
    used_by: null,
    also: 'serial console (TXD)',
  });
});

test('a superuser with a confirmed password adds, changes, takes away and undoes', async () => {
  const { server, calls } = createServer();
  const root = createSuperuserClient(server);
  const added = await root.create('/hardware/meters', { pin: 5, model: 'swissflow-sf800', min_gap_ms: 2 });
  expect(added).toMatchObject({ change_id: 9, restart_needed: false, hardware: { controller: 'pi' } });
  await root.send('patch', '/hardware/meters/flow1', { pin: 6, ticks_per_ml: null });
  await root.create('/hardware/relays', { pin: 23, active_low: true, port: 'valve' });
  await root.send('patch', '/hardware/relays/relay1', { active_low: false });
  await root.send('delete', '/hardware/relays/relay1');
  await root.send('post', '/hardware/changes/9/undo');
  await root.send('post', '/hardware/other-machine', { decision: 'remove' });
  expect(calls).toEqual([
    ['add', { kind: 'meter', pin: 5, model: 'swissflow-sf800', minGapMs: 2 }],
    ['change', 'meter', 'flow1', { pin: 6, ticksPerMl: null }],
    ['add', { kind: 'relay', pin: 23, activeLow: true, port: 'valve' }],
    ['change', 'relay', 'relay1', { activeLow: false }],
    ['remove', 'relay', 'relay1'],
    ['undo', 9],
    ['decide', 'remove'],
  ]);
});

test('staff, keys, unconfirmed logins and guests change nothing', async () => {
  const { server, calls } = createServer();
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  const asLogin = (user: string) => ({ Cookie: server.createLoginCookie(user) });
  const key = (secret: string) => ({ 'X-Kegbot-Api-Key': secret });
  const callers: [Record<string, string>, number][] = [
    [{}, 401],
    [key(server.guestKey), 403],
    [key(server.staffKey), 403],
    [asLogin('anna'), 403],
    [asLogin('root'), 403],
  ];
  const changes = [
    ['post', '/hardware/meters', { pin: 5 }],
    ['patch', '/hardware/meters/flow1', { pin: 5 }],
    ['delete', '/hardware/meters/flow1', undefined],
    ['post', '/hardware/relays', { pin: 5 }],
    ['post', '/hardware/changes/9/undo', undefined],
    ['post', '/hardware/other-machine', { decision: 'use_here' }],
    ['post', '/hardware/restart', undefined],
  ] as const;
  for (const [headers, status] of callers) {
    for (const [method, path, body] of changes) {
      const reply = await request(server.app)[method](`/api${path}`).set(headers).send(body);
      expect([method, path, reply.status]).toEqual([method, path, status]);
    }
  }
  expect(calls).toEqual([]);
});

test.each<[body: object, field: string]>([
  [{}, 'pin'],
  [{ pin: 64 }, 'pin'],
  [{ pin: -1 }, 'pin'],
  [{ pin: 5, port: 'a.b' }, 'port'],
  [{ pin: 5, port: 'x'.repeat(129) }, 'port'],
  [{ pin: 5, ticks_per_ml: 0 }, 'ticks_per_ml'],
  [{ pin: 5, ticks_per_ml: 1_001 }, 'ticks_per_ml'],
  [{ pin: 5, min_gap_ms: 101 }, 'min_gap_ms'],
  [{ pin: 5, bias: 'up' }, 'bias'],
  [{ pin: 5, active_low: true }, 'active_low'],
])('a meter of %j is refused because of %s', async (body, field) => {
  const { server, calls } = createServer();
  const error = await createSuperuserClient(server).expectError(400, 'post', '/hardware/meters', body);
  expect(Object.keys(error.fields)).toContain(field);
  expect(calls).toEqual([]);
});

test.each([{}, { decision: 'keep' }, { decision: 'remove', port: 'relay1' }])(
  'a decision %j about relays of another machine is refused',
  async (body) => {
    const { server, calls } = createServer();
    await createSuperuserClient(server).expectError(400, 'post', '/hardware/other-machine', body);
    expect(calls).toEqual([]);
  },
);

test('a decision is refused with its reason when no relay is of another machine', async () => {
  const machineHardware: HardwareService = {
    ...workingHardware(),
    async decideRelays() {
      throw new AppError('conflict', 'No relay was wired to another machine.', {
        reason: { name: 'no_other_machine' },
      });
    },
  };
  const server = createTestServer({ services: { machineHardware } });
  const decision = { decision: 'use_here' };
  const error = await createSuperuserClient(server).expectError(
    409,
    'post',
    '/hardware/other-machine',
    decision,
  );
  expect(error.reason).toMatchObject({ name: 'no_other_machine' });
});
