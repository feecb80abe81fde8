import request from 'supertest';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { toActor } from '../../../src/engine/engine.ts';
import { isFeatureOn } from '../../../src/engine/site/features.ts';
import { kegboards } from '../../../src/extensions/kegboards/extension.ts';
import { createTestServer } from '../../http/test-server.ts';
import { switchOn } from '../../kit/extensions.ts';
import { askForPairing, boardsOf, pairBoard } from './kit/boards.ts';

const batch = { v: 1, device: 'kegboard-1', boot_id: 'b', sent_uptime_ms: 1, events: [] };

test('while it is off its addresses say so, and boards get no answer of the protocol', async () => {
  const on = await switchOn([kegboards]);
  const switchedOn = {
    ...on,
    engine: { ...on.engine, loaded: [] },
    http: { ...on.http, routes: [], apis: [] },
  };
  const { app, engine, now, staffKey } = createTestServer({ switchedOn });
  for (const path of ['/api/device-event', '/api/kegboard-event']) {
    const reply = await request(app).post(path).send(batch).expect(404);
    expect(reply.body.error.reason).toEqual({ name: 'feature_off', feature: 'kegboards' });
  }
  await request(app).get('/api/admin/kegboards').set('X-Kegbot-Api-Key', staffKey).expect(404);
  expect(engine.hooks.reportingControllers(now())).toEqual([]);
  expect([...engine.hooks.shownPours()]).toEqual([]);
  // What staff do with taps needs no boards.
  await request(app).post('/api/admin/taps/deauthorize').set('X-Kegbot-Api-Key', staffKey).expect(200);
});

test('it cannot be switched off while a board may report; one that is denied or only asks does not matter', () => {
  const server = createTestServer();
  const { engine, now } = server;
  engine.users.addUser({ username: 'root', isSuperuser: true }, now());
  const root = toActor(engine.users.user('root')!, 'page');
  const switchOff = () => engine.site.features.change({ kegboards: false }, root, now());
  askForPairing(server, 'asking');
  expect(engine.site.features.list().find(({ name }) => name === 'kegboards')?.whyInUse).toBeNull();
  pairBoard(server, 'cellar');
  expect(switchOff).toThrow(AppError);
  expect(switchOff).toThrow(/cellar/);
  boardsOf(engine).deny('cellar', {}, now());
  switchOff();
  expect(engine.site.features.list().find(({ name }) => name === 'kegboards')?.isOn).toBe(false);
});

test('it stays on against the settings file while a board may report', () => {
  const server = createTestServer();
  const { engine, store, now } = server;
  const isOn = () => isFeatureOn(store, { maxFlowMlPerS: 200, features: { kegboards: false } }, kegboards);
  askForPairing(server, 'asking');
  expect(isOn()).toBe(false);
  pairBoard(server, 'cellar');
  expect(isOn()).toBe(true);
  boardsOf(engine).deny('cellar', {}, now());
  expect(isOn()).toBe(false);
});

test('a board that was deleted with its controller while it was off is unknown afterwards', async () => {
  const on = await switchOn([kegboards]);
  const server = createTestServer({ switchedOn: on });
  const { engine, store, now } = server;
  pairBoard(server, 'cellar');
  const { id, lastSeenMs } = engine.taps.hardware.controllers().find(({ name }) => name === 'cellar')!;
  expect(lastSeenMs).toBe(now().wallMs);
  engine.useExtensions([]);
  expect(store.controllers.byId(id)?.lastSeenMs).toBe(lastSeenMs);
  engine.taps.hardware.removeController(id);
  engine.useExtensions(on.engine.loaded);
  expect(boardsOf(engine).list(now())).toEqual([]);
  pairBoard(server, 'cellar');
  expect(boardsOf(engine).list(now())).toHaveLength(1);
});
