import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

let server: TestServer;
let anna: ReturnType<typeof createStaffClient>;
const card = {
  auth_device: 'core.rfid',
  token_value: '0089f2c4',
  nice_name: 'Blue',
  pin: '4711',
  user: 'bert',
};
const path = '/auth-tokens/core.rfid.0089f2c4';

beforeEach(() => {
  server = createTestServer();
  anna = createStaffClient(server);
});

const pour = (authToken: string) =>
  server.engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 200, authToken, source: 'post' }, server.now())
    .id;

test('tells where a card was presented and which drinks were poured with it, also before it had an owner', async () => {
  const first = pour('core.rfid|0089F2C4');
  const alone = pour('0089f2c4');
  await anna.create('/auth-tokens', card);
  const now = server.now();
  const { grant } = server.engine.access.grants.present(
    { controller: 'pi', authDevice: 'core.rfid', token: '0089F2C4' },
    now,
  ) as { grant: { id: string } };
  expect(grant.id).not.toBe('');
  const owned = pour('core.rfid.0089f2c4');
  pour('core.rfid|ffff');
  const history = await anna.send('get', '/admin/auth-tokens/core.rfid.0089f2c4/history');
  expect(history).toMatchObject({
    token: { id: 'core.rfid|0089f2c4', has_pin: true },
    seen: { device: 'pi', last_seen: '2026-05-02T17:00:00Z' },
    grants: [{ controller: 'pi', user: 'bert', granted_time: '2026-05-02T17:00:00Z', ended_reason: null }],
    drinks_total: 3,
  });
  expect(history.drinks.map(({ id, user_id }: { id: number; user_id: string }) => [id, user_id])).toEqual([
    [owned, 'bert'],
    [alone, null],
    [first, null],
  ]);
  expect(JSON.stringify(history)).not.toContain('4711');
  await anna.expectError(404, 'get', '/admin/auth-tokens/core.rfid.77/history');
});

test('the list tells when and where each card was seen last', async () => {
  await anna.create('/auth-tokens', card);
  const seen = async () => (await anna.send('get', '/auth-tokens')).tokens[0];
  expect(await seen()).toMatchObject({ last_seen: null, last_seen_device: null });
  server.engine.access.grants.present(
    { controller: 'pi', authDevice: 'core.rfid', token: '0089F2C4' },
    server.now(),
  );
  expect(await seen()).toMatchObject({ last_seen: '2026-05-02T17:00:00Z', last_seen_device: 'pi' });
});

test('lists cards by what they can do now', async () => {
  const add = (token_value: string, fields: object = {}) =>
    anna.create('/auth-tokens', { auth_device: 'core.rfid', token_value, ...fields });
  await add('01', { user: 'bert' });
  await add('02');
  await add('03', { user: 'bert', enabled: false, expire_time: '2026-05-01T00:00:00Z' });
  await add('04', { user: 'bert', expire_time: '2026-05-02T17:00:00Z' });
  await add('05', { user: 'bert', expire_time: '2026-05-02T17:00:01Z' });
  const values = async (query: string) => {
    const { tokens } = await anna.send('get', `/auth-tokens?${query}`);
    return tokens.map(({ token_value: value }: { token_value: string }) => value);
  };
  expect(await values('state=assigned')).toEqual(['05', '01']);
  expect(await values('state=unassigned')).toEqual(['02']);
  expect(await values('state=disabled')).toEqual(['03']);
  expect(await values('state=expired')).toEqual(['04']);
  expect(await values('state=assigned&user=bert&search=5')).toEqual(['05']);
  expect(await values('')).toHaveLength(5);
  await anna.expectError(400, 'get', '/auth-tokens?state=lost');
});

test('the deletion of a card is undone with its owner, state and PIN', async () => {
  const { token } = await anna.create('/auth-tokens', card);
  const { correction_id: id } = await anna.send('delete', path);
  await anna.expectError(404, 'get', path);
  const { entries } = await anna.send('get', '/audit?limit=1');
  expect(entries[0]).toMatchObject({ id, action: 'token.deleted', can_undo: true });
  expect(JSON.stringify(entries)).not.toMatch(/4711|0089f2c4/);
  await anna.send('post', `/corrections/${id}/undo`);
  expect((await anna.send('get', path)).token).toEqual(token);
  await anna.expectError(409, 'post', `/corrections/${id}/undo`);
});

test('refuses to undo the deletion of a card that was added again', async () => {
  await anna.create('/auth-tokens', card);
  const { correction_id: id } = await anna.send('delete', path);
  await anna.create('/auth-tokens', { ...card, user: 'anna' });
  const { reason } = await anna.expectError(409, 'post', `/corrections/${id}/undo`);
  expect(reason).toEqual({ name: 'token_added_since' });
});

test('a PIN does not undo the deletion of a card, as it does not delete one', async () => {
  await anna.create('/auth-tokens', card);
  const { correction_id: id } = await anna.send('delete', path);
  const { status, body } = await request(server.app)
    .post(`/api/corrections/${id}/undo`)
    .set(server.createUnlockedTablet('Bar', 'anna'));
  expect([status, body.error.reason.name]).toEqual([403, 'not_on_tablets']);
});
