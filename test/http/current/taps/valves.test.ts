import request from 'supertest';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import type { ManualValves } from '../../../../src/http/ports.ts';
import { createTestServer, openingMs } from '../../test-server.ts';

/** A server whose one valve is simulated by a map. */
function createServerWithValve(change: Partial<ManualValves> = {}) {
  const open = new Map<string, number>();
  const valves: ManualValves = {
    openManually: (toggle, ms) => void open.set(toggle, ms / 1_000),
    shut: (toggle) => void open.delete(toggle),
    open: () =>
      [...open].map(([toggle, secondsLeft]) => ({ toggle, secondsLeft, grantId: null, manual: true })),
    ...change,
  };
  const server = createTestServer({ services: { valves } });
  const { engine } = server;
  const now = { monoMs: 3_600_000, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  engine.access.tokens.create({ device: 'core.rfid', value: 'b1', username: 'bert' }, now);
  const presentToken = () =>
    engine.access.grants.present({ controller: 'pi', authDevice: 'core.rfid', token: 'b1' }, now);
  const send = (method: 'get' | 'post', path: string, key = server.staffKey) =>
    request(server.app)[method](`/api/${path}`).set('X-Kegbot-Api-Key', key);
  return { ...server, send, open, presentToken };
}

const paths = [
  ['get', 'admin/grants'],
  ['get', 'admin/valves'],
  ['post', 'admin/taps/1/deauthorize'],
  ['post', 'admin/taps/deauthorize'],
  ['post', 'flow-toggles/1/open'],
  ['post', 'flow-toggles/1/close'],
] as const;

test.each(paths)('%s %s is for staff', async (method, path) => {
  const { send, guestKey, app } = createServerWithValve();
  await send(method, path, guestKey).expect(403);
  await request(app)[method](`/api/${path}`).expect(401);
});

test('staff list grants and close taps', async () => {
  const { send, presentToken, left, engine } = createServerWithValve();
  presentToken();
  const { result } = (await send('get', 'admin/grants').expect(200)).body;
  expect(result).toMatchObject({
    paging: { total: 1, next: null },
    grants: [
      {
        serial: 1,
        controller: 'pi',
        user: 'bert',
        auth_device: 'core.rfid',
        token_value: 'b1',
        open: true,
        granted_time: '2026-05-02T17:00:00Z',
        ended_time: null,
        ended_reason: null,
        taps: ['1', '2'],
      },
    ],
  });
  const closed = await send('post', `admin/taps/${left.id}/deauthorize`).expect(200);
  expect(closed.body).toEqual({ result: { ended: 1, board: null } });
  expect((await send('get', 'admin/grants')).body.result.grants).toMatchObject([
    { open: false, ended_reason: 'command' },
  ]);
  presentToken();
  expect((await send('post', 'admin/taps/deauthorize').expect(200)).body.result).toEqual({ ended: 1 });
  await send('post', 'admin/taps/99/deauthorize').expect(404);
  const entries = engine.audit.list({}).items.map(({ action }) => action);
  expect(entries.filter((action) => action === 'tap.deauthorized')).toHaveLength(2);
});

test('a valve opened by hand stays open for the given time and is in the audit log', async () => {
  const { send, open, engine } = createServerWithValve();
  const valve = { flow_toggle: { name: 'pi.relay0' }, seconds_left: 90, grant_id: null, manual: true };
  const opened = await send('post', 'flow-toggles/1/open').send({ seconds: 90 }).expect(200);
  expect(opened.body.result).toMatchObject({ valve });
  expect((await send('get', 'admin/valves').expect(200)).body.result.valves).toMatchObject([valve]);
  expect((await send('post', 'flow-toggles/1/close').expect(200)).body).toEqual({ result: { board: null } });
  expect(open.size).toBe(0);
  const entries = engine.audit.list({}).items.map(({ action, username }) => [action, username]);
  expect(entries.slice(0, 2)).toEqual([
    ['toggle.closed', 'anna'],
    ['toggle.opened', 'anna'],
  ]);
});

test.each([0, 601, 1.5, '60'])('refuses to open a valve for %s seconds', async (seconds) => {
  const { send, open } = createServerWithValve();
  await send('post', 'flow-toggles/1/open').send({ seconds }).expect(400);
  expect(open.size).toBe(0);
});

test('a toggle that cannot be switched is 503 with the reason, as is a machine without toggles', async () => {
  const { send } = createServerWithValve({
    openManually() {
      throw new AppError('unavailable', 'The board is not connected.');
    },
  });
  const refused = await send('post', 'flow-toggles/1/open').send({ seconds: 5 }).expect(503);
  expect(refused.body.error.message).toBe('The board is not connected.');
  const bare = createTestServer();
  await request(bare.app)
    .post('/api/flow-toggles/1/open')
    .set('X-Kegbot-Api-Key', bare.staffKey)
    .send({ seconds: 5 })
    .expect(503);
  await send('post', 'flow-toggles/9/open').send({ seconds: 5 }).expect(404);
});

test('a failed close is not in the audit log', async () => {
  const { send, engine } = createServerWithValve({
    shut() {
      throw new AppError('unavailable', "Disconnect the valve's power.");
    },
  });
  const refused = await send('post', 'flow-toggles/1/close').expect(503);
  expect(refused.body.error.message).toBe("Disconnect the valve's power.");
  expect(engine.audit.list({ action: 'toggle.closed' }).items).toEqual([]);
});

test('staff open a valve by PIN unlock, and the audit log names user and tablet', async () => {
  const { app, open, engine, createUnlockedTablet } = createServerWithValve();
  const anna = createUnlockedTablet('Bar left', 'anna');
  const opened = await request(app).post('/api/flow-toggles/1/open').set(anna).send({ seconds: 60 });
  expect(opened.body.result.valve).toMatchObject({ seconds_left: 60, manual: true });
  const reply = await request(app).get('/api/admin/valves').set(anna).expect(200);
  expect(reply.body.result.valves).toMatchObject([{ flow_toggle: { id: 1 } }]);
  await request(app).post('/api/flow-toggles/1/close').set(anna).expect(200);
  expect(open.size).toBe(0);
  const entries = engine.audit
    .list({})
    .items.map(({ action, username, via, tablet }) => [...[action, username, via, tablet]]);
  expect(entries.slice(0, 2)).toEqual([
    ['toggle.closed', 'anna', 'tablet', 'Bar left'],
    ['toggle.opened', 'anna', 'tablet', 'Bar left'],
  ]);
});

test('PIN unlock can close one tap, but not list grants or close all taps', async () => {
  const { app, engine, left, presentToken, createUnlockedTablet } = createServerWithValve();
  const anna = createUnlockedTablet('Bar left', 'anna');
  presentToken();
  await request(app).get('/api/admin/grants').set(anna).expect(403);
  await request(app).post('/api/admin/taps/deauthorize').set(anna).expect(403);
  expect(engine.access.grants.list({}).items).toMatchObject([{ grant: { endedReason: null } }]);
  const closed = await request(app).post(`/api/admin/taps/${left.id}/deauthorize`).set(anna).expect(200);
  expect(closed.body.result).toEqual({ ended: 1, board: null });
  expect(engine.access.grants.list({}).items).toMatchObject([{ grant: { endedReason: 'command' } }]);
  expect(engine.audit.list({ action: 'tap.deauthorized' }).items).toMatchObject([
    { username: 'anna', via: 'tablet', tablet: 'Bar left' },
  ]);
});

test.each(['admin/taps/1/deauthorize', 'flow-toggles/1/open', 'flow-toggles/1/close'])(
  'a tablet without PIN unlock, or a minute after it, must enter a PIN before %s',
  async (path) => {
    const { app, open, createTabletCookie, createUnlockedTablet, setClock, now } = createServerWithValve();
    const anna = createUnlockedTablet('Bar left', 'anna');
    const { monoMs, wallMs } = now();
    setClock({ monoMs: monoMs + 60_000, wallMs: wallMs + 60_000 });
    for (const headers of [{ Cookie: createTabletCookie('Bar right') }, anna]) {
      const refused = await request(app).post(`/api/${path}`).set(headers).send({ seconds: 60 }).expect(401);
      expect(refused.body.error.fields).toEqual({ pin: 'is needed' });
    }
    expect(open.size).toBe(0);
  },
);
